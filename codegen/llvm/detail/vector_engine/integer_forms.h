#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Of arithmetic, shifts and operations on bits, of int32, int64 and addresses.
llvm::Value* lower_integer_arithmetic(Engine& e, llvm::BinaryOperator& operation);
/// A mask.
llvm::Value* lower_integer_comparison(Engine& e, llvm::ICmpInst& comparison);
/// Of llvm.smin, smax, umin, umax and abs; null for others.
llvm::Value* lower_integer_function_or_null(Engine& e, llvm::IntrinsicInst& call);
/// The lower halves of elements, where the upper ones hold anything, as unsigned int64.
llvm::Value* lower_halves(Engine& e, llvm::Value* held);

}  // namespace solway::codegen::detail
