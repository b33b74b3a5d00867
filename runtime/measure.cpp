#include "runtime/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "runtime/pool.h"

namespace solway::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// Reading the clock takes half as long as a barrier: so many are timed together.
constexpr int kTogether = 16;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Times times_of(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return {all.front(), all[all.size() / 2]};
}

struct Barriers {
  int repeats = 0;
  std::vector<double> seconds;
};

}  // namespace

Times fork_join_times(int threads, int repeats) {
  std::vector<double> seconds;
  const TeamTask nothing = [](void*, std::int64_t, Team*) -> std::int32_t { return 0; };
  for (int k = 0; k < repeats; ++k) {
    const auto start = Clock::now();
    TeamLease lease(threads);
    lease.team()->run(lease.team(), nothing, nullptr);
    seconds.push_back(seconds_since(start));
  }
  return times_of(std::move(seconds));
}

Times barrier_times(int threads, int repeats) {
  Barriers barriers{repeats, {}};
  const TeamTask task = [](void* context, std::int64_t thread, Team* team) -> std::int32_t {
    auto& own = *static_cast<Barriers*>(context);
    for (int k = 0; k < own.repeats; ++k) {
      const auto start = Clock::now();
      for (int n = 0; n < kTogether; ++n) team->barrier(team);
      if (thread == 0) own.seconds.push_back(seconds_since(start) / kTogether);
    }
    return 0;
  };
  TeamLease lease(threads);
  lease.team()->run(lease.team(), task, &barriers);
  return times_of(std::move(barriers.seconds));
}

}  // namespace solway::runtime
