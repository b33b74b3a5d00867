#pragma once

#include <set>

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Whether elements of a buffer are read or written, also by a transfer.
bool uses(const Expr& e, const Buffer& buffer);
bool uses(const Stmt& s, const Buffer& buffer);

/// The types of the elements that an expression loads, one by one.
std::set<DType> types_read(const Expr& e);

}  // namespace solway::ir
