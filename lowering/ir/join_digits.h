#pragma once

#include "lowering/ir/expr.h"

namespace solway::ir {

/// An int64 sum in which the quotient and the remainder of one number, with the coefficients of a
/// position in an array, are that number again; exact for every value. It tells that a loop which
/// was fused runs along neighbours.
///
///   before: ((((f // 120) * 120) + (((f // 10) % 12) * 10)) + (f % 10))
///   after:  f
///
/// Keeps: what has no such pair, by identity.
Expr join_digits(const Expr& e);

}  // namespace solway::ir
