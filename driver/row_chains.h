#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/fuse_stages.h"
#include "driver/write_nest.h"
#include "memory_planner/body_model.h"
#include "memory_planner/plan_cost.h"
#include "memory_planner/scratchpad.h"

namespace solway::driver {

/// How a chain is to run: what each stage does with a tile of rows.
struct RowPlan {
  struct Stage {
    memory_planner::PlannedStage stage;
    memory_planner::BodyModel body;
    memory_planner::NestPlan plan;
  };
  /// A tensor that several stages read from one buffer.
  struct Shared {
    std::string tensor;
    std::vector<std::string> readers;  ///< in program order
    int depth = 1;
    bool moves = false;  ///< with the tiles
  };
  std::vector<Stage> stages;  ///< the host last
  std::vector<Shared> shared;
  double cycles = 0;       ///< of the whole chain, by the model
  std::int64_t bytes = 0;  ///< of all buffers, and of what the members compute for a tile
};

/// The rows of a tile with the fewest cycles: one loop over rows runs on the cores, a tile of the
/// last is computed by all stages in turn, and what they pass on stays in near memory. nullopt
/// where no tile fits, or the model cannot count a stage.
std::optional<RowPlan> plan_rows(const schedule::State& state, const RowChain& chain,
                                 const Target& target, const memory_planner::Room& room);

/// Applies the plan.
///
///   before: for i: top[i] = max(X[i, k])
///           for i: for c: E[i, c] = exp(X[i, c] - top[i])
///   after:  for io: read XX, XX_1; for i: top[i] = max(XX[i, k])
///                   for i: for c: EE[i, c] = exp(XX_1[i, c] - top[i]); write EE
///
/// As write_nest otherwise.
WrittenNest write_rows(const schedule::State& state, const RowChain& chain, const RowPlan& plan,
                       const SourceLoc& where);

}  // namespace solway::driver
