#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// The scalar of llvm.vector.reduce of sums, products, extremes and conditions; null for others.
llvm::Value* lower_reduction_or_null(Engine& e, llvm::IntrinsicInst& call);
/// Whether it was a mask as bits of something else: LLVM's form of reductions of conditions, which
/// compares them with none or all, or counts them.
bool lower_mask_test(Engine& e, llvm::Instruction& instruction);
/// One lane, a scalar.
llvm::Value* lower_extraction(Engine& e, llvm::ExtractElementInst& extraction);
llvm::Value* lower_insertion(Engine& e, llvm::InsertElementInst& insertion);

}  // namespace solway::codegen::detail
