#pragma once

#include <optional>
#include <string>

#include "driver/form_choice.h"
#include "memory_planner/choose_tiles.h"
#include "memory_planner/plan_memo.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Looks whether a product, or a convolution, had better compute more elements than its tensor has,
/// so that tiles, vectors and what registers hold are whole:
///
///   before: C[i, j] = sum of A[i, k] * B[k, j]                           255 x 255: tiles with a
///   rest after:  A_pad, B_pad with zeros around, filled in near memory   schedule::pad
///           C_pad[i, j] = sum of A_pad[i, k] * B_pad[k, j]               256 x 256
///           C[i, j] = C_pad[i, j]
///
/// Candidates are extents of whole vectors and of whole tiles for registers and cores. The model
/// has to see more gain than its error.
///
/// nullopt where it is out of the question: the stage is no product or has no vectors, the plan as
/// it is comes near a limit of the machine, or the user has scheduled it.
std::optional<FormChoice> pad_product(const schedule::State& state, const std::string& stage,
                                      const Target& target, const memory_planner::Room& room,
                                      memory_planner::PlanMemo& plans, const SourceLoc& where);

}  // namespace solway::driver
