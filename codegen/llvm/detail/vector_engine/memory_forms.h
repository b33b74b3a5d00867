#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {

/// Addresses of lanes.
llvm::Value* lower_addresses(Engine& e, llvm::GetElementPtrInst& address);
/// Of masks in memory: those that are needed after a call.
llvm::Value* lower_load(Engine& e, llvm::LoadInst& load);
void lower_store(Engine& e, llvm::StoreInst& store);
/// Of llvm.masked.load and masked.gather, and of vp.strided.load; null for others.
llvm::Value* lower_masked_load_or_null(Engine& e, llvm::IntrinsicInst& call);
/// Whether it was one of llvm.masked.store, masked.scatter and vp.strided.store.
bool lower_masked_store(Engine& e, llvm::IntrinsicInst& call);

}  // namespace solway::codegen::detail
