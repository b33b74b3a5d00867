#pragma once

#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/TypeSize.h>

#include "support/scalar_op.h"

/// Lanes of vectors, of a number that is known when compiling or, scalable, when the kernel runs.
namespace solway::codegen::detail {

/// Of vectors on a stack: what LLVM keeps for scalable ones.
inline constexpr llvm::Align kLanesAlignment = llvm::Align::Constant<16>();

/// ir::VectorScale, an i64, where the builder stands at the beginning of a function.
llvm::Value* emit_vector_scale(llvm::IRBuilder<>& entry);

/// 0, 1, 2, ... in lanes of an integer type.
llvm::Value* emit_lane_numbers(llvm::IRBuilder<>& b, llvm::Type* integer, llvm::ElementCount lanes);

/// The first `count` lanes, an i64 of any value; null when these are known to be all.
llvm::Value* emit_active_or_null(llvm::IRBuilder<>& b, llvm::Value* count,
                                 llvm::ElementCount lanes);

/// What `scalar` makes of each lane of the arguments, which may be scalars: written out, or for
/// scalable lanes a loop through memory.
llvm::Value* emit_per_lane(llvm::IRBuilder<>& b, llvm::ArrayRef<llvm::Value*> args,
                           llvm::Type* result,
                           const std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>& scalar);

/// All scalable lanes combined, one after the other, in a loop.
llvm::Value* emit_fold_lanes(
    llvm::IRBuilder<>& b, llvm::Value* vector,
    const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& combine);

}  // namespace solway::codegen::detail
