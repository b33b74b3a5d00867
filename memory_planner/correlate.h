#pragma once

#include <set>
#include <vector>

#include "memory_planner/stage_model.h"

namespace solway::memory_planner {

/// Per tensor, the loops that at least one of its indices depends on.
///
/// Source: swTVM, Algorithm 4, with dependence taken from access relations.
std::vector<std::set<int>> correlate(const StageModel& stage);

}  // namespace solway::memory_planner
