#pragma once

#include <set>

#include "schedule/state.h"

namespace solway::schedule {

/// The loops marked Vectorized or Unrolled whose iterations may run in any order, as a compiler is
/// told by "no dependences": no two of them access one element that one of them writes. Stricter
/// than what `vectorize` asks for: updates of one declared reduction are a dependence here, and so
/// are an element that a later lane overwrites, as in A[i] = A[i + 1], and a buffer that each
/// iteration fills anew. A loop of which isl does not decide it within kOrderBudget operations is
/// left out.
std::set<LoopId> independent_loops(const State& state);

}  // namespace solway::schedule
