#pragma once

#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::memory_planner {

/// The references of a stage to a tensor that it reads (schedule/references.h) in groups, of which
/// each may have a buffer of its own: what one iteration reads of a group lies close together.
///
///   X[y - 8, x] + X[y, x - 1] + X[y, x + 1] + X[y + 8, x]     {0}, {1, 2}, {3}
///   X[i, j] + X[j, i]                                         {0}, {1}
///
/// References are in one group when their distance is the same in all iterations and no more than
/// what lies between others of them: groups are where the distances, in order, grow the most, if
/// that is to kFarTimes as much at least. One group: there is nothing to take apart, as where an
/// element depends on data.
std::vector<std::vector<int>> reference_groups(const schedule::State& state,
                                               const std::string& stage, const std::string& tensor);

/// From the distance of references of one group to that of the next group.
inline constexpr int kFarTimes = 4;
/// Groups of a tensor; where more lie apart, only those that move in different ways are told apart.
inline constexpr int kMostGroups = 8;

}  // namespace solway::memory_planner
