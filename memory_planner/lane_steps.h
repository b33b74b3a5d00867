#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/region.h"
#include "schedule/state.h"

namespace solway::memory_planner {

/// How far the address of an access moves, in elements, when one loop around it moves by one and
/// the others stay: 0 where the loop does not matter, 1 where neighbours lie side by side. Pairs of
/// iterations that lie in different blocks of `block` do not count, so that `P[j // 16, j % 16]`
/// moves by 1 in blocks of 16; with 0, all pairs do. nullopt: the step is not the same everywhere,
/// depends on data, or was not decided in `kStepBudget` isl operations.
std::optional<std::int64_t> step_of(const schedule::State& state, const schedule::Access& access,
                                    schedule::LoopId loop, std::int64_t block);

inline constexpr unsigned long kStepBudget = 200'000;

}  // namespace solway::memory_planner
