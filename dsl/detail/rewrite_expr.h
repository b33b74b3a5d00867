#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "dsl/expr.h"

namespace solway::dsl::detail {

/// `expr` with each node for which `replace` gives one replaced, types staying as they are. Reads
/// inside of a replaced node are not looked at.
Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& replace);

/// `expr` with axes replaced by other integers.
Expr with_axes(const Expr& expr, const std::map<Axis, Expr>& values);

/// The axes that an expression uses, those of reductions inside of it included.
std::set<Axis> axes_in(const Expr& expr);

/// A sum of axes with factors, and a number.
struct LinearForm {
  std::map<Axis, std::int64_t> factors;
  std::int64_t constant = 0;

  std::int64_t factor(const Axis& axis) const {
    const auto at = factors.find(axis);
    return at == factors.end() ? 0 : at->second;
  }
};

/// An integer expression as one; nullopt for quotients, remainders, reads and sizes.
std::optional<LinearForm> linear_form(const Expr& expr);

}  // namespace solway::dsl::detail
