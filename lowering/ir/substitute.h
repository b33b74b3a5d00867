#pragma once

#include <map>
#include <string>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Replaces free variables by expressions. Names are unique around their uses (see verify()), so
/// nothing is captured. Keeps identity where no variable occurs.
Expr substitute(const Expr& e, const std::map<std::string, Expr>& values);
Stmt substitute(const Stmt& s, const std::map<std::string, Expr>& values);

/// True when the variable occurs in the expression.
bool mentions(const Expr& e, const std::string& var);

/// True when the expression reads memory.
bool has_load(const Expr& e);

}  // namespace solway::ir
