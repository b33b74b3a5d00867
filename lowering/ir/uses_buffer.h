#pragma once

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Whether elements of a buffer are read or written, also by a transfer.
bool uses(const Expr& e, const Buffer& buffer);
bool uses(const Stmt& s, const Buffer& buffer);

}  // namespace solway::ir
