#pragma once

#include <cstdint>

#include <llvm/IR/IRBuilder.h>

namespace solway::codegen::detail {

/// Marks a function whose cpu multiplies and adds float32 in one instruction, rounding once.
inline constexpr const char* kFusesAttribute = "solway-fuses";
/// Marks a function whose cpu multiplies vectors by powers of two in one instruction (AVX-512).
inline constexpr const char* kScalesAttribute = "solway-scales";
/// Marks a function whose cpu picks each lane from 32 floats in registers in one instruction
/// (AVX-512).
inline constexpr const char* kTablesAttribute = "solway-tables";
/// Elements of such a table.
inline constexpr unsigned kTableSize = 32;

/// Instructions on float32 values, scalars or vectors, that math functions are written with. None
/// may be contracted: the same sequence, and so the same bits, whatever stands around it.
class FloatOps {
 public:
  /// Of values like `value`.
  FloatOps(llvm::IRBuilder<>& b, llvm::Value* value);

  llvm::Value* number(double value) const;
  llvm::Value* word(std::uint32_t value) const;
  llvm::Value* add(llvm::Value* x, llvm::Value* y);
  llvm::Value* sub(llvm::Value* x, llvm::Value* y);
  llvm::Value* mul(llvm::Value* x, llvm::Value* y);
  llvm::Value* div(llvm::Value* x, llvm::Value* y);
  /// x * y + z, rounded once where the cpu does that, else twice.
  llvm::Value* fma(llvm::Value* x, llvm::Value* y, llvm::Value* z);
  /// Whether fma rounds once.
  bool fuses() const { return fuses_; }
  /// x 2^n for whole numbers n, rounded once; null where the cpu has no instruction for it.
  llvm::Value* scaled_or_null(llvm::Value* x, llvm::Value* n);
  /// Whether `picked` is cheap.
  bool has_tables() const { return has_tables_; }
  /// table[index % 32] of each lane, for a table of 32.
  llvm::Value* picked(llvm::Value* index, llvm::ArrayRef<float> table);
  /// c[0] + c[1] x + ..., by Horner's rule.
  llvm::Value* polynomial(llvm::Value* x, llvm::ArrayRef<float> coefficients);
  llvm::Value* abs(llvm::Value* x);
  llvm::Value* copysign(llvm::Value* magnitude, llvm::Value* sign);
  /// A NaN comes through these two.
  llvm::Value* at_most(llvm::Value* x, double bound);
  llvm::Value* at_least(llvm::Value* x, double bound);
  /// The larger of both; of a NaN `x` comes through.
  llvm::Value* larger(llvm::Value* x, llvm::Value* y);
  llvm::Value* bits(llvm::Value* x);
  llvm::Value* from_bits(llvm::Value* x);

  llvm::IRBuilder<>& b;

 private:
  llvm::Type* type_;
  llvm::Type* bits_type_;
  bool fuses_;
  bool scales_;
  bool has_tables_;
};

}  // namespace solway::codegen::detail
