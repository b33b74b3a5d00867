#include "lowering/keep_in_registers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/verifier.h"

namespace solway::lowering {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead =
    "kernel k(in A: float32[8, 64], in n: int64[1], out C: float32[8, 64]) { allocate AA: "
    "float32[8, 64] in ldm { allocate CC: float32[8, 64] in ldm { ";

ir::Stmt body_of(const ir::Kernel& kernel) {
  return kernel.body.as<ir::Allocate>().body.as<ir::Allocate>().body;
}

/// The statements after the pass.
std::string kept(const std::string& statements, int max_kept = 16) {
  ir::Kernel k = ir::parse_kernel(kHead + statements + " } } }");
  k.body = keep_in_registers(k.body, max_kept);
  ir::verify(k, ir::Stage::AfterUnroll);
  return to_string(body_of(k));
}

/// Whether the pass leaves the statements alone.
bool is_left(const std::string& statements, int max_kept = 16) {
  const ir::Kernel k = ir::parse_kernel(kHead + statements + " } } }");
  return keep_in_registers(k.body, max_kept).same_as(k.body);
}

TEST(KeepInRegisters, AsDocumented) {
  EXPECT_EQ(kept("for k in [0, 32) { vstore(CC[0, 0], 4) = "
                 "(vload(CC[0, 0], 4) + (broadcast(AA[0, k], 4) * vload(AA[1, k], 4))) }"),
            "allocate CC_kept: float32[4] in register {\n"
            "  vstore(CC_kept[0], 4) = vload(CC[0, 0], 4)\n"
            "  for k in [0, 32) {\n"
            "    vstore(CC_kept[0], 4) = "
            "(vload(CC_kept[0], 4) + (broadcast(AA[0, k], 4) * vload(AA[1, k], 4)))\n"
            "  }\n"
            "  vstore(CC[0, 0], 4) = vload(CC_kept[0], 4)\n"
            "}\n");
}

TEST(KeepInRegisters, WholeNestsAndSeveralPlaces) {
  EXPECT_EQ(kept("for i in [0, 8) { for r in [0, 3) { for k in [0, 32) {"
                 " CC[i, 0] = (CC[i, 0] + AA[r, k]) CC[i, 1] = AA[r, k] } } }"),
            "for i in [0, 8) {\n"
            "  allocate CC_kept: float32[2] in register {\n"
            "    CC_kept[0] = CC[i, 0]\n"
            "    for r in [0, 3) {\n"
            "      for k in [0, 32) {\n"
            "        CC_kept[0] = (CC_kept[0] + AA[r, k])\n"
            "        CC_kept[1] = AA[r, k]\n"
            "      }\n"
            "    }\n"
            "    CC[i, 0] = CC_kept[0]\n"
            "    CC[i, 1] = CC_kept[1]\n"
            "  }\n"
            "}\n");
}

TEST(KeepInRegisters, AGuardWhereTheLoopMayNotRun) {
  EXPECT_EQ(kept("for i in [0, 8) { for k in [0, i) { CC[i, 0] = (CC[i, 0] + AA[i, k]) } }"),
            "for i in [0, 8) {\n"
            "  if (0 < i) {\n"
            "    allocate CC_kept: float32[1] in register {\n"
            "      CC_kept[0] = CC[i, 0]\n"
            "      for k in [0, i) {\n"
            "        CC_kept[0] = (CC_kept[0] + AA[i, k])\n"
            "      }\n"
            "      CC[i, 0] = CC_kept[0]\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(KeepInRegisters, NamesAreNew) {
  const std::string loop = "for k in [0, 4) { CC[0, 0] = (CC[0, 0] + AA[0, k]) } ";
  const std::string text = kept(loop + loop);
  EXPECT_THAT(text, HasSubstr("allocate CC_kept: "));
  EXPECT_THAT(text, HasSubstr("allocate CC_kept_2: "));
}

TEST(KeepInRegisters, MainMemoryAloneIsKept) {
  EXPECT_THAT(kept("for k in [0, 4) { C[0, 0] = (C[0, 0] + AA[0, k]) }"), HasSubstr("C_kept[0]"));
  // A could be the same memory.
  EXPECT_TRUE(is_left("for k in [0, 4) { C[0, 0] = (C[0, 0] + A[0, k]) }"));
}

TEST(KeepInRegisters, VectorsOfALengthKnownAtRunTime) {
  const std::string out = kept(
      "for k in [0, 4) { vstore(CC[0, 0], vscale*4) = (vload(CC[0, 0], vscale*4) + "
      "broadcast(AA[0, k], vscale*4)) }");
  EXPECT_THAT(out, HasSubstr("allocate CC_kept: float32[vscale*4] in register"));
  EXPECT_THAT(out, HasSubstr("vstore(CC[0, 0], vscale*4) = vload(CC_kept[0], vscale*4)"));
  // How far apart two of them must be is not known.
  EXPECT_TRUE(
      is_left("for k in [0, 4) { vstore(CC[0, 0], vscale*4) = broadcast(AA[0, k], vscale*4)"
              " vstore(CC[1, 0], vscale*4) = broadcast(AA[0, k], vscale*4) }"));
}

TEST(KeepInRegisters, VectorsInPartAreKeptWhole) {
  EXPECT_EQ(kept("for k in [0, 4) {"
                 " vstore(CC[0, 0], 4) = (vload(CC[0, 0], 4) + vload(AA[k, 0], 4))"
                 " vstore(CC[0, 4], 4, active 2) = "
                 "(vload(CC[0, 4], 4, active 2) + vload(AA[k, 4], 4, active 2))"
                 " vstore(CC[0, 6], 4) = (vload(CC[0, 6], 4) + vload(AA[k, 8], 4)) }"),
            "allocate CC_kept: float32[12] in register {\n"
            "  vstore(CC_kept[0], 4) = vload(CC[0, 0], 4)\n"
            "  vstore(CC_kept[4], 4) = vload(CC[0, 4], 4, active 2)\n"
            "  vstore(CC_kept[8], 4) = vload(CC[0, 6], 4)\n"
            "  for k in [0, 4) {\n"
            "    vstore(CC_kept[0], 4) = (vload(CC_kept[0], 4) + vload(AA[k, 0], 4))\n"
            "    vstore(CC_kept[4], 4) = (vload(CC_kept[4], 4) + vload(AA[k, 4], 4, active 2))\n"
            "    vstore(CC_kept[8], 4) = (vload(CC_kept[8], 4) + vload(AA[k, 8], 4))\n"
            "  }\n"
            "  vstore(CC[0, 0], 4) = vload(CC_kept[0], 4)\n"
            "  vstore(CC[0, 4], 4, active 2) = vload(CC_kept[4], 4)\n"
            "  vstore(CC[0, 6], 4) = vload(CC_kept[8], 4)\n"
            "}\n");
}

TEST(KeepInRegisters, PartsThatACallSays) {
  const auto sum = [](const std::string& of_load) {
    return "let m = n[0] { for k in [0, 4) { vstore(CC[0, 0], 4, active m) = (vload(CC[0, 0], 4, "
           "active " +
           of_load + ") + vload(AA[k, 0], 4)) } }";
  };
  EXPECT_EQ(kept(sum("m")),
            "let m = n[0] {\n"
            "  allocate CC_kept: float32[4] in register {\n"
            "    vstore(CC_kept[0], 4) = vload(CC[0, 0], 4, active m)\n"
            "    for k in [0, 4) {\n"
            "      vstore(CC_kept[0], 4) = (vload(CC_kept[0], 4) + vload(AA[k, 0], 4))\n"
            "    }\n"
            "    vstore(CC[0, 0], 4, active m) = vload(CC_kept[0], 4)\n"
            "  }\n"
            "}\n");
  EXPECT_TRUE(is_left(sum("(m - 1)")));
  EXPECT_TRUE(is_left(sum("4")));
  EXPECT_TRUE(is_left(sum("n[0]")));
}

TEST(KeepInRegisters, PartsThatDifferOrWhoseOtherLanesCountAreLeft) {
  const auto part = [](const std::string& of_store, const std::string& value) {
    return "for k in [0, 4) { vstore(CC[0, 0], 4" + of_store + ") = " + value + " }";
  };
  const std::string sum = "(vload(CC[0, 0], 4, active 2) + vload(AA[k, 0], 4))";
  EXPECT_FALSE(is_left(part(", active 2", sum)));
  EXPECT_TRUE(is_left(part(", active 3", sum)));
  EXPECT_TRUE(is_left(part("", sum)));
  EXPECT_TRUE(is_left(part(", active k", "(vload(CC[0, 0], 4, active k) + vload(AA[k, 0], 4))")));
  EXPECT_TRUE(is_left(part(", active 2", "(vload(CC[0, 0], 4, first 1) + vload(AA[k, 0], 4))")));
  EXPECT_TRUE(is_left(
      part(", active 2",
           "(vload(AA[k, 0], 4) * broadcast(reduce_sum(vload(CC[0, 0], 4, active 2)), 4))")));
  // The second begins where the first has an element.
  EXPECT_TRUE(
      is_left("for k in [0, 4) { vstore(CC[0, 0], 4, active 3) = vload(AA[k, 0], 4)"
              " vstore(CC[0, 2], 4, active 1) = vload(AA[k, 0], 4) }"));
}

TEST(KeepInRegisters, LeavesWhatMovesOrOverlaps) {
  EXPECT_TRUE(is_left("for k in [0, 4) { CC[0, k] = (CC[0, k] + AA[0, 0]) }"));
  EXPECT_TRUE(is_left("for k in [0, 4) { CC[0, 0] = (CC[0, k] + AA[0, 0]) }"));
  EXPECT_TRUE(
      is_left("for k in [0, 4) { vstore(CC[0, 0], 4) = vload(AA[0, k], 4)"
              " vstore(CC[0, 2], 4) = vload(AA[0, k], 4) }"));
  EXPECT_TRUE(is_left("for k in [0, 4) { vstore(CC[0, 0], 4) = broadcast(CC[0, 1], 4) }"));
  EXPECT_TRUE(is_left("for k in [0, 4) { vstore(CC[0, 0], 4, stride 2) = vload(AA[0, k], 4) }"));
  EXPECT_TRUE(is_left("for k in [0, 4) { CC[n[0], 0] = AA[0, k] }"));
}

TEST(KeepInRegisters, LeavesWhatIsOnlyRead) {
  EXPECT_TRUE(is_left("for k in [0, 4) { CC[0, k] = AA[0, 0] }"));
}

TEST(KeepInRegisters, LeavesLoopsWithMoreThanStores) {
  EXPECT_TRUE(is_left("for k in [0, 4) { if (k < 2) { CC[0, 0] = AA[0, k] } }"));
  EXPECT_TRUE(is_left("for k in [0, 4) { let x = AA[0, k] { CC[0, 0] = x } }"));
  EXPECT_TRUE(
      is_left("for k in [0, 4) { issue t get A[0, 0] -> AA[0, 0] (4, 1, 1) wait t"
              " CC[0, 0] = AA[0, k] }"));
  EXPECT_TRUE(is_left("for k in [0, n[0]) { CC[0, 0] = AA[0, k] }"));
}

TEST(KeepInRegisters, NoMoreThanThereIsRoomFor) {
  const std::string two = "for k in [0, 4) { CC[0, 0] = AA[0, k] CC[0, 1] = AA[0, k] }";
  EXPECT_TRUE(is_left(two, 1));
  EXPECT_FALSE(is_left(two, 2));
}

}  // namespace
}  // namespace solway::lowering
