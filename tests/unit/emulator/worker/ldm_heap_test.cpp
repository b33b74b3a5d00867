#include "emulator/worker/ldm_heap.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(LdmHeap, GivesBlocksAtMultiplesOf32Behind) {
  LdmHeap heap;
  heap.set_bounds(100, 1000, 32);
  EXPECT_EQ(heap.allocate(1), 128U);
  EXPECT_EQ(heap.allocate(33), 160U);
  EXPECT_EQ(heap.used_bytes(), 96U);
}

TEST(LdmHeap, BlocksSuitTheVectorsOfTheMachine) {
  LdmHeap heap;
  heap.set_bounds(96, 1000, 64);
  EXPECT_EQ(heap.allocate(1), 128U);
  EXPECT_EQ(heap.allocate(65), 192U);
  EXPECT_EQ(heap.allocate(1), 320U);
}

TEST(LdmHeap, FillsAGapThatIsLargeEnough) {
  LdmHeap heap;
  heap.set_bounds(0, 1024, 32);
  const auto first = heap.allocate(64);
  heap.allocate(32);
  heap.release(*first);
  EXPECT_EQ(heap.allocate(65), 96U);
  EXPECT_EQ(heap.allocate(64), 0U);
}

TEST(LdmHeap, RefusesWhatDoesNotFit) {
  LdmHeap heap;
  heap.set_bounds(0, 128, 32);
  EXPECT_FALSE(heap.allocate(129));
  EXPECT_FALSE(heap.allocate(~std::uint64_t{0}));
  EXPECT_EQ(heap.largest_free(), 128U);
  EXPECT_TRUE(heap.allocate(128));
  EXPECT_EQ(heap.largest_free(), 0U);
  EXPECT_FALSE(heap.allocate(0));
}

}  // namespace
}  // namespace solway::emulator
