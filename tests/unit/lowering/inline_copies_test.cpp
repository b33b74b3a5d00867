#include "lowering/inline_copies.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

ir::Scope scope() {
  ir::Scope out;
  out.buffers["B"] = ir::make_buffer("B", DType::Float32, {1024, 1024});
  out.buffers["C"] = ir::make_buffer("C", DType::Float32, {1, 1024});
  out.buffers["BB"] = ir::make_buffer("BB", DType::Float32, {64, 128}, "panel");
  out.buffers["BT"] = ir::make_buffer("BT", DType::Float32, {128, 64}, "panel");
  out.buffers["CC"] = ir::make_buffer("CC", DType::Float32, {4, 32}, "register");
  out.buffers["R"] = ir::as_upper_bound(ir::make_buffer("R", DType::Float32, {4096}));
  out.vars["ko"] = ir::kInt64;
  out.vars["n"] = ir::kInt64;
  return out;
}

std::string inlined(const std::string& text) {
  return ir::to_string(inline_copies(ir::parse_stmt(text, scope())));
}

TEST(InlineCopies, MakesLoopsOfATransferThatIsWaitedForAtOnce) {
  EXPECT_EQ(inlined("issue BB get B[(ko * 64), 0] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)\n"
                    "wait BB\n"),
            "for BB_0 in [0, 64) {\n"
            "  for BB_1 in [0, 128) vectorized {\n"
            "    BB[BB_0, BB_1] = B[((ko * 64) + BB_0), BB_1]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, PutsTheContiguousDimensionInnermost) {
  EXPECT_EQ(inlined("issue P put BB[0, 0] -> B[ko, 0] (128, 1, 1) (64, 1024, 128)\nwait P\n"),
            "for P_0 in [0, 64) {\n"
            "  for P_1 in [0, 128) vectorized {\n"
            "    B[(ko + P_0), P_1] = BB[P_0, P_1]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, WalksRowsThatAreAsLongAsASizeSays) {
  EXPECT_EQ(inlined("issue BB get R[(ko * n)] -> BB[0, 0] (64, n, 128) (128, 1, 1)\nwait BB\n"),
            "for BB_0 in [0, 64) {\n"
            "  for BB_1 in [0, 128) vectorized {\n"
            "    BB[BB_0, BB_1] = R[(((ko * n) + (BB_0 * n)) + BB_1)]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, UnrollsRegisters) {
  EXPECT_EQ(inlined("issue P put CC[0, 0] -> B[ko, 0] (4, 1024, 32) (32, 1, 1)\nwait P\n"),
            "for P_0 in [0, 4) unrolled {\n"
            "  for P_1 in [0, 32) vectorized {\n"
            "    B[(ko + P_0), P_1] = CC[P_0, P_1]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, TransposesSerially) {
  EXPECT_EQ(inlined("issue BT get B[0, ko] -> BT[0, 0] (64, 1024, 1) (128, 1, 64)\nwait BT\n"),
            "for BT_0 in [0, 64) {\n"
            "  for BT_1 in [0, 128) {\n"
            "    BT[BT_1, BT_0] = B[BT_0, (ko + BT_1)]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, WalksSeveralRowsAsOne) {
  // Neither side has a dimension of stride 2; positions are row-major all the same.
  EXPECT_EQ(inlined("issue BB get B[0, 0] -> BB[0, 0] (4, 2048, 2)\nwait BB\n"),
            "for BB_0 in [0, 4) {\n"
            "  BB[0, (BB_0 * 2)] = B[(BB_0 * 2), 0]\n"
            "}\n");
}

TEST(InlineCopies, MovesOneElementWithoutLoops) {
  EXPECT_EQ(inlined("issue BB get B[ko, 0] -> BB[0, 0] \nwait BB\n"), "BB[0, 0] = B[ko, 0]\n");
}

TEST(InlineCopies, ChoosesNamesThatAreFree) {
  EXPECT_EQ(inlined("for BB_0 in [0, 2) {\n"
                    "  issue BB get B[BB_0, 0] -> BB[0, 0] (128, 1, 1)\n  wait BB\n}\n"),
            "for BB_0 in [0, 2) {\n"
            "  for BB_0_1 in [0, 128) vectorized {\n"
            "    BB[0, BB_0_1] = B[BB_0, BB_0_1]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, CopiesWhereATransferIsIssued) {
  EXPECT_EQ(inlined("issue BB get B[ko, 0] -> BB[0, 0] (128, 1, 1)\n"
                    "C[0, 0] = 0.0f32\n"
                    "wait BB\n"),
            "for BB_0 in [0, 128) vectorized {\n"
            "  BB[0, BB_0] = B[ko, BB_0]\n"
            "}\n"
            "C[0, 0] = 0.0f32\n");
}

TEST(InlineCopies, DropsGuardsOfWaits) {
  EXPECT_EQ(inlined("for i in [0, 4) {\n"
                    "  if (i < 3) {\n"
                    "    issue BB get B[i, 0] -> BB[(i % 2), 0]  slot (i % 2) of 2\n"
                    "  }\n"
                    "  if (i > 0) {\n    wait BB slot ((i + 1) % 2)\n  }\n"
                    "}\n"
                    "for j in [4, 5) {\n  wait BB slot (j % 2)\n}\n"),
            "for i in [0, 4) {\n"
            "  if (i < 3) {\n"
            "    BB[(i % 2), 0] = B[i, 0]\n"
            "  }\n"
            "}\n");
}

TEST(InlineCopies, KeepsWhatHasNoTransfers) {
  const ir::Stmt s = ir::parse_stmt("for i in [0, 4) {\n  C[0, i] = 0.0f32\n}\n", scope());
  EXPECT_TRUE(inline_copies(s).same_as(s));
}

}  // namespace
}  // namespace solway::lowering
