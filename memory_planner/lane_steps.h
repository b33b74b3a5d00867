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
/// depends on data (of T[I[i], j] with i), or was not decided in `kStepBudget` isl operations.
std::optional<std::int64_t> step_of(const schedule::State& state, const schedule::Access& access,
                                    schedule::LoopId loop, std::int64_t block);

inline constexpr unsigned long kStepBudget = 200'000;

/// The step by one, forwards or backwards, that all but `kMostTurns` values of a loop make, and
/// three of four, as of indices that stay at a border or begin again: A[max(0, min(j - 1, 55))] and
/// A[(j + 100) % 1024] move by 1. Lowering cuts such loops where the index turns
/// (lowering/split_selects.h).
std::optional<std::int64_t> usual_step_of(const schedule::State& state,
                                          const schedule::Access& access, schedule::LoopId loop);

inline constexpr std::int64_t kMostTurns = 8;

}  // namespace solway::memory_planner
