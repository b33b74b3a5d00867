#pragma once

#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// The tensors of partial results that rfactor makes, one per value of the reduction.
struct RfactorResult {
  State state;
  std::vector<dsl::Tensor> partials;
};

/// Splits a reduction up along one of its loops: a new stage computes one partial result per value
/// of the loop, the stage itself merges them.
///
///   before: for i: { C[i] = 0; for k.o: for k.i: C[i] += A[i, k.o*8 + k.i] }
///   after:  for i: { for k.o: C_rf[k.o, i] = 0
///                    for k.o: for k.i: C_rf[k.o, i] += A[i, k.o*8 + k.i] }
///           for i: { C[i] = 0; for k_o: C[i] += C_rf[k_o, i] }
///
/// The loops of the stage go to the new one, in which `axis` is a spatial loop; the stage has one
/// loop per axis, in which what computes with the result follows the merge. Several values are
/// merged together, by the combine function of the reduction. Legal because a declared reduction
/// may add its terms in any order. Throws ScheduleArgumentError for a loop that is no reduction
/// axis, a stage that was placed, or whose tensor has a buffer; UnsupportedError for a stage of
/// several reductions, for one that a part of the elements needs, and for terms that keep their
/// order.
RfactorResult rfactor(const State& state, const std::string& stage, LoopId axis,
                      const SourceLoc& where);

}  // namespace solway::schedule
