#pragma once

#include "schedule/state.h"

namespace solway::schedule {

/// Runs the iterations of a loop on different cores. It stays one loop; core `id` runs
/// begin <= axis < end with chunk = ceil(extent / cores), begin = min(id * chunk, extent),
/// end = min(begin + chunk, extent).
///
///   before: for i: S(i)
///   after:  for i parallel: S(i)
///
/// Legal iff no two iterations conflict. Throws IllegalScheduleError otherwise: also for a
/// reduction axis, whose terms go to one accumulator; rfactor makes partial results.
///
/// Source: swTVM, Figure 4.
State parallel(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where);

/// How many cores of the mesh share a pair of loops.
struct Grid {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// Runs the iterations of `rows` on the rows of the mesh and those of `columns`, directly inside,
/// on its columns, both as `parallel` shares out a loop.
///
///   before: for i: for j: S(i, j)
///   after:  for i parallel on 8 rows: for j parallel on 8 columns: S(i, j)
///
/// Legal iff no two iterations of either loop conflict.
State parallel_grid(const State& state, const std::string& stage, LoopId rows, LoopId columns,
                    const Grid& grid, const SourceLoc& where);

}  // namespace solway::schedule
