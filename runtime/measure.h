#pragma once

namespace solway::runtime {

/// Seconds that something took, over many times.
struct Times {
  double least = 0;
  double median = 0;
};

/// What it takes to lend a team of so many threads, run an empty task on it and wait for all.
/// Requires 1 <= threads <= kMaxThreads, repeats > 0.
Times fork_join_times(int threads, int repeats);

/// What a barrier of so many threads takes: of so many in a row, each timed by the caller.
Times barrier_times(int threads, int repeats);

}  // namespace solway::runtime
