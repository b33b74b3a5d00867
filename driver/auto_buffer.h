#pragma once

#include <string>

#include "driver/stage_choice.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway::driver {

/// Chooses for each stage what is staged in the target's default memory, tile sizes, the order of
/// loops and the positions of transfers, and applies that as ordinary primitives, which stand in
/// the log with the line `where`. `planner` is "optimal", a search with the target's cost model
/// that chooses cores, vectors and what registers hold too, or "greedy": Algorithms 1 and 2 of the
/// swTVM paper.
///
/// Each stage may use the whole memory, as buffers of nests that follow each other share bytes;
/// stages that were fused share it in equal parts. What the user has fixed is kept:
/// marked loops, the factors of splits, the order of a stage that was reordered; a stage with a
/// buffer keeps all its loops, and only tensors without one are staged, at the place of that
/// buffer, and so does one that stands with buffers in the loops of its reader, with that reader.
/// "optimal" plans such a stage as "greedy" does, and says so in a remark.
///
/// A stage whose iterations depend on each other, so that its plan is illegal, keeps the order of
/// its loops: one of them runs on the cores where that is legal, and what can be staged without
/// breaking a dependence is. So does one whose plan is refused or not decided. A remark says why; a
/// stage of which nothing can be staged is left as it is.
///
/// `inner` is the code of products of matrices: "c", loops of C; "assembly", a micro-kernel for
/// each; "auto", with "optimal", whichever takes fewer cycles by the model.
///
/// Throws CapacityError when what is fixed leaves no room, naming it; UnsupportedError, with
/// "optimal", for a target without the figures that the model needs, and where there is no assembly
/// that was asked for.
AutoBufferResult auto_buffer(const schedule::State& state, const Target& target,
                             const std::string& planner, const SourceLoc& where,
                             const std::string& inner = "auto");

}  // namespace solway::driver
