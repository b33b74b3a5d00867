#pragma once

#include <llvm/IR/Instructions.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// And, or and xor of masks.
llvm::Value* lower_mask_logic(Engine& e, llvm::BinaryOperator& operation);
/// A choice between registers, or masks, by a mask or one condition for all lanes.
llvm::Value* lower_select(Engine& e, llvm::SelectInst& choice);
/// One lane of a mask, a condition.
llvm::Value* lower_condition_of_lane(Engine& e, llvm::Value* mask, llvm::Value* number);
/// A mask with another condition for that lane.
llvm::Value* lower_inserted_condition(Engine& e, llvm::InsertElementInst& insertion);
/// Where it joins lanes in place: others are not moved.
llvm::Value* lower_shuffle(Engine& e, llvm::ShuffleVectorInst& shuffle);

}  // namespace solway::codegen::detail
