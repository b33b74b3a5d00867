#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "lowering/ir/expr.h"

namespace solway::lowering {

/// Whether an expression is one of two variables in every case, as the position of argmax, which is
/// the new one or the one before: select(c, a, select(d, b, a)).
bool chooses_among(const ir::Expr& e, const std::string& a, const std::string& b);

/// The expression with int64 variables as int32, which have more lanes.
///
///   before: select((v or (u < u_before)), u, u_before)    of int64
///   after:  select((v or (u < u_before)), u, u_before)    of int32
///
/// nullopt where it does more than compare them with each other and choose among them. Needs:
/// values that fit.
std::optional<ir::Expr> try_narrow(const ir::Expr& e, const std::set<std::string>& vars);

/// The expression where each variable is larger than another one, which folds what compares them,
/// and what is then left to compare is compared once.
///
///   before: (not((t < s)) and ((t != s) or (u < u_before)))      {u: u_before}
///   after:  not((t <= s))
ir::Expr with_order(const ir::Expr& e, const std::map<std::string, std::string>& smaller);

}  // namespace solway::lowering
