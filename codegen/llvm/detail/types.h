#pragma once

#include <llvm/Support/TypeSize.h>

#include "lowering/ir/type.h"

namespace llvm {
class LLVMContext;
class Type;
class Value;
}  // namespace llvm

namespace solway::codegen::detail {

llvm::ElementCount element_count(const ir::Lanes& lanes);
/// A vector of `scalar` with as many lanes as `v` has; the scalar itself when that is none.
llvm::Type* with_lanes_of(llvm::Type* scalar, const llvm::Value* v);
/// Type of a value in registers: i1 for Bool.
llvm::Type* value_type(llvm::LLVMContext& context, const ir::Type& type);
/// Type of the same in memory: i8 for Bool.
llvm::Type* memory_type(llvm::LLVMContext& context, const ir::Type& type);
llvm::Type* memory_type(llvm::LLVMContext& context, DType type);

}  // namespace solway::codegen::detail
