#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Of fadd, fsub, fmul, fdiv and fneg.
llvm::Value* lower_float_arithmetic(Engine& e, llvm::Instruction& instruction);
/// A mask.
llvm::Value* lower_float_comparison(Engine& e, llvm::FCmpInst& comparison);
/// Of llvm.fma, fabs, copysign and sqrt; null for others.
llvm::Value* lower_float_function_or_null(Engine& e, llvm::IntrinsicInst& call);

}  // namespace solway::codegen::detail
