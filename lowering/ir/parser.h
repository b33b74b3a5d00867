#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Names that a fragment uses but does not define.
struct Scope {
  std::map<std::string, Buffer> buffers;
  std::map<std::string, Type> vars;
};

/// Reads the text form; `#` starts a comment that ends with the line. Throws InternalError that
/// quotes the line and says what was expected.
Kernel parse_kernel(std::string_view text);
Stmt parse_stmt(std::string_view text, const Scope& scope);
Expr parse_expr(std::string_view text, const Scope& scope);

}  // namespace solway::ir
