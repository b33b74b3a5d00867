#include "emulator/worker/main_shadow.h"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr std::uint64_t kLo = 0x2000;

const Site kHere{"a.c", "f", 1, 0};
const Site kThere{"a.c", "f", 2, 0};

/// One array, threads with their clocks, and what the machine tells the shadow.
class Machine {
 public:
  explicit Machine(unsigned threads) : clocks_(threads), cells_(64) {
    for (unsigned i = 0; i < threads; ++i) clocks_[i].advance(i);
  }

  std::optional<MainConflict> access(unsigned thread, std::uint64_t at, std::uint64_t bytes,
                                     bool write, const Site* site = &kHere) {
    return shadow_.access(cell(at), kLo + at, bytes,
                          {thread, clocks_[thread][thread], write, false, site}, clocks_[thread]);
  }
  std::optional<MainConflict> issue(unsigned thread, std::uint64_t at, std::uint64_t bytes,
                                    bool write) {
    return shadow_.access(cell(at), kLo + at, bytes, {thread, kUnfinished, write, true, &kHere},
                          clocks_[thread]);
  }
  void wait(unsigned thread, std::uint64_t at, std::uint64_t bytes, bool write) {
    shadow_.finish(cell(at), kLo + at, bytes,
                   {thread, clocks_[thread][thread], write, true, &kHere});
  }
  void meet(const std::vector<unsigned>& threads) {
    VectorClock all;
    for (const unsigned thread : threads) all.join(clocks_[thread]);
    for (const unsigned thread : threads) {
      clocks_[thread] = all;
      clocks_[thread].advance(thread);
    }
  }

 private:
  MainCell* cell(std::uint64_t at) { return cells_.data() + (at >> 2); }

  MainShadow shadow_;
  std::vector<VectorClock> clocks_;
  std::vector<MainCell> cells_;
};

TEST(MainShadow, CountsCells) {
  EXPECT_EQ(MainShadow::cell_count(0, 0), 0U);
  EXPECT_EQ(MainShadow::cell_count(3, 2), 2U);
  EXPECT_EQ(MainShadow::cell_count(4, 4), 1U);
}

TEST(MainShadow, FindsAWriteBesideARead) {
  Machine machine(2);
  EXPECT_FALSE(machine.access(0, 8, 4, true));
  const auto conflict = machine.access(1, 8, 4, false, &kThere);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->other.thread, 0U);
  EXPECT_TRUE(conflict->other.write);
  EXPECT_EQ(conflict->other.site, &kHere);
  EXPECT_EQ(conflict->address, kLo + 8);
  EXPECT_EQ(conflict->bytes, 4U);
}

TEST(MainShadow, KnowsTheReadersOfOtherGroups) {
  const unsigned far = cpe_thread(5, 63);
  Machine machine(far + 1);
  for (const unsigned thread : {3U, 7U, far}) EXPECT_FALSE(machine.access(thread, 8, 4, false));
  machine.meet({3, 7, 9});
  const auto conflict = machine.access(9, 8, 4, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->other.thread, far);
  machine.meet({9, far});
  EXPECT_FALSE(machine.access(9, 8, 4, true));
  const auto after = machine.access(far, 8, 4, false);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->other.thread, 9U);
}

TEST(MainShadow, ABarrierOrdersThoseWhoMeet) {
  Machine machine(3);
  EXPECT_FALSE(machine.access(0, 8, 4, true));
  machine.meet({0, 1});
  EXPECT_FALSE(machine.access(1, 8, 4, true));
  EXPECT_TRUE(machine.access(2, 8, 4, false));
}

TEST(MainShadow, EveryReaderCounts) {
  Machine machine(4);
  for (const unsigned thread : {0, 1, 2}) EXPECT_FALSE(machine.access(thread, 0, 4, false));
  machine.meet({0, 2, 3});
  const auto conflict = machine.access(3, 0, 4, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->other.thread, 1U);
}

TEST(MainShadow, BytesCountNotWords) {
  Machine machine(4);
  for (const unsigned thread : {0, 1, 2, 3}) EXPECT_FALSE(machine.access(thread, thread, 1, true));
  for (const unsigned thread : {0, 1, 2, 3}) EXPECT_FALSE(machine.access(thread, thread, 1, false));
  const auto conflict = machine.access(1, 2, 1, false);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, kLo + 2);
  EXPECT_EQ(conflict->bytes, 1U);
  EXPECT_TRUE(machine.access(0, 0, 4, false));
}

TEST(MainShadow, ATransferGoesOnUntilItIsWaitedFor) {
  Machine machine(2);
  EXPECT_FALSE(machine.issue(0, 0, 16, true));
  EXPECT_TRUE(machine.access(0, 4, 4, false)) << "its own thread does not come after it";
  EXPECT_TRUE(machine.issue(0, 12, 8, false));
  machine.meet({0, 1});
  EXPECT_TRUE(machine.access(1, 8, 4, false));
  machine.wait(0, 0, 16, true);
  EXPECT_FALSE(machine.access(0, 4, 4, false));
  EXPECT_TRUE(machine.access(1, 8, 4, false));
  machine.meet({0, 1});
  EXPECT_FALSE(machine.access(1, 8, 4, false));
}

/// Random accesses against a shadow that keeps every access of every byte.
TEST(MainShadow, AgreesWithTheListOfAllAccesses) {
  constexpr unsigned kThreadCount = 3;
  struct Past {
    unsigned thread;
    unsigned index;
    bool write;
  };
  int conflicts = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Machine machine(kThreadCount);
    std::map<std::uint64_t, std::vector<Past>> past;
    // before[t][u]: how many steps of u thread t comes after.
    std::array<std::array<unsigned, kThreadCount>, kThreadCount> before{};
    std::array<unsigned, kThreadCount> steps{};
    for (int i = 0; i < 40; ++i) {
      const unsigned thread = draw(kThreadCount);
      if (draw(6) == 0) {
        const unsigned other = (thread + 1 + draw(kThreadCount - 1)) % kThreadCount;
        machine.meet({thread, other});
        before[thread][thread] = steps[thread];
        before[other][other] = steps[other];
        for (unsigned u = 0; u < kThreadCount; ++u) {
          before[thread][u] = before[other][u] = std::max(before[thread][u], before[other][u]);
        }
        continue;
      }
      constexpr std::uint64_t kSizes[] = {1, 2, 4, 4, 8};
      const std::uint64_t bytes = kSizes[draw(5)];
      const std::uint64_t at = draw(12);
      const bool write = draw(3) == 0;
      bool expected = false;
      for (std::uint64_t b = at; b < at + bytes; ++b) {
        for (const Past& p : past[b]) {
          const bool ordered = p.thread == thread || p.index <= before[thread][p.thread];
          expected = expected || (!ordered && (p.write || write));
        }
      }
      const bool found = machine.access(thread, at, bytes, write).has_value();
      ASSERT_EQ(found, expected) << "seed " << seed << ", access " << i;
      if (found) {
        ++conflicts;
        break;  // the first fault ends a run
      }
      ++steps[thread];
      for (std::uint64_t b = at; b < at + bytes; ++b) {
        past[b].push_back({thread, steps[thread], write});
      }
    }
  }
  EXPECT_GT(conflicts, 500);
}

}  // namespace
}  // namespace solway::emulator
