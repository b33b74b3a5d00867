#include "emulator/worker/ldm_order.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr Site kUse{"cpe.c", "work", 7, 1};
constexpr Site kTransfer{"cpe.c", "work", 5, 1};

/// Four CPEs with 64 bytes of LDM each.
class LdmOrderTest : public ::testing::Test {
 protected:
  LdmOrderTest() {
    for (unsigned i = 0; i < 4; ++i) clocks_[i].advance(i);
  }

  auto use(unsigned cpe, std::uint64_t offset, std::uint64_t bytes) {
    return order_.use(cpe, offset, bytes, &kUse, clocks_[cpe]);
  }
  /// `issuer` writes [offset, offset + bytes) of `cpe`.
  auto write(unsigned issuer, unsigned cpe, std::uint64_t offset, std::uint64_t bytes) {
    number_ = order_.begin({issuer, SharedKind::Broadcast, 0, &kTransfer});
    return order_.write(number_, cpe, offset, bytes, clocks_[issuer]);
  }
  void wait(unsigned issuer) { order_.finish(number_, clocks_[issuer][issuer]); }
  void meet(unsigned a, unsigned b) {
    clocks_[a].join(clocks_[b]);
    clocks_[b] = clocks_[a];
    clocks_[a].advance(a);
    clocks_[b].advance(b);
  }

  LdmOrder order_{4, 64};
  VectorClock clocks_[4];
  LdmOrder::Number number_ = 0;
};

TEST_F(LdmOrderTest, UseComesAfterTheWaitAndTheBarrier) {
  EXPECT_FALSE(write(0, 1, 8, 16));
  const auto early = use(1, 0, 64);
  ASSERT_TRUE(early);
  EXPECT_EQ(early->offset, 8U);
  EXPECT_EQ(early->use, &kUse);
  EXPECT_EQ(early->write.site, &kTransfer);
  EXPECT_FALSE(early->other);
  meet(0, 1);
  EXPECT_TRUE(use(1, 8, 4)) << "they met before the wait";
  wait(0);
  EXPECT_TRUE(use(1, 8, 4)) << "they did not meet after it";
  meet(0, 1);
  EXPECT_FALSE(use(1, 0, 64));
}

TEST(LdmOrder, CpesOfAnotherGroupHaveOtherThreads) {
  constexpr unsigned kFirst = cpe_thread(2, 0);
  LdmOrder order(4, 64, kFirst);
  VectorClock owner;
  VectorClock issuer;
  owner.advance(kFirst + 1);
  issuer.advance(kFirst);
  EXPECT_FALSE(order.use(1, 0, 4, &kUse, owner));
  const auto number = order.begin({kFirst, SharedKind::Broadcast, 0, &kTransfer});
  EXPECT_TRUE(order.write(number, 1, 0, 4, issuer));
  issuer.join(owner);
  EXPECT_FALSE(order.write(number, 1, 0, 4, issuer));
}

TEST_F(LdmOrderTest, UseComesBeforeAWriteThatKnowsOfIt) {
  EXPECT_FALSE(use(1, 0, 4));
  const auto conflict = write(0, 1, 0, 8);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->use, &kUse);
  meet(0, 1);
  EXPECT_FALSE(write(0, 1, 0, 8));
}

TEST_F(LdmOrderTest, WordsThatNobodyElseWritesAreFree) {
  EXPECT_FALSE(write(0, 1, 8, 8));
  EXPECT_FALSE(use(1, 0, 8));
  EXPECT_FALSE(use(1, 16, 48));
  EXPECT_FALSE(use(2, 0, 64)) << "another CPE's LDM";
  EXPECT_TRUE(use(1, 14, 4)) << "two bytes of a word";
}

TEST_F(LdmOrderTest, OrderGoesThroughOthers) {
  EXPECT_FALSE(write(0, 1, 0, 8));
  wait(0);
  meet(0, 2);
  meet(2, 1);
  EXPECT_FALSE(use(1, 0, 8));
}

TEST_F(LdmOrderTest, TwoWritersNeedOrderToo) {
  EXPECT_FALSE(write(0, 1, 0, 8));
  wait(0);
  const auto conflict = write(2, 1, 4, 8);
  ASSERT_TRUE(conflict);
  ASSERT_TRUE(conflict->other);
  EXPECT_EQ(conflict->other->issuer, 0U);
  EXPECT_EQ(conflict->write.issuer, 2U);
  EXPECT_EQ(conflict->offset, 4U);
}

TEST_F(LdmOrderTest, OneWriterFollowsItself) {
  EXPECT_FALSE(write(0, 1, 0, 8));
  wait(0);
  EXPECT_FALSE(write(0, 1, 0, 8));
}

TEST_F(LdmOrderTest, UseComesAfterAnAcknowledgement) {
  number_ = order_.begin({0, SharedKind::Copy, 0, &kTransfer});
  EXPECT_FALSE(order_.write(number_, 1, 8, 8, clocks_[0]));
  order_.acknowledge(number_, 1, 8, 8, clocks_[1]);
  EXPECT_FALSE(use(1, 8, 8));
  EXPECT_TRUE(write(0, 1, 8, 4)) << "the next one does not know that the first was used";
  meet(0, 1);
  EXPECT_FALSE(write(0, 1, 12, 4));
}

TEST_F(LdmOrderTest, CountersMayRiseAndBePolledMeanwhile) {
  const auto count = [&](unsigned issuer) {
    number_ = order_.begin({issuer, SharedKind::Counter, 0, &kTransfer});
    return order_.write(number_, 1, 16, 4, clocks_[issuer]);
  };
  const auto poll = [&] { return order_.use(1, 16, 4, &kUse, clocks_[1], LdmUse::Poll); };
  const auto store = [&] { return order_.use(1, 16, 4, &kUse, clocks_[1], LdmUse::Store); };
  EXPECT_FALSE(poll());
  EXPECT_FALSE(count(0));
  EXPECT_FALSE(poll());
  EXPECT_FALSE(count(2)) << "several count in it";
  EXPECT_TRUE(store()) << "it may be set back before it has risen";
  order_.acknowledge(number_, 1, 16, 4, clocks_[1]);
  EXPECT_FALSE(count(3)) << "who has learnt of one copy may still wait for others";
  order_.acknowledge(number_, 1, 16, 4, clocks_[1]);
  EXPECT_FALSE(store());
  EXPECT_TRUE(count(0)) << "the store may come after it";
}

TEST_F(LdmOrderTest, GetsDoNotMindLoads) {
  const auto get = [&](unsigned issuer) {
    number_ = order_.begin({issuer, SharedKind::Read, 0, &kTransfer});
    return order_.read(number_, 1, 0, 8, clocks_[issuer]);
  };
  EXPECT_FALSE(use(1, 0, 8));
  EXPECT_FALSE(get(0));
  EXPECT_FALSE(get(2)) << "nor each other";
  EXPECT_FALSE(order_.use(1, 4, 4, &kUse, clocks_[1], LdmUse::Store));
  const auto conflict = get(0);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->offset, 4U);
  meet(0, 1);
  EXPECT_FALSE(get(0));
  EXPECT_FALSE(write(2, 1, 32, 4));
  number_ = order_.begin({0, SharedKind::Read, 0, &kTransfer});
  EXPECT_TRUE(order_.read(number_, 1, 32, 4, clocks_[0])) << "another copy may come into it";
}

}  // namespace
}  // namespace solway::emulator
