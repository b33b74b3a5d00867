#pragma once

#include <llvm/IR/IRBuilder.h>

#include "support/scalar_op.h"

namespace solway::codegen::detail {

// Functions of float32, one file each, without a branch or a call. Of a vector each lane has the
// bits that a scalar would have. docs/math_functions.md states their largest errors.

using FloatFunction = llvm::Value* (*)(llvm::IRBuilder<>&, llvm::Value*);

/// The function of an operation; null where the C library's is called.
FloatFunction float_function_or_null(UnaryOp op);

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

}  // namespace solway::codegen::detail
