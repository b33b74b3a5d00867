#include "emulator/worker/dma_queue.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr double kStartup = 200;

/// "request@cycle", in the order of completion, up to `cycle`.
std::vector<std::string> done(DmaQueue& queue, double cycle) {
  std::vector<std::string> out;
  for (const DmaCompletion& one : queue.advance(cycle)) {
    out.push_back(std::to_string(one.request) + "@" +
                  std::to_string(static_cast<int>(one.cycle + 0.5)));
  }
  return out;
}

using Done = std::vector<std::string>;

TEST(DmaQueue, OneRequestTakesItsStartAndItsTimeOnABus) {
  DmaQueue queue(64, 4);
  queue.issue(0, 0, 1, 1000, {kStartup, 100});
  EXPECT_EQ(queue.next_completion(), 1600);  // a bus is a quarter of the engine
  EXPECT_EQ(queue.pending(0), 1);
  EXPECT_EQ(done(queue, 1599), Done());
  EXPECT_EQ(done(queue, 1600), Done({"1@1600"}));
  EXPECT_EQ(queue.pending(0), 0);
  EXPECT_EQ(queue.next_completion(), std::nullopt);
}

TEST(DmaQueue, CpesOfABusShareIt) {
  DmaQueue queue(64, 4);
  queue.issue(0, 0, 1, 0, {kStartup, 100});
  queue.issue(1, 0, 2, 0, {kStartup, 50});
  queue.issue(16, 1, 3, 0, {kStartup, 100});
  // Half a bus each until the shorter one is done, 400 cycles later; then a whole one.
  EXPECT_EQ(done(queue, 1e6), Done({"2@600", "3@600", "1@800"}));
}

TEST(DmaQueue, AllTogetherHaveTheThroughputOfTheEngine) {
  DmaQueue queue(64, 4);
  for (int cpe = 0; cpe < 64; ++cpe) {
    queue.issue(cpe, cpe / 16, static_cast<std::uint64_t>(cpe), 0, {kStartup, 10});
  }
  EXPECT_NEAR(*queue.next_completion(), kStartup + 640, 1e-6);
  EXPECT_EQ(queue.advance(kStartup + 640.001).size(), 64U);
}

TEST(DmaQueue, ALateRequestSlowsTheOthersDown) {
  DmaQueue queue(64, 4);
  queue.issue(0, 0, 1, 0, {kStartup, 100});  // from 200 on, 400 cycles alone
  EXPECT_EQ(done(queue, 100), Done());
  queue.issue(1, 0, 2, 100, {kStartup, 100});  // from 300 on
  // 100 alone, then 300 more at half the speed.
  EXPECT_EQ(queue.next_completion(), 900);
  EXPECT_EQ(done(queue, 1e6), Done({"1@900", "2@1000"}));
}

TEST(DmaQueue, RequestsOfOneCpeFollowEachOther) {
  DmaQueue queue(64, 4);
  queue.issue(0, 0, 1, 0, {kStartup, 50});
  queue.issue(0, 0, 2, 10, {kStartup, 25});
  queue.issue(0, 0, 3, 20, {kStartup, 25});
  EXPECT_EQ(queue.pending(0), 3);
  // Only the first one's start is seen: the others start while it is served.
  EXPECT_EQ(done(queue, 1e6), Done({"1@400", "2@500", "3@600"}));
}

TEST(DmaQueue, TimeMayGoOnInSmallSteps) {
  const auto ask = [](DmaQueue& queue) {
    for (int cpe = 0; cpe < 16; ++cpe) {
      queue.issue(cpe, 0, static_cast<std::uint64_t>(cpe), 0, {kStartup, 3.0 + cpe});
    }
  };
  DmaQueue steps(64, 4);
  DmaQueue whole(64, 4);
  ask(steps);
  ask(whole);
  Done in_steps;
  for (double cycle = 0; cycle < 2000; cycle += 7) {
    for (const std::string& one : done(steps, cycle)) in_steps.push_back(one);
  }
  EXPECT_EQ(in_steps, done(whole, 2000));
}

}  // namespace
}  // namespace solway::emulator
