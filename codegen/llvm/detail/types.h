#pragma once

#include "lowering/ir/type.h"

namespace llvm {
class LLVMContext;
class Type;
}  // namespace llvm

namespace solway::codegen::detail {

/// Type of a value in registers: i1 for Bool. Throws UnsupportedError for scalable lanes.
llvm::Type* value_type(llvm::LLVMContext& context, const ir::Type& type);
/// Type of the same in memory: i8 for Bool.
llvm::Type* memory_type(llvm::LLVMContext& context, const ir::Type& type);
llvm::Type* memory_type(llvm::LLVMContext& context, DType type);

}  // namespace solway::codegen::detail
