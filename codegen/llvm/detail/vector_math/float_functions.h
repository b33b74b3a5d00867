#pragma once

#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"
#include "support/scalar_op.h"

namespace solway::codegen::detail {

// Functions of float32, and some of float64, one file each, without a call. Of a vector each lane
// has the bits that a scalar would have. docs/math_functions.md states their largest errors.

using FloatFunction = llvm::Value* (*)(llvm::IRBuilder<>&, llvm::Value*);

/// The function of an operation on that type; null where the C library's is called.
FloatFunction float_function_or_null(UnaryOp op, DType type);

using FloatFunctionOfTwo = llvm::Value* (*)(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*);

/// The same of two operands.
FloatFunctionOfTwo float_function_or_null(BinaryOp op, DType type);

llvm::Value* float_exp(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_exp2(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_expm1(llvm::IRBuilder<>& b, llvm::Value* x);
/// 1 / (1 + exp(-x)), also where exp(-x) is beyond the largest number.
llvm::Value* float_sigmoid(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_tanh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_erf(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_log(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_log2(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_log10(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_log1p(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_sin(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_cos(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_tan(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_asin(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_acos(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_atan(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_sinh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_cosh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_asinh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_acosh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_atanh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_cbrt(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* float_atan2(llvm::IRBuilder<>& b, llvm::Value* y, llvm::Value* x);
llvm::Value* float_hypot(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);
/// x^y of float32, with the special values of C.
llvm::Value* float_pow(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);

}  // namespace solway::codegen::detail
