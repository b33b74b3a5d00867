#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "schedule/program.h"

namespace solway::schedule {

/// Which operand of one statement each operand of another one is, in one way to read the
/// expression: (of the first, of the second).
using Pairing = std::vector<std::pair<std::size_t, std::size_t>>;

/// The ways to read the value of `r` as that of `s`: the same operators on the same constants,
/// where operands of `+`, `*`, `min` and `max` may change places. Where an operand lies is for the
/// caller to compare; of indices that are data there is no way. Empty: the expressions differ. No
/// more than 64 for each operator.
///
///   s: A[i, k] * B[k, j]     r: X[j, k] * Y[i, k]     {(0, 0), (1, 1)} and {(1, 0), (0, 1)}
std::vector<Pairing> pairings(const Statement& s, const Statement& r);

}  // namespace solway::schedule
