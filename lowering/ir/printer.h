#pragma once

#include <string>
#include <string_view>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// The text form: stable, one statement a line, two blanks of indent; parse() reads it back.
std::string to_string(const Expr& e);
/// Ends with a newline when there is any statement.
std::string to_string(const Stmt& s);
std::string to_string(const Kernel& kernel);
/// "CC: float32[1, 128] in ldm align 64"; the scope "main" and the alignment 0 are not printed.
std::string to_string(const BufferNode& buffer);
std::string_view to_string(ForKind kind);
std::string_view to_string(Role role);

}  // namespace solway::ir
