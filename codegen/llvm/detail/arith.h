#pragma once

#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"
#include "support/scalar_op.h"

namespace solway::codegen::detail {

/// The operations of the loop IR on values, scalar or vector; `type` is the operands' element type.
/// And, Or evaluate nothing here: both operands are values already.
llvm::Value* emit_unary(llvm::IRBuilder<>& b, UnaryOp op, DType type, llvm::Value* a);
llvm::Value* emit_binary(llvm::IRBuilder<>& b, BinaryOp op, DType type, llvm::Value* x,
                         llvm::Value* y);
llvm::Value* emit_cast(llvm::IRBuilder<>& b, DType from, DType to, llvm::Value* a);
/// All lanes of `vector` combined; floats in halves, the upper one into the lower one until one
/// lane is left.
llvm::Value* emit_reduce_lanes(llvm::IRBuilder<>& b, ReduceOp op, DType type, llvm::Value* vector);

/// True when the operation becomes a call of a math function.
bool is_call(UnaryOp op);
bool is_call(BinaryOp op, DType type);

}  // namespace solway::codegen::detail
