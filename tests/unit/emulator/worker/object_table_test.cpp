#include "emulator/worker/object_table.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(ObjectTable, FindsAnObjectByEveryAddressInside) {
  ObjectTable table;
  Object* const a = table.add(ObjectKind::Main, 1000, 10, "a", nullptr);
  Object* const b = table.add(ObjectKind::Main, 1010, 1, "b", nullptr);
  EXPECT_EQ(table.find(1000), a);
  EXPECT_EQ(table.find(1009), a);
  EXPECT_EQ(table.find(1010), b);
  EXPECT_EQ(table.find(1011), nullptr);
  EXPECT_EQ(table.find(999), nullptr);
}

TEST(ObjectTable, ARemovedObjectIsFoundWithoutBytes) {
  ObjectTable table;
  Object* const block = table.add(ObjectKind::LdmHeap, 64, 32, "block", nullptr);
  table.remove(block);
  EXPECT_EQ(table.find(70), block);
  EXPECT_FALSE(is_live(*block));
  EXPECT_FALSE(holds(*block, 64, 1));
}

TEST(ObjectTable, ANewObjectReplacesWhatItOverlaps) {
  ObjectTable table;
  Object* const old = table.add(ObjectKind::MainHeap, 100, 100, "old", nullptr);
  Object* const next = table.add(ObjectKind::MainHeap, 150, 10, "next", nullptr);
  EXPECT_FALSE(is_live(*old));
  EXPECT_EQ(table.find(155), next);
  EXPECT_EQ(table.find(110), nullptr);
}

TEST(ObjectTable, HoldsCountsTheLastByte) {
  Object object;
  describe(&object, ObjectKind::Main, 100, 8, "object", nullptr);
  EXPECT_TRUE(holds(object, 100, 8));
  EXPECT_TRUE(holds(object, 104, 4));
  EXPECT_FALSE(holds(object, 104, 5));
  EXPECT_FALSE(holds(object, 96, 4));
  EXPECT_FALSE(holds(object, 100, ~std::uint64_t{0}));
}

TEST(ObjectTable, AddsUpACounterOfOneKind) {
  ObjectTable table;
  table.add(ObjectKind::Main, 0, 8, "a", nullptr)->loaded_bytes = 3;
  table.add(ObjectKind::Main, 8, 8, "b", nullptr)->loaded_bytes = 4;
  table.add(ObjectKind::Ldm, 16, 8, "c", nullptr)->loaded_bytes = 5;
  EXPECT_EQ(table.sum(ObjectKind::Main, &Object::loaded_bytes), 7U);
}

}  // namespace
}  // namespace solway::emulator
