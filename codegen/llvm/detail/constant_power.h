#pragma once

#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"

namespace solway::codegen::detail {

/// Whether a power of that type is made without a function: see constant_power_or_null.
bool has_constant_power(DType type, double power);

/// x to a constant power y by products, a quotient or a root, as exact as the function of any y and
/// with its special values. Null: y is not constant, or none of 1, 2, -1 and 0.5, and, of float32,
/// 3, 4 and -2; of integers, not one of 1 to 4.
///
///   power(x, 2) = x * x    power(x, 3) of float32 = float32(float64(x) * x * x)
llvm::Value* constant_power_or_null(llvm::IRBuilder<>& b, DType type, llvm::Value* x,
                                    llvm::Value* y);

}  // namespace solway::codegen::detail
