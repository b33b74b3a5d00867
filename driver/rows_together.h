#pragma once

#include <cstdint>
#include <string>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Rows that are computed one after the other, stage by stage.
struct RowsTogether {
  std::int64_t count = 1;
  std::int64_t most = 1;  ///< that a core may like better, which a measurement tells
};

/// How many rows of `host`, iterations of its loop `rows`, the stages that run in that loop should
/// compute one after the other; 1 where stage by stage for each row is as good. A row waits for its
/// sum or its largest number; several short rows do not wait for each other:
///
///   before: for i: { M = max_k X[i, k]; for j: Y[i, j] = X[i, j] - M }
///   after:  for io: { for ii: M[ii] = max_k X[2 * io + ii, k]
///                     for ii: for j: Y[2 * io + ii, j] = X[2 * io + ii, j] - M[ii] }
///
/// Only for the processor that runs this process, which looks ahead past the end of a row.
RowsTogether rows_together(const schedule::State& state, const std::string& host,
                           schedule::LoopId rows, const Target& target);

}  // namespace solway::driver
