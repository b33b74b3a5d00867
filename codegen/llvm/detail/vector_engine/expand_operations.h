#pragma once

#include <llvm/IR/Function.h>

namespace solway::codegen::detail {

/// Writes operations on vectors of 256 lanes that the vector engine has no instruction for as
/// several that it has: floor, ceil, trunc and rint, conversions that saturate or would be rounded
/// twice, and classes of numbers.
void expand_operations(llvm::Function& function);

}  // namespace solway::codegen::detail
