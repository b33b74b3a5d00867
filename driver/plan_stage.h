#pragma once

#include "driver/stage_choice.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/plan_memo.h"
#include "memory_planner/scratchpad.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// What planning a stage goes by.
struct StagePlanning {
  const Target& target;
  bool is_optimal;                  ///< search with the cost model; else by the greedy planner
  memory_planner::PlanMemo& plans;  ///< searches that were made
  const memory_planner::Decided& decided;
  const schedule::State* undivided;  ///< before loops of the stage were divided; nullptr: none were
  SourceLoc where;
};

/// Whether dependences let a plan run the loops of a stage in an order of its own.
enum class LoopOrder { Planned, KeptByDependences };

/// Plans one stage of a schedule by itself, within `room`, and applies the plan as primitives: what
/// auto_buffer does with each. The choice and the remarks are added to `out`.
///
///   a stage with buffers                    kept loops, other tensors at the place of these
///   one of which something is fixed         the greedy planner, within what is fixed
///   one whose plan is illegal, refused or   the order of its loops, on the undivided state
///   not decided
///   others                                  the best plan of the search, or the greedy one
///
/// Throws CapacityError when what is fixed leaves no room.
LoopOrder plan_stage(AutoBufferResult& out, const dsl::Tensor& stage,
                     const memory_planner::Room& room, const StagePlanning& how);

}  // namespace solway::driver
