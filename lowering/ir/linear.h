#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lowering/ir/expr.h"
#include "lowering/ir/range.h"

namespace solway::ir {

/// An int64 expression as constant + sum of coefficient * atom. An atom is a variable or a
/// subexpression that is not linear; its key is its text.
struct Linear {
  struct Term {
    Expr atom;
    std::int64_t coefficient = 0;
  };
  std::map<std::string, Term> terms;  ///< no coefficient is 0
  std::int64_t constant = 0;
};

/// Requires a scalar int64. Equal to the expression modulo 2^64.
Linear linear_of(const Expr& e);
Linear operator-(const Linear& a, const Linear& b);
/// The sum as an expression.
Expr to_expr(const Linear& linear);
/// Bounds when no partial sum can wrap. Of terms that share a variable of few values, as r // 2 -
/// r, those over these values: what each term has by itself is wider.
std::optional<Range> try_range(const Linear& linear, const Ranges& vars);

/// c where e = c * var + (an expression without var), of sums and products: n + 1 of (i * n + i).
/// Undefined when e has no such form.
Expr coefficient_or_undefined(const Expr& e, const std::string& var);

/// c where e = c * var + (an expression without var); nullopt when e has no such form.
std::optional<std::int64_t> try_coefficient(const Expr& e, const std::string& var);

}  // namespace solway::ir
