#pragma once

#include <vector>

#include <isl/cpp.h>

#include "schedule/statement.h"

namespace solway::schedule {

/// A statement that runs anew at each position of loops around it.
struct NestedStatement {
  Statement statement;         ///< S[position, iteration]
  isl::multi_pw_aff position;  ///< { S[position, iteration] -> [position] }
  isl::multi_pw_aff inner;     ///< { S[position, iteration] -> S[iteration] }
};

/// `s` with `axes` as leading dimensions, in the instances `needed` { [position] -> S[iteration] }.
/// Accesses, operands and bodies are those of the inner instance, which is its origin, or the inner
/// instance's origin; a reduction is one result per position.
///
///   before: P[i] : 0 <= i < 1024
///   after:  P[t, i] : 32 * t <= i < 32 * t + 34       with origin P[i]
NestedStatement nested_statement(const Statement& s, const isl::map& needed,
                                 const std::vector<dsl::Axis>& axes);

}  // namespace solway::schedule
