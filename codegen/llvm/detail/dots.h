#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace solway::codegen::detail {

/// Tells the functions below, by attributes of the function, which instructions the machine has
/// that add products of bytes, or of bfloat16.
void set_dot_attributes(llvm::Function& function, const llvm::TargetMachine& machine);

/// acc + the products of `a` and `b` in the groups of each lane (see ir::Dot): one instruction
/// where the machine has it for these types and lanes, else widened products.
llvm::Value* emit_dot(llvm::IRBuilder<>& b, DType a_type, DType b_type, llvm::Value* acc,
                      llvm::Value* a_lanes, llvm::Value* b_lanes);

/// The lanes of `group` again and again, `lanes` in all.
llvm::Value* emit_repeated(llvm::IRBuilder<>& b, llvm::Value* group, unsigned lanes);

}  // namespace solway::codegen::detail
