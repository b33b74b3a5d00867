#pragma once

#include <string>

#include <llvm/IR/IRBuilder.h>

#include "support/dtype.h"

namespace solway::codegen::detail {

/// Calls a C math function (named as for double: "exp") on each lane.
llvm::Value* emit_math(llvm::IRBuilder<>& b, const std::string& function, DType type,
                       llvm::ArrayRef<llvm::Value*> args);
/// Integer power, on each lane.
llvm::Value* emit_integer_power(llvm::IRBuilder<>& b, llvm::Value* base, llvm::Value* exponent);
/// Integer quotient and remainder towards minus infinity; 0 where the divisor is 0.
llvm::Value* emit_integer_floor_div(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);
llvm::Value* emit_integer_mod(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);
/// Integer remainder with the sign of x; 0 where the divisor is 0.
llvm::Value* emit_integer_remainder(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);

}  // namespace solway::codegen::detail
