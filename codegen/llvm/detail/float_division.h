#pragma once

#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"

namespace solway::codegen::detail {

/// C's fmod, exact: x - n y of the whole number n that is next to x / y towards zero, with the sign
/// of x. Of quotients below 2^23 (float32; float64: 2^52) by a division and a multiply-add, rounded
/// once; of one that is larger, in all lanes by the C library's function, to which a branch leads,
/// or, in vectors of the vector engine, in several such steps.
llvm::Value* emit_float_remainder(llvm::IRBuilder<>& b, DType type, llvm::Value* x, llvm::Value* y);

/// NumPy's floor_divide and remainder.
llvm::Value* emit_float_floor_div(llvm::IRBuilder<>& b, DType type, llvm::Value* x, llvm::Value* y);
llvm::Value* emit_float_mod(llvm::IRBuilder<>& b, DType type, llvm::Value* x, llvm::Value* y);

}  // namespace solway::codegen::detail
