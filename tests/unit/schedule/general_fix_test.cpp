#include "schedule/general_fix.h"

#include <gtest/gtest.h>

namespace solway::schedule {
namespace {

std::string fix_of(const std::string& request, const Program& program = {}) {
  return general_fix(program, {request, {}}, "a loop further out");
}

TEST(GeneralFix, NamesAnArgumentOrLeavesTheCallOut) {
  EXPECT_EQ(fix_of("buffer_read(A, [i])"),
            "pass at= with a loop further out, or leave the buffer out");
  EXPECT_EQ(
      fix_of("prefetch(AA, distance=2)"),
      "leave out prefetch(AA, distance=2), or make the buffer with at= and a loop further out");
  EXPECT_EQ(fix_of("compute_inline() of 'P'"),
            "leave out compute_inline() of 'P': the stage is then computed where it was defined");
  EXPECT_EQ(fix_of("specialize(i < 4)"),
            "leave out specialize(i < 4), or state a condition whose iterations come before all "
            "others");
  EXPECT_EQ(fix_of("rfactor(C, k)"), "leave out rfactor(C, k)");
}

TEST(GeneralFix, AppliesAnOrderBeforeTheBuffer) {
  Program program;
  program.buffers["AA"].name = "AA";
  EXPECT_EQ(fix_of("reorder(j, i)", program),
            "apply reorder(j, i) before the buffer is made, or leave it out");
  EXPECT_EQ(general_order_fix({"reverse(i)", {}}),
            "leave out reverse(i): these iterations need the order that they have");
}

TEST(GeneralFix, PutsABufferInsideAParallelLoop) {
  Program program;
  program.buffers["BB"].primitive = "buffer_read(B, [k, j])";
  EXPECT_EQ(private_buffer_fix(program, "BB", "i"),
            "pass at='i' to buffer_read(B, [k, j]), or scope=\"shared\" on a processor, or mark "
            "'i' before it");
  program.buffers["CC"].primitive = "buffer_write(C, [j])";
  EXPECT_EQ(private_buffer_fix(program, "CC", "i"),
            "pass at='i' to buffer_write(C, [j]), or mark 'i' before it");
  EXPECT_EQ(private_buffer_fix(program, "P", "i"), "place 'P' inside 'i' with compute_at");
}

}  // namespace
}  // namespace solway::schedule
