#include "runtime/pool.h"

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/cores.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

namespace solway::runtime {
namespace {

/// Runs a function of the thread's number on a team.
template <class Function>
std::int32_t run(int threads, Function function) {
  TeamLease lease(threads);
  const TeamTask task = [](void* context, std::int64_t thread, Team* team) -> std::int32_t {
    return (*static_cast<Function*>(context))(static_cast<int>(thread), team);
  };
  return lease.team()->run(lease.team(), task, &function);
}

TEST(TeamLease, OneThreadIsTheCallerAndMakesNoOther) {
  // In a process of its own: other tests of this one have made workers.
  const pid_t child = fork();
  if (child == 0) {
    const std::thread::id caller = std::this_thread::get_id();
    bool is_caller = false;
    run(1, [&](int, Team* team) {
      is_caller = std::this_thread::get_id() == caller && team->threads == 1;
      team->barrier(team);
      return 0;
    });
    _exit(is_caller && resident_workers() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(TeamLease, EachThreadRunsOnce) {
  for (const int threads : {1, 2, 3, 4, 7}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(threads));
    std::vector<std::thread::id> ids(static_cast<std::size_t>(threads));
    EXPECT_EQ(run(threads,
                  [&](int thread, Team* team) {
                    ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
                    ++runs[static_cast<std::size_t>(thread)];
                    return team->threads == threads ? 0 : 1;
                  }),
              0);
    for (const auto& count : runs) EXPECT_EQ(count, 1);
    EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(ids[0], std::this_thread::get_id());
  }
}

TEST(TeamLease, WorkersStay) {
  run(4, [](int, Team*) { return 0; });
  const int workers = resident_workers();
  EXPECT_GE(workers, 3);
  for (int k = 0; k < 100; ++k) run(4, [](int, Team*) { return 0; });
  EXPECT_EQ(resident_workers(), workers);
}

/// A sum in rounds: in each, all read what all wrote in the one before.
TEST(TeamLease, BarriersSeparateRounds) {
  for (const int threads : {2, 4}) {
    constexpr int kRounds = 300;
    std::vector<std::int64_t> now(static_cast<std::size_t>(threads), 1);
    std::vector<std::int64_t> next(now.size());
    run(threads, [&](int thread, Team* team) {
      for (int round = 0; round < kRounds; ++round) {
        const auto& from = round % 2 == 0 ? now : next;
        auto& to = round % 2 == 0 ? next : now;
        const std::int64_t sum = std::accumulate(from.begin(), from.end(), std::int64_t{0});
        to[static_cast<std::size_t>(thread)] = (sum + thread) % 1000003;
        team->barrier(team);
      }
      return 0;
    });
    std::vector<std::int64_t> expected(now.size(), 1);
    for (int round = 0; round < kRounds; ++round) {
      const std::int64_t sum = std::accumulate(expected.begin(), expected.end(), std::int64_t{0});
      for (int thread = 0; thread < threads; ++thread) {
        expected[static_cast<std::size_t>(thread)] = (sum + thread) % 1000003;
      }
    }
    EXPECT_EQ(now, expected);
  }
}

TEST(TeamLease, TheLowestFailureReachesTheCaller) {
  EXPECT_EQ(run(4, [](int thread, Team*) { return thread < 2 ? 0 : 10 + thread; }), 12);
  EXPECT_EQ(run(4, [](int, Team*) { return 0; }), 0);
}

TEST(TeamLease, WhatAWorkerThrowsReachesTheCaller) {
  const auto throwing = [](int thread, Team*) -> std::int32_t {
    if (thread != 0) throw std::runtime_error("thread " + std::to_string(thread));
    return 0;
  };
  try {
    run(3, throwing);
    FAIL() << "expected std::runtime_error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "thread 1");
  }
  EXPECT_EQ(run(3, [](int, Team*) { return 0; }), 0);
}

/// A quotient that is rounded: numbers of generated code are in the same registers.
double third() {
  volatile double one = 1;
  volatile double three = 3;
  return one / three;
}

TEST(TeamLease, WorkersRoundAsTheCallerDoes) {
  const int before = std::fegetround();
  std::set<double> expected;
  for (const int mode : {FE_UPWARD, FE_TONEAREST}) {
    std::fesetround(mode);
    expected.insert(third());
    std::vector<double> seen(3);
    run(3, [&](int thread, Team*) {
      seen[static_cast<std::size_t>(thread)] = third();
      return 0;
    });
    EXPECT_EQ(seen, std::vector<double>(3, third()));
    std::fesetround(before);
  }
  EXPECT_EQ(expected.size(), 2U);
}

/// The first team has all workers there are; the second one runs with those that it gets.
TEST(TeamLease, CallsAtTheSameTimeShareNoWorker) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&wrong] {
      for (int k = 0; k < 200; ++k) {
        std::atomic<int> arrived{0};
        std::atomic<std::int64_t> size{0};
        run(3, [&](int, Team* team) {
          ++arrived;
          team->barrier(team);
          if (arrived != team->threads) ++wrong;
          size = team->threads;
          return 0;
        });
        if (arrived != size) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(TeamLease, ATaskMayRunAnotherTeam) {
  std::atomic<int> runs{0};
  run(2, [&](int, Team*) {
    return run(2, [&](int, Team*) {
      ++runs;
      return 0;
    });
  });
  EXPECT_GE(runs, 2);
}

TEST(TeamLease, AForkedProcessMakesItsOwn) {
  run(3, [](int, Team*) { return 0; });
  const pid_t child = fork();
  if (child == 0) {
    if (resident_workers() != 0) _exit(2);
    std::atomic<int> runs{0};
    run(3, [&](int, Team*) {
      ++runs;
      return 0;
    });
    _exit(runs == 3 && resident_workers() >= 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(run(3, [](int, Team*) { return 0; }), 0);
}

/// Also after a team of more threads than cores, of which not all have one.
TEST(TeamLease, WorkersAreOnCoresOfTheirOwn) {
  run(default_threads() + 3, [](int, Team*) { return 0; });
  const int threads = default_threads();
  if (threads < 2) GTEST_SKIP() << "one core";
  std::vector<int> processors(static_cast<std::size_t>(threads), -1);
  run(threads, [&](int thread, Team*) {
    cpu_set_t mask;
    if (thread == 0 || pthread_getaffinity_np(pthread_self(), sizeof mask, &mask) != 0) return 0;
    if (CPU_COUNT(&mask) != 1) return 1;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) {
        processors[static_cast<std::size_t>(thread)] = cpu;
      }
    }
    return 0;
  });
  const std::set<int> used(processors.begin() + 1, processors.end());
  EXPECT_EQ(used.size(), processors.size() - 1);
  EXPECT_EQ(used.count(-1), 0U);
}

}  // namespace
}  // namespace solway::runtime
