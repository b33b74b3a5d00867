#include "runtime/library_team.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/team.h"

#include <sys/wait.h>
#include <unistd.h>

namespace solway::runtime {
namespace {

// Generated code knows one record.
static_assert(sizeof(LibraryTeam) == sizeof(Team));
static_assert(offsetof(LibraryTeam, threads) == offsetof(Team, threads));
static_assert(offsetof(LibraryTeam, run) == offsetof(Team, run));
static_assert(offsetof(LibraryTeam, barrier) == offsetof(Team, barrier));

/// What a test gives each thread to do.
template <class Function>
struct Work {
  Function* function = nullptr;

  static std::int32_t on_thread(void* context, std::int64_t thread, LibraryTeam* team) {
    return (*static_cast<Work*>(context)->function)(thread, team);
  }
  static std::int32_t entry(void** arguments, LibraryTeam* team) {
    return team->run(team, on_thread, arguments[0]);
  }
};

/// Calls a function of (thread, team) on each thread; as many as set_threads() or the environment
/// says.
template <class Function>
std::int32_t call(Function function) {
  Work<Function> work{&function};
  void* arguments[] = {&work};
  return solway_library_call(Work<Function>::entry, arguments);
}

template <class Function>
std::int32_t call_on(int threads, Function function) {
  solway_library_set_threads(threads);
  const std::int32_t status = call(function);
  solway_library_set_threads(0);
  return status;
}

TEST(LibraryTeam, EachThreadRunsOnce) {
  for (const int threads : {1, 2, 3, 7, 2, 5, 1}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(threads));
    std::vector<std::thread::id> ids(static_cast<std::size_t>(threads));
    EXPECT_EQ(call_on(threads,
                      [&](std::int64_t thread, LibraryTeam* team) {
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

TEST(LibraryTeam, ManyCallsOfChangingSizes) {
  std::int64_t sum = 0;
  std::int64_t expected = 0;
  for (int k = 0; k < 2000; ++k) {
    const int threads = 1 + k * 7 % 5;
    std::atomic<std::int64_t> part = 0;
    call_on(threads, [&](std::int64_t thread, LibraryTeam*) {
      part += thread + k;
      return 0;
    });
    sum += part;
    for (int thread = 0; thread < threads; ++thread) expected += thread + k;
  }
  EXPECT_EQ(sum, expected);
}

/// In each round all read what all wrote in the one before.
TEST(LibraryTeam, BarriersSeparateRounds) {
  constexpr std::int64_t kRounds = 300;
  for (const int threads : {2, 4}) {
    std::vector<std::int64_t> present(static_cast<std::size_t>(threads), 1);
    std::vector<std::int64_t> next(present.size());
    call_on(threads, [&](std::int64_t thread, LibraryTeam* team) {
      const auto own = static_cast<std::size_t>(thread);
      for (std::int64_t round = 0; round < kRounds; ++round) {
        std::int64_t sum = thread;
        for (const std::int64_t value : present) sum += value;
        next[own] = sum % 1000003;
        team->barrier(team);
        present[own] = next[own];
        team->barrier(team);
      }
      return 0;
    });
    std::vector<std::int64_t> alone(present.size(), 1);
    for (std::int64_t round = 0; round < kRounds; ++round) {
      std::int64_t sum = 0;
      for (const std::int64_t value : alone) sum += value;
      for (std::size_t thread = 0; thread < alone.size(); ++thread) {
        alone[thread] = (sum + static_cast<std::int64_t>(thread)) % 1000003;
      }
    }
    EXPECT_EQ(present, alone);
  }
}

TEST(LibraryTeam, ReturnsTheStatusOfTheLowestThreadThatHasOne) {
  EXPECT_EQ(
      call_on(4, [](std::int64_t thread,
                    LibraryTeam*) { return thread >= 2 ? 10 * static_cast<int>(thread) : 0; }),
      20);
  EXPECT_EQ(call_on(4, [](std::int64_t thread, LibraryTeam*) { return thread == 0 ? 7 : 9; }), 7);
  EXPECT_EQ(call_on(4, [](std::int64_t, LibraryTeam*) { return 0; }), 0);
}

TEST(LibraryTeam, CallsAtTheSameTimeAreAllDone) {
  constexpr int kCallers = 4;
  constexpr int kCalls = 300;
  solway_library_set_threads(3);
  std::vector<std::int64_t> done(kCallers);
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&, caller] {
      for (int k = 0; k < kCalls; ++k) {
        // As kernels do: a loop in as many parts as the team has threads.
        std::atomic<std::int64_t> sum = 0;
        call([&](std::int64_t thread, LibraryTeam* team) {
          for (std::int64_t i = thread; i < 10; i += team->threads) sum += i;
          team->barrier(team);
          return 0;
        });
        done[caller] += sum;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  solway_library_set_threads(0);
  for (const std::int64_t sum : done) EXPECT_EQ(sum, 45 * kCalls);
}

TEST(LibraryTeam, TheEnvironmentSaysHowManyThreads) {
  const char* const before = std::getenv("SOLWAY_THREADS");
  const std::string kept = before == nullptr ? "" : before;
  std::int64_t seen = 0;
  const auto look = [&](std::int64_t thread, LibraryTeam* team) {
    if (thread == 0) seen = team->threads;
    return 0;
  };
  setenv("SOLWAY_THREADS", "3", 1);
  call(look);
  EXPECT_EQ(seen, 3);
  call_on(2, look);  // the call's own number comes first
  EXPECT_EQ(seen, 2);
  unsetenv("SOLWAY_THREADS");
  call(look);
  const std::int64_t unsaid = seen;
  EXPECT_GE(unsaid, 1);
  for (const char* const no_number : {"", "two", "3 ", "-3", "1025", "99999999999999999999"}) {
    setenv("SOLWAY_THREADS", no_number, 1);
    call(look);
    EXPECT_EQ(seen, unsaid) << no_number;
  }
  if (before == nullptr) {
    unsetenv("SOLWAY_THREADS");
  } else {
    setenv("SOLWAY_THREADS", kept.c_str(), 1);
  }
}

TEST(LibraryTeam, NumbersOutOfRangeAreNone) {
  setenv("SOLWAY_THREADS", "2", 1);
  for (const int threads : {-1, 0, 1025}) {
    std::int64_t seen = 0;
    call_on(threads, [&](std::int64_t thread, LibraryTeam* team) {
      if (thread == 0) seen = team->threads;
      return 0;
    });
    EXPECT_EQ(seen, 2) << threads;
  }
  unsetenv("SOLWAY_THREADS");
}

TEST(LibraryTeam, AChildHasThreadsOfItsOwn) {
  std::atomic<int> ran = 0;
  const auto count = [&](std::int64_t, LibraryTeam*) {
    ++ran;
    return 0;
  };
  call_on(3, count);
  // Also of a call that is in flight.
  pid_t child = 0;
  call_on(3, [&](std::int64_t thread, LibraryTeam* team) {
    if (thread == 0) child = fork();
    if (thread == 0 && child == 0) {
      ran = 0;
      call_on(3, count);
      _exit(ran == 3 ? 0 : 1);
    }
    team->barrier(team);
    return 0;
  });
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace solway::runtime
