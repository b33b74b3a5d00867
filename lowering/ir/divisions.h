#pragma once

#include "lowering/ir/expr.h"

namespace solway::ir {

/// Writes int64 sums with // and % by constants in the form that a person would: coefficients of a
/// dividend are taken modulo the divisor, or its negation is divided, whichever is smaller, and
/// quotients that belong together are remainders. isl keeps divisions in a form of its own, in
/// which the indices of fused loops are hard to read.
///
///   before: (f - (((f * 119) + 119) // 120))     after: (f // 120)
///   before: ((f // 10) - ((f // 120) * 12))      after: ((f // 10) % 12)
///
/// Keeps: what has no division, and what would become longer, by identity.
Expr simplify_divisions(const Expr& e);

}  // namespace solway::ir
