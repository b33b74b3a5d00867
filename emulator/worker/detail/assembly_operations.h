#pragma once

#include <string>

#include <llvm/IR/IRBuilder.h>

namespace solway::emulator {

// What instructions of CPE assembly compute. Scalars are i64, whole registers <4 x i64>; a lane
// holds a float as a double.

llvm::FixedVectorType* lanes_type(llvm::IRBuilder<>& builder);
llvm::FixedVectorType* doubles_type(llvm::IRBuilder<>& builder);
llvm::FixedVectorType* floats_type(llvm::IRBuilder<>& builder);

llvm::Value* to_doubles(llvm::IRBuilder<>& builder, llvm::Value* lanes);
llvm::Value* to_floats(llvm::IRBuilder<>& builder, llvm::Value* lanes);
/// Of four doubles, four floats or 256 bits.
llvm::Value* to_lanes(llvm::IRBuilder<>& builder, llvm::Value* vector);

/// Form::Scalars: `name` of a and b.
llvm::Value* scalar_operation(llvm::IRBuilder<>& builder, const std::string& name, llvm::Value* a,
                              llvm::Value* b);
/// Form::ScalarFloats.
llvm::Value* scalar_float_operation(llvm::IRBuilder<>& builder, const std::string& name,
                                    llvm::Value* a, llvm::Value* b);
/// Form::Vectors.
llvm::Value* vector_operation(llvm::IRBuilder<>& builder, const std::string& name, llvm::Value* a,
                              llvm::Value* b);
/// Form::Fused.
llvm::Value* fused_operation(llvm::IRBuilder<>& builder, const std::string& name, llvm::Value* a,
                             llvm::Value* b, llvm::Value* c);
/// Form::VectorShift.
llvm::Value* vector_shift(llvm::IRBuilder<>& builder, const std::string& name, llvm::Value* a,
                          std::int64_t bits);
/// Form::VectorSelect: lanes of `x` where the double in `c` is as the name says, else of `y`.
llvm::Value* vector_select(llvm::IRBuilder<>& builder, const std::string& name, llvm::Value* c,
                           llvm::Value* x, llvm::Value* y);
/// Whether a scalar is as the last two letters of a branch or select say: eq, ne, lt, le, gt, ge.
llvm::Value* compares_with_zero(llvm::IRBuilder<>& builder, const std::string& name,
                                llvm::Value* value);

}  // namespace solway::emulator
