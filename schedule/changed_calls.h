#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/state.h"

/// Calls like one that was refused, which may be legal.
namespace solway::schedule {

/// How a call differs from the one that was refused.
struct Change {
  std::vector<LoopId> axes;        ///< in place of Attempt::axes
  std::string primitive = {};      ///< called in its place, "buffer_write"; "": the same
  std::optional<int> number = {};  ///< its depth, distance or factor; nullopt: as it was
  bool without_region = false;
};

/// A primitive that was refused.
struct Attempt {
  std::string primitive;     ///< "reorder"
  std::string stage;         ///< whose loops it takes; "" when it takes none
  std::vector<LoopId> axes;  ///< the loops that it names; of a buffer, only its position
  /// Applies the changed call; nullopt when that is refused.
  std::function<std::optional<State>(const State&, const Change&)> apply;
  /// The changed call as a user writes it: "s.buffer_read(A, ['ki'], at='ko')".
  std::function<std::string(const Change&)> text = {};
  std::optional<int> number = {};  ///< its depth, distance or factor, where it has one
  bool has_region = false;
  std::string tensor = {};  ///< of a buffer, the array that it holds
};

/// The stage that has the loop; empty when none has.
std::string stage_with(const State& state, LoopId id);

/// The loops of one stage as other positions, nearest to the one asked for first, inside before
/// outside.
std::vector<Change> other_positions(const State& state, const Attempt& attempt);

/// A buffer that holds fewer regions; then one at another position; then buffer_write of what the
/// stage itself changes; then one without the region, which holds what its position touches.
std::vector<Change> other_buffers(const State& state, const Attempt& attempt);

/// Smaller numbers of the same sign, the largest first.
std::vector<Change> smaller_numbers(const State& state, const Attempt& attempt);

/// Other small factors, nearest to the one asked for first.
std::vector<Change> other_factors(const State& state, const Attempt& attempt);

}  // namespace solway::schedule
