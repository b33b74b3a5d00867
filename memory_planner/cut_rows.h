#pragma once

#include <cstdint>
#include <functional>

#include "memory_planner/nest_plan.h"
#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// What the rows along the loop in vectors take on the core that has most of it, over what they
/// would take if all tiles were whole. The last tile may be cut; its rows then have vectors one by
/// one and numbers, which may take longer than a whole row. `row` gives the cycles of a row of so
/// many results.
double share_of_cut_rows(const StageModel& stage, const NestPlan& plan,
                         const std::function<double(std::int64_t)>& row);

}  // namespace solway::memory_planner
