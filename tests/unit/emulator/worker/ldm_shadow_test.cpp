#include "emulator/worker/ldm_shadow.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr std::uint64_t kBase = 0x10000;

TEST(LdmShadow, CountsUnwrittenBytes) {
  LdmShadow shadow(kBase, 4096);
  EXPECT_FALSE(shadow.find_unwritten(kBase, 4096));
  shadow.mark_unwritten(kBase + 3, 6);
  EXPECT_EQ(shadow.find_unwritten(kBase, 64), kBase + 3);
  EXPECT_FALSE(shadow.find_unwritten(kBase, 3));
  EXPECT_FALSE(shadow.find_unwritten(kBase + 9, 3));
  shadow.mark_written(kBase + 3, 4);
  EXPECT_EQ(shadow.find_unwritten(kBase, 64), kBase + 7);
  shadow.mark_written(kBase + 4, 5);
  EXPECT_FALSE(shadow.find_unwritten(kBase, 4096));
}

TEST(LdmShadow, KeepsStatesOfTransfersApart) {
  LdmShadow shadow(kBase, 4096);
  shadow.mark_unwritten(kBase, 32);
  shadow.set(kBase + 8, 8, kPendingGet);
  shadow.set(kBase + 12, 4, kCounting);
  EXPECT_EQ(shadow.find(kBase, 32, kPendingGet), kBase + 8);
  EXPECT_FALSE(shadow.find(kBase, 8, kPendingGet));
  EXPECT_FALSE(shadow.find(kBase, 32, kPendingPut));
  EXPECT_EQ(shadow.find(kBase + 10, 1, kPendingGet), kBase + 8);
  shadow.clear(kBase + 8, 8, kPendingGet | kUnwritten);
  EXPECT_EQ(shadow.find(kBase, 32, kCounting), kBase + 12);
  EXPECT_EQ(shadow.find_unwritten(kBase + 8, 24), kBase + 16);
}

TEST(LdmShadow, GivesTheAddressOfACell) {
  LdmShadow shadow(kBase, 4096);
  EXPECT_TRUE(shadow.holds(kBase + 4095));
  EXPECT_FALSE(shadow.holds(kBase + 4096));
  EXPECT_FALSE(shadow.holds(kBase - 1));
  shadow.set(kBase + 40, 4, kPendingPut);
  const auto* const cell = reinterpret_cast<const LdmCell*>(((kBase + 40) >> 2) + shadow.bias());
  EXPECT_EQ(*cell, kPendingPut);
}

}  // namespace
}  // namespace solway::emulator
