#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/fusion.h"
#include "schedule/state.h"

namespace solway::schedule {

/// A place inside some loops, by coordinates that name each of their iterations: the loops' values,
/// or of fused loops, and of what was split from them, those of the loops before. A transfer counts
/// in these, so that its region stays affine.
class Position {
 public:
  /// The place inside `loops` of the instances of `statements`, which stand in all of them.
  Position(const State& state, std::vector<LoopId> loops, const std::set<std::string>& statements);

  const std::vector<LoopId>& loops() const { return loops_; }
  std::size_t num_coordinates() const { return num_coordinates_; }
  /// The coordinate that is the value of a loop; nullopt of one made of fused loops.
  std::optional<std::size_t> coordinate_of(LoopId loop) const;

  /// { S[iteration] -> [coordinates] }, defined on the whole space.
  isl::multi_pw_aff of(const std::string& statement) const;

  /// Lets `statement`, with instances at the positions `at` { S[iteration] -> [coordinates] },
  /// stand in the loops of `order`.
  void give_values(Order& order, const std::string& statement, const isl::multi_pw_aff& at) const;

  /// An axis per coordinate.
  std::vector<dsl::Axis> axes() const;

 private:
  /// Loops that together count the digits of one number, or one loop that does not.
  struct Part {
    FusedLoops fused;       ///< without digits: the one coordinate is the value of the one loop
    std::size_t first = 0;  ///< number of the first coordinate
    bool is_plain() const { return fused.digits.empty(); }
    std::size_t size() const { return is_plain() ? 1 : fused.digits.size(); }
  };

  std::vector<Part> parts_of_fusion(const std::vector<LoopId>& loops,
                                    const std::set<std::string>& statements) const;
  const Fusion& fusion_of(const Part& part) const;

  const State& state_;
  std::vector<LoopId> loops_;
  std::vector<Part> parts_;
  std::size_t num_coordinates_ = 0;
};

}  // namespace solway::schedule
