#pragma once

#include <set>
#include <string>

#include "schedule/request.h"
#include "schedule/state.h"

/// Stages of a schedule and of the program that it is compared with, replaced by others.
namespace solway::schedule {

/// What takes the place of stages.
struct StageExchange {
  /// The stages, in their order, as a program of their own in the same isl context: what they read
  /// of others, and nothing that others write.
  ProgramAndOrder made;
  std::string stage;           ///< which stage they take the place of: in its nest of loops
  std::set<std::string> gone;  ///< stages that are no longer computed, it included
  /// What those that read `stage` read instead, the same elements; null: its tensor is still there,
  /// and one of the stages computes it.
  dsl::Tensor instead;
};

/// Lets the stages be computed, in `program` and in what it is compared with, `state.original`,
/// both of which had `stage` as it was written. The caller proves that they compute the same, and
/// makes `program` that of the state.
void exchange_stages(State& state, Program& program, const StageExchange& exchange,
                     const Request& request);

}  // namespace solway::schedule
