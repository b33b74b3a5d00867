#pragma once

#include "driver/plan_stage.h"
#include "driver/reference_choice.h"

namespace solway::driver {

/// plan_stage where `choice` says of what the stage reads whether references that lie apart have
/// buffers of their own, as `how.decided` does. Primitives may refuse parts of the plan on which
/// the choice was made; where what is left takes longer than the other plan was expected to, that
/// one is written as well, and the cheaper of both is kept. `choice` then says so.
void plan_references(AutoBufferResult& out, const dsl::Tensor& stage,
                     const memory_planner::Room& room, const StagePlanning& how,
                     ReferenceChoice& choice);

}  // namespace solway::driver
