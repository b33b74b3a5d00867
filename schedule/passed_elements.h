#pragma once

#include <isl/cpp.h>

#include "schedule/statement.h"

namespace solway::schedule {

/// { S[iteration] -> T[element] }: the instances that store an element as they read it, and which.
///
///   P[y] = select(1 <= y and y <= 8, A[y - 1], 0)      { P[y] -> A[y - 1] : 1 <= y <= 8 }
///
/// What reads such an instance may as well read the element. Of a condition that is not affine
/// nothing is said. `s` is a statement as it was written, `stored` the type of what it stores to.
isl::union_map passed_elements(const Statement& s, DType stored);

}  // namespace solway::schedule
