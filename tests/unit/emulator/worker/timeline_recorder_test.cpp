#include "emulator/worker/timeline_recorder.h"

#include <random>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr std::int64_t kTicks = 12;  // of a cycle

TEST(TimelineRecorder, KeepsEverythingWhileItIsLittle) {
  TimelineRecorder recorder(2, kTicks);
  const int place = recorder.name("cpe.c:3");
  EXPECT_EQ(recorder.name("cpe.c:3"), place);
  recorder.issue(1, 7, false, place, 256, 10 * kTicks);
  recorder.wait(1, Stall::Transfer, 12 * kTicks, 30 * kTicks);
  recorder.complete(1, 7, 30 * kTicks);
  recorder.wait(1, Stall::Transfer, 31 * kTicks, 31 * kTicks);  // nothing
  recorder.run(1, recorder.name("work"), 5 * kTicks, 40 * kTicks);
  recorder.main_memory(1, 3 * kTicks);
  recorder.instructions(1, 2 * kTicks);
  const Timeline timeline = recorder.timeline();
  EXPECT_EQ(timeline.resolution, 0);
  ASSERT_EQ(timeline.waits.size(), 1U);
  EXPECT_EQ(timeline.waits[0].begin, 12);
  EXPECT_EQ(timeline.waits[0].end, 30);
  ASSERT_EQ(timeline.transfers.size(), 1U);
  EXPECT_EQ(timeline.transfers[0].issued, 10);
  EXPECT_EQ(timeline.transfers[0].completed, 30);
  EXPECT_EQ(timeline.names[static_cast<std::size_t>(timeline.transfers[0].name)], "cpe.c:3");
  EXPECT_EQ(timeline.cores[0].running, 0);
  EXPECT_EQ(timeline.cores[1].running, 35);
  EXPECT_EQ(timeline.cores[1].in_flight, 20);
  EXPECT_EQ(timeline.cores[1].get_bytes, 256);
  EXPECT_EQ(timeline.stalled(Stall::Transfer), 18);
  EXPECT_EQ(timeline.stalled(Stall::MainMemory), 3);
  EXPECT_EQ(timeline.stalled(Stall::Instructions), 2);
}

TEST(TimelineRecorder, TimeInFlightIsThatOfAnyRequest) {
  TimelineRecorder recorder(1, 1);
  recorder.issue(0, 1, false, recorder.name("a"), 8, 0);
  recorder.issue(0, 2, true, recorder.name("b"), 8, 40);
  recorder.complete(0, 1, 50);
  recorder.complete(0, 2, 70);
  recorder.issue(0, 3, true, recorder.name("b"), 8, 100);
  recorder.complete(0, 3, 110);
  EXPECT_EQ(recorder.timeline().cores[0].in_flight, 80);
  EXPECT_EQ(recorder.timeline().cores[0].put_bytes, 16);
}

TEST(TimelineRecorder, LevelsAreNotedWhenTheyChange) {
  TimelineRecorder recorder(1, 1);
  recorder.ldm(0, 100, 5);
  recorder.ldm(0, 100, 6);
  recorder.ldm(0, 300, 7);
  recorder.ldm(0, 100, 9);
  const Timeline timeline = recorder.timeline();
  EXPECT_EQ(timeline.levels.size(), 3U);
  EXPECT_EQ(timeline.cores[0].ldm_peak_bytes, 300);
}

TEST(TimelineRecorder, SumsStayExactHoweverCoarseItGets) {
  constexpr std::size_t kLimit = 500;
  TimelineRecorder recorder(4, kTicks, kLimit);
  std::mt19937 random(1);
  std::int64_t now[4] = {};
  std::int64_t waited = 0;
  std::int64_t bytes = 0;
  for (std::uint64_t request = 1; request <= 20'000; ++request) {
    const int core = static_cast<int>(random() % 4);
    const std::int64_t begin = now[core] + static_cast<std::int64_t>(random() % 600);
    const std::int64_t end = begin + static_cast<std::int64_t>(random() % 300);
    const auto stall = random() % 2 == 0 ? Stall::Message : Stall::Transfer;
    recorder.issue(core, request, random() % 2 == 0, recorder.name("cpe.c:1"), 64, begin);
    recorder.wait(core, stall, begin, end);
    recorder.complete(core, request, end);
    recorder.ldm(core, static_cast<std::int64_t>(request), end);
    recorder.run(core, recorder.name("work"), now[core], end);
    waited += end - begin;
    bytes += 64;
    now[core] = end;
  }
  const Timeline timeline = recorder.timeline();
  EXPECT_GT(timeline.resolution, 0);
  EXPECT_LE(timeline.runs.size() + timeline.waits.size() + timeline.transfers.size() +
                timeline.levels.size(),
            kLimit);
  const std::int64_t sum = timeline.stalled(Stall::Message) + timeline.stalled(Stall::Transfer);
  EXPECT_LE(sum, waited / kTicks);
  EXPECT_GE(sum, waited / kTicks - 8);  // each core and kind is rounded down
  std::int64_t moved = 0;
  std::int64_t requests = 0;
  for (const TimelineTransfer& transfer : timeline.transfers) {
    moved += transfer.bytes;
    requests += transfer.requests;
    EXPECT_LE(transfer.issued, transfer.completed);
  }
  EXPECT_EQ(moved, bytes);
  EXPECT_EQ(requests, 20'000);
  EXPECT_LT(timeline.resolution, now[0] / kTicks / 10);  // no coarser than it has to be
  int shorter = 0;
  for (const TimelineWait& wait : timeline.waits) {
    if (wait.end - wait.begin < timeline.resolution - 1) ++shorter;
    EXPECT_LE(wait.waited, wait.end - wait.begin);
    EXPECT_GT(wait.waited, 0);
  }
  EXPECT_LE(shorter, 4);  // the last of each core might still be joined
  std::int64_t last[4] = {};
  for (const TimelineWait& wait : timeline.waits) {  // those of a core do not overlap
    EXPECT_GE(wait.begin, last[wait.core]);
    last[wait.core] = wait.end;
  }
}

TEST(TimelineRecorder, ShortWaitsNearEachOtherBecomeOne) {
  TimelineRecorder recorder(1, 1, 100);
  for (std::int64_t k = 0; k < 101; ++k) recorder.wait(0, Stall::Message, 10 * k, 10 * k + 4);
  const Timeline timeline = recorder.timeline();
  EXPECT_EQ(timeline.resolution, 16);
  ASSERT_EQ(timeline.waits.size(), 1U);
  EXPECT_EQ(timeline.waits[0].begin, 0);
  EXPECT_EQ(timeline.waits[0].end, 1004);
  EXPECT_EQ(timeline.waits[0].waited, 404);
}

TEST(TimelineRecorder, WaitsForOtherThingsStayApart) {
  TimelineRecorder recorder(1, 1, 100);
  for (std::int64_t k = 0; k < 101; ++k) recorder.wait(0, Stall::Message, 10 * k, 10 * k + 4);
  recorder.wait(0, Stall::Barrier, 1010, 1040);
  recorder.wait(0, Stall::Transfer, 1042, 1090);
  recorder.wait(0, Stall::Transfer, 1095, 1100);
  const Timeline timeline = recorder.timeline();
  ASSERT_EQ(timeline.waits.size(), 3U);
  EXPECT_EQ(timeline.waits[1].stall, Stall::Barrier);
  EXPECT_EQ(timeline.waits[1].end, 1040);
  EXPECT_EQ(timeline.waits[2].stall, Stall::Transfer);
  EXPECT_EQ(timeline.waits[2].end, 1100);
  EXPECT_EQ(timeline.waits[2].waited, 53);
}

TEST(TimelineRecorder, CoresCanBeAdded) {
  TimelineRecorder recorder(1, 1);
  recorder.require_cores(3);
  recorder.require_cores(2);
  recorder.wait(2, Stall::Barrier, 0, 100);
  const Timeline timeline = recorder.timeline();
  ASSERT_EQ(timeline.cores.size(), 3U);
  EXPECT_EQ(timeline.cores[2].stalled[static_cast<std::size_t>(Stall::Barrier)], 100);
}

}  // namespace
}  // namespace solway::emulator
