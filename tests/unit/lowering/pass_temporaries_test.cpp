#include "lowering/pass_temporaries.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

std::string passed(const std::string& text) {
  ir::Kernel kernel = ir::parse_kernel(text);
  pass_temporaries(kernel);
  return ir::to_string(kernel);
}

TEST(PassTemporaries, AsDocumented) {
  const std::string body = "for i in [0, 8) { B[i] = A[i] } for j in [0, 8) { C[j] = B[j] }";
  EXPECT_EQ(passed("kernel net(in A: float32[8], out C: float32[8]) { allocate B: float32[8] { " +
                   body + " } }"),
            ir::to_string(ir::parse_kernel(
                "kernel net(in A: float32[8], out C: float32[8], inout B: float32[8]) { " + body +
                " }")));
}

TEST(PassTemporaries, SeveralInTheOrderOfTheirAllocation) {
  ir::Kernel kernel = ir::parse_kernel(
      "kernel net(out C: float32[8]) { allocate P: float32[4] { allocate Q: float32[2] { "
      "P[0] = 1.0f32 Q[0] = P[0] C[0] = Q[0] } } }");
  pass_temporaries(kernel);
  ASSERT_EQ(kernel.params.size(), 3U);
  EXPECT_EQ(kernel.params[1].buffer->name, "Q");
  EXPECT_EQ(kernel.params[2].buffer->name, "P");
}

TEST(PassTemporaries, KeepsNearMemoryAndWhatIsInsideALoop) {
  const std::string text =
      "kernel net(out C: float32[8]) { allocate N: float32[8] in ldm { for i in [0, 8) { "
      "allocate T: float32[2] { T[0] = 1.0f32 N[i] = T[0] C[i] = N[i] } } } }";
  EXPECT_EQ(passed(text), ir::to_string(ir::parse_kernel(text)));
}

TEST(PassTemporaries, KeepsIdentityWithoutTemporaries) {
  ir::Kernel kernel =
      ir::parse_kernel("kernel net(out C: float32[8]) { C[0] = 1.0f32 C[1] = 2.0f32 }");
  const ir::Stmt before = kernel.body;
  pass_temporaries(kernel);
  EXPECT_TRUE(kernel.body.same_as(before));
}

}  // namespace
}  // namespace solway::lowering
