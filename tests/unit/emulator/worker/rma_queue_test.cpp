#include "emulator/worker/rma_queue.h"

#include <string>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

/// A mesh of 8 x 8 cores, four of which are a cluster; ten bytes per cycle.
RemoteCopyTiming timing() {
  RemoteCopyTiming out;
  out.cluster_rows = out.cluster_columns = 2;
  out.latency_cycles = 100;
  out.hop_cycles = 4;
  out.reply_cycles = 90;
  out.interval_cycles = 50;
  out.request_cycles = 20;
  out.bytes_per_cycle = 10;
  return out;
}

std::uint64_t only(int cpe) { return std::uint64_t{1} << cpe; }

/// "copy>core@cycle" where bytes are there, "copy<core@cycle" for a reply.
std::vector<std::string> arrivals(RmaQueue& queue) {
  std::vector<std::string> out;
  for (const RmaArrival& one : queue.advance(1e9)) {
    out.push_back(std::to_string(one.copy) + (one.is_reply ? "<" : ">") + std::to_string(one.cpe) +
                  "@" + std::to_string(static_cast<int>(one.cycle + 0.5)));
  }
  return out;
}

using Arrivals = std::vector<std::string>;

TEST(RmaQueue, APutArrivesAndIsAnswered) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(7, {false, 0, only(1), 200}, 1000);
  EXPECT_EQ(queue.next_arrival(), 1110);
  EXPECT_TRUE(queue.advance(1109).empty());
  EXPECT_EQ(arrivals(queue), Arrivals({"7<0@1110", "7>1@1120"}));
  EXPECT_EQ(queue.next_arrival(), std::nullopt);
}

TEST(RmaQueue, DistanceCountsInClusters) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {false, 0, only(9), 0}, 0);    // one down and one along, the same cluster
  queue.issue(2, {false, 4, only(0), 0}, 0);    // two clusters along
  queue.issue(3, {false, 48, only(63), 0}, 0);  // three along, the same row of clusters
  queue.issue(4, {false, 7, only(56), 0}, 0);   // from corner to corner
  const auto found = arrivals(queue);
  EXPECT_EQ(found, Arrivals({"1<0@90", "2<4@90", "3<48@90", "4<7@90", "1>9@100", "2>0@108",
                             "3>63@112", "4>56@124"}));
}

TEST(RmaQueue, ACoreIssuesOneAfterTheOther) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {false, 0, only(1), 0}, 1000);
  EXPECT_EQ(queue.next_issue(0), 1050);
  EXPECT_EQ(queue.next_issue(1), 0);
}

TEST(RmaQueue, AClusterSharesItsEngine) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {false, 0, only(8), 1000}, 0);  // 100 cycles of the engine
  queue.issue(2, {false, 1, only(9), 10}, 0);
  queue.issue(3, {false, 2, only(3), 10}, 0);  // of another cluster
  EXPECT_EQ(arrivals(queue),
            Arrivals({"3<2@91", "3>3@101", "1<0@190", "2<1@191", "1>8@200", "2>9@201"}));
}

TEST(RmaQueue, WhatACoreReceivesComesOneAfterTheOther) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {false, 2, only(0), 1000}, 0);
  queue.issue(2, {false, 4, only(0), 1000}, 0);
  // The second one's bytes wait for the first one's, and so does its reply.
  EXPECT_EQ(arrivals(queue), Arrivals({"1<2@190", "1>0@204", "2<4@286", "2>0@304"}));
}

TEST(RmaQueue, ABroadcastUsesItsEngineOnce) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {false, 0, only(0) | only(1) | only(2), 500}, 0);
  queue.issue(2, {false, 1, only(0), 0}, 0);
  EXPECT_EQ(arrivals(queue),
            Arrivals({"1<0@140", "2<1@140", "1>0@150", "1>1@150", "2>0@150", "1>2@154"}));
}

TEST(RmaQueue, AGetGoesThereAndBack) {
  RmaQueue queue(timing(), 8, 8);
  queue.issue(1, {true, 0, only(2), 200}, 0);
  EXPECT_EQ(arrivals(queue), Arrivals({"1>2@124", "1<0@214"}));
}

}  // namespace
}  // namespace solway::emulator
