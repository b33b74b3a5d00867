#pragma once

#include <vector>

#include "memory_planner/body_model.h"
#include "memory_planner/extract_stage.h"
#include "memory_planner/nest_plan.h"
#include "support/target.h"

/// A product whose tiles are used up where they are computed: by the one stage that reads it.
namespace solway::memory_planner {

/// A product with the stage that reads each of its elements once, as one stage to plan.
///
///   S[f, x] = sum_k A[f, k] * B[k, x];  Y[f, x] = max(S[f, x] + b[f], 0)
///
/// has the loops of S and the tensors A, B, S, b, Y, of which S is local and b and Y are the
/// epilogue's.
struct ProductWithEpilogue {
  PlannedStage stage;
  BodyModel body;
  /// The reader's loop that runs in vectors; -1 without. A position in its stage.
  int vector = -1;
};

/// `loops` says for each loop of the product which of the reader's runs along it, -1: none.
ProductWithEpilogue with_epilogue(const PlannedStage& product, const BodyModel& body,
                                  const PlannedStage& reader, const BodyModel& reader_body,
                                  const std::vector<int>& loops, const Target& target);

/// Whether a stage is one that with_epilogue made.
bool has_epilogue(const StageModel& stage);

/// Cycles of a core for what is computed with the results of its tiles.
double epilogue_cycles(const StageModel& stage, const BodyModel& body, const NestPlan& plan);

}  // namespace solway::memory_planner
