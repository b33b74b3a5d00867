#include "lowering/unroll_loops.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Stmt stmt(const std::string& text) {
  static const ir::Scope kScope{{{"C", ir::make_buffer("C", DType::Float32, {64})}},
                                {{"n", ir::kInt64}}};
  return ir::parse_stmt(text, kScope);
}

std::string unrolled(const std::string& text) {
  Remarks remarks;
  std::string out = to_string(unroll_loops(stmt(text), remarks));
  EXPECT_TRUE(remarks.empty());
  return out;
}

TEST(UnrollLoops, AsDocumented) {
  EXPECT_EQ(unrolled("for i in [0, 2) unrolled { C[(i + 4)] = 0.0f32 }"),
            "C[4] = 0.0f32\nC[5] = 0.0f32\n");
}

TEST(UnrollLoops, NestsAndSymbolicBegins) {
  EXPECT_EQ(
      unrolled("for i in [0, 2) unrolled { for j in [i, (i + 2)) unrolled { C[j] = 0.0f32 } }"),
      "C[0] = 0.0f32\nC[1] = 0.0f32\nC[1] = 0.0f32\nC[2] = 0.0f32\n");
  EXPECT_EQ(unrolled("for i in [n, (n + 2)) unrolled { C[i] = 0.0f32 }"),
            "C[n] = 0.0f32\nC[(n + 1)] = 0.0f32\n");
  EXPECT_EQ(unrolled("for i in [3, 3) unrolled { C[i] = 0.0f32 }"), "");
}

TEST(UnrollLoops, LoopsInsideMayHaveAnotherCountInEachCopy) {
  EXPECT_EQ(unrolled("for i in [0, 2) unrolled { for j in [0, (2 - i)) unrolled { C[((i * 8) + j)] "
                     "= 0.0f32 } }"),
            "C[0] = 0.0f32\nC[1] = 0.0f32\nC[8] = 0.0f32\n");
}

TEST(UnrollLoops, KeepsIdentity) {
  Remarks remarks;
  const ir::Stmt s = stmt("for i in [0, 2) { C[i] = 0.0f32 }");
  EXPECT_TRUE(unroll_loops(s, remarks).same_as(s));
}

TEST(UnrollLoops, SaysWhyALoopStays) {
  Remarks remarks;
  EXPECT_EQ(to_string(unroll_loops(stmt("for i in [0, n) unrolled { C[i] = 0.0f32 }"), remarks)),
            "for i in [0, n) {\n  C[i] = 0.0f32\n}\n");
  unroll_loops(stmt("for i in [0, 2000) unrolled { C[i] = 0.0f32 }"), remarks);
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0].step, "unroll(i)");
  EXPECT_EQ(remarks[0].why, "the number of iterations, n, is not constant");
  EXPECT_EQ(remarks[1].why, "2000 iterations, at most 1024 are copied");
}

}  // namespace
}  // namespace solway::lowering
