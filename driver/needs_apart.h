#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/state.h"

/// Whether iterations of a stage's loops need different elements of another one, which can be
/// computed there without computing anything twice.
namespace solway::driver {

/// Operations of isl for each question; what takes more is not known to be so.
inline constexpr unsigned long kNeedsBudget = 500'000;

/// What iterations of a host's loop may have in common.
enum class Sharing : std::uint8_t { OfOperands, OfNothing };

/// Whether different iterations of the host's loops from the outermost to `last` need different
/// elements of a stage; false where others read it, too, or that takes too long.
bool needs_differ(const schedule::State& state, const std::string& stage, const std::string& host,
                  schedule::LoopId last);

/// The innermost spatial loop of the host, but for its last loop, of which no two iterations need
/// the same element of a stage, nor, with `OfNothing`, an operand of a product that another one
/// needs. nullopt where there is none.
///
///   M[i] = max_k X[i, k]; Y[i, j] = X[i, j] - M[i]     M in Y: the loop over i
std::optional<schedule::LoopId> deepest_level(const schedule::State& state,
                                              const std::string& stage, const std::string& host,
                                              Sharing sharing);

}  // namespace solway::driver
