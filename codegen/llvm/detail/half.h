#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

/// The 16-bit floats are 16-bit integers in LLVM IR: their bits. Conversions are instructions where
/// the cpu has them, else integer arithmetic that needs no library.
namespace solway::codegen::detail {

/// Tells the functions below, by an attribute of the function, whether the machine converts
/// Float16.
void set_half_attributes(llvm::Function& function, const llvm::TargetMachine& machine);

/// Float32 from the bits of a Float16 or BFloat16; exact.
llvm::Value* emit_widen(llvm::IRBuilder<>& b, DType from, llvm::Value* bits);
/// The bits of the nearest Float16 or BFloat16, ties to even, of a Float32 or Float64.
llvm::Value* emit_narrow(llvm::IRBuilder<>& b, DType from, DType to, llvm::Value* value);

}  // namespace solway::codegen::detail
