#pragma once

#include <llvm/IR/Instructions.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// And, or and xor of masks.
llvm::Value* lower_mask_logic(Engine& e, llvm::BinaryOperator& operation);
/// A choice between registers, or masks, by a mask or one condition for all lanes.
llvm::Value* lower_select(Engine& e, llvm::SelectInst& choice);
/// Where it joins lanes in place: others are not moved.
llvm::Value* lower_shuffle(Engine& e, llvm::ShuffleVectorInst& shuffle);

}  // namespace solway::codegen::detail
