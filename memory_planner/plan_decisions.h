#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_cost.h"

namespace solway::memory_planner {

/// A choice, with what the model says of both sides; cycles of the stage.
struct Decision {
  std::string what;    ///< "stage A"
  std::string chosen;  ///< "one region in near memory"
  double cycles = 0;
  std::string instead;         ///< "load each element from main memory"
  double instead_cycles = -1;  ///< negative: it cannot be
  std::string why_not;         ///< why it cannot be: "no room"
};

/// Which code multiplies where a stage is a product of matrices that a micro-kernel could compute.
enum class InnerProduct : std::uint8_t {
  Cheaper,   ///< what takes fewer cycles
  LoopsOfC,  ///< loops of C
  Assembly   ///< a micro-kernel
};

/// What plans may use, besides what the target has.
struct Means {
  bool micro_kernels = true;
  bool loops_of_c = true;    ///< computing without micro-kernels
  std::vector<int> alone;    ///< tensors that each core reads by itself
  std::vector<int> direct;   ///< tensors that are accessed in main memory
  std::vector<int> single;   ///< loops of which a tile has one iteration
  bool keeps_order = false;  ///< loops over tiles stay in the order of the stage
  /// The best plan has this one; plans with the other one are counted still, for decisions.
  InnerProduct inner = InnerProduct::Cheaper;

  bool may_share(int tensor) const;
  bool may_stage(int tensor) const;
  bool may_tile(int loop) const;
  bool operator==(const Means&) const = default;
};

/// The best plan, and what other kinds of plans would take; infinite: there is none.
struct FoundPlans {
  NestPlan best;
  double cycles = std::numeric_limits<double>::infinity();           ///< of the best
  double in_c = std::numeric_limits<double>::infinity();             ///< without a micro-kernel
  double by_micro_kernel = std::numeric_limits<double>::infinity();  ///< with one
  double scalar = std::numeric_limits<double>::infinity();           ///< in C without vectors
  double greedy_cycles = 0;
};

/// What was chosen in the best plan, and what it would take instead.
std::vector<Decision> decisions_of(const CostInputs& in, const Room& room, const Means& means,
                                   const FoundPlans& found);

}  // namespace solway::memory_planner
