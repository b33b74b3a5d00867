#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "driver/expected_cycles.h"
#include "memory_planner/plan_decisions.h"
#include "schedule/state.h"

namespace solway::driver {

/// Whether a stage is written in another form, by the model.
struct FormChoice {
  std::optional<schedule::State> state;  ///< in that form; nullopt where it does not pay
  std::string stage;                     ///< the one that computes the sums or products then
  memory_planner::Decision decision;     ///< with the cycles of all stages that it concerns
};

/// Of several forms the one that gains most.
struct CheapestForm {
  std::size_t index = 0;
  bool pays = false;
  memory_planner::Decision decision;  ///< for it where it pays, else against it
};

/// The decision for one form, with the cycles of the program as it is on the other side; nullopt
/// where the form is out of the question.
using WeighForm = std::function<std::optional<memory_planner::Decision>(std::size_t index)>;

/// A form pays where at most `worthwhile` of the cycles are left. nullopt where none of `count`
/// forms can be had.
std::optional<CheapestForm> cheapest_form(std::size_t count, const WeighForm& weigh,
                                          double worthwhile = kWorthwhile);

}  // namespace solway::driver
