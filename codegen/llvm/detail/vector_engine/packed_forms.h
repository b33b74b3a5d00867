#pragma once

#include <llvm/IR/Instructions.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Of 512 lanes of float32, where the first 256 are the upper halves of a register and the others
/// the lower ones: fadd, fsub, fmul and llvm.fma, and shufflevectors that put two vectors together
/// or take one out.
llvm::Value* lower_packed(Engine& e, llvm::Instruction& instruction);

}  // namespace solway::codegen::detail
