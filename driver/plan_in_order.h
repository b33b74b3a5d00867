#pragma once

#include <string>

#include "driver/plan_stage.h"

namespace solway::driver {

/// Plans a stage whose iterations depend on each other, or whose plan was refused or not decided:
/// its loops keep their order. Adds the choice to `out`, and a remark with `why`; where nothing can
/// be staged, the remark alone.
///
/// The greedy planner takes the first of plans_in_order that is legal and stages the most tensors.
/// The optimal one counts these and plans_in_steps, with and without vectors, and takes the one
/// with the fewest cycles of those that are legal.
void plan_in_order(AutoBufferResult& out, const std::string& name, const memory_planner::Room& room,
                   const StagePlanning& how, const std::string& why);

}  // namespace solway::driver
