#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "memory_planner/plan_cost.h"
#include "memory_planner/plan_decisions.h"
#include "schedule/program.h"

namespace solway::memory_planner {

/// How a tensor can move, whatever the others do.
struct TensorWay {
  schedule::SharedBy by = schedule::SharedBy::Core;
  bool slides = false;
  std::int64_t unit = 0;  ///< elements of the whole units in which it is read; 0: exactly
  TensorCost cost;
};

/// Tensors, each with its twins (are_twins) behind it: what each plan moves at the same cost is
/// moved in one way, so that a search does not grow with the number of twins. What a primitive
/// refused to one of them sets it apart.
std::vector<std::vector<int>> twins_of(const StageModel& stage, const Means& means);

/// The ways in which tensors of a stage can move in the plans of a search. Many plans differ in
/// what a tensor does not depend on: what one transfer costs is counted once for the tiles of its
/// own loops, all of them once for a place of its transfers.
class TensorWays {
 public:
  struct Ways {
    std::vector<TensorWay> all;  ///< each core reads what it needs, whole: the first one
    LeastCost least;             ///< what any of them adds to a plan
  };

  TensorWays(const CostInputs& in, const Means& means);

  /// From here on plans have other parallel loops or parts, or another product.
  void begin_form();
  /// From here on plans have other tiles. Only their loops over tiles may change their order.
  void begin_tiles();

  /// Read by each core, whole or what is new in each tile, or together where cores can. They are
  /// there until begin_tiles. Needs: nothing shared or slid in `plan`, which stays as it is.
  const Ways& of(NestPlan& plan, int tensor);

 private:
  /// The loops over tiles around a tensor's transfers, as bits, and the last of them.
  struct Place {
    std::uint64_t around = 0;
    int last = -1;
    bool operator==(const Place&) const = default;
  };
  struct Known {
    Place place;
    Ways ways;
  };
  struct OfTiles {
    std::deque<Known> known;  ///< the first `count`
    std::size_t count = 0;
    /// By who reads together, exactly and in whole units.
    std::array<std::array<const BoxCost*, 4>, 2> boxes{};
  };
  using Key = std::vector<std::int64_t>;

  Place place_of(const NestPlan& plan, int tensor) const;
  TensorCost cost_of(const NestPlan& plan, int tensor);
  void find(NestPlan& plan, int tensor, Ways& out);

  const CostInputs& in_;
  Means means_;
  std::vector<std::vector<int>> moving_;       ///< per tensor, the loops on which it depends
  std::vector<std::map<Key, BoxCost>> boxes_;  ///< of the present form, per tensor
  std::vector<OfTiles> present_;               ///< of the present tiles, per tensor
};

}  // namespace solway::memory_planner
