#include "lowering/ir/stmt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::ir {
namespace {

Stmt store(std::int64_t at) {
  static const Buffer kBuffer = make_buffer("A", DType::Float32, {8});
  return Store::make(kBuffer, {IntImm::make(at)}, FloatImm::make(0, DType::Float32));
}

TEST(Stmt, BlockFlattensAndUnwraps) {
  const Stmt one = store(0);
  EXPECT_TRUE(Block::make({one}).same_as(one));
  const Stmt nested = Block::make({one, Block::make({store(1), store(2)}), Block::make({})});
  EXPECT_EQ(nested.as<Block>().stmts.size(), 3U);
}

TEST(Stmt, ErrorsCarryTheLine) {
  try {
    For::make("i", {}, IntImm::make(1), ForKind::Serial, store(0), {"user.py", 7, "x"});
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_THAT(e.report().why, ::testing::HasSubstr("begin is undefined"));
  }
}

TEST(Stmt, StoreChecksTypeAndRank) {
  const Buffer a = make_buffer("A", DType::Float32, {8});
  EXPECT_THROW(Store::make(a, {IntImm::make(0)}, IntImm::make(0)), InternalError);
  EXPECT_THROW(Store::make(a, {}, FloatImm::make(0, DType::Float32)), InternalError);
}

TEST(Stmt, TransferChecksSidesAndSlots) {
  const Buffer a = make_buffer("A", DType::Float32, {8});
  const Buffer near = make_buffer("AA", DType::Float32, {8}, "ldm");
  const Buffer wrong = make_buffer("W", DType::Float64, {8}, "ldm");
  TransferIssue::Fields f;
  f.id = "AA";
  f.main = a;
  f.main_index = {IntImm::make(0)};
  f.near = near;
  f.near_index = {IntImm::make(0)};
  EXPECT_TRUE(TransferIssue::make(f).defined());
  f.num_slots = 2;
  EXPECT_THROW(TransferIssue::make(f), InternalError);
  f.num_slots = 1;
  f.near = wrong;
  EXPECT_THROW(TransferIssue::make(f), InternalError);
}

}  // namespace
}  // namespace solway::ir
