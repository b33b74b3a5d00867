#pragma once

#include <cstdint>

#include <llvm/IR/IRBuilder.h>

namespace solway::codegen::detail {

/// Marks a function whose cpu multiplies and adds float32 in one instruction, rounding once.
inline constexpr const char* kFusesAttribute = "solway-fuses";
/// The same of vectors only.
inline constexpr const char* kVectorFusesAttribute = "solway-vector-fuses";
/// Marks a function whose cpu multiplies vectors by powers of two in one instruction (AVX-512).
inline constexpr const char* kScalesAttribute = "solway-scales";
/// Mark a function whose cpu picks each lane from 32 floats in registers in one instruction
/// (AVX-512), or from 8 (AVX2).
inline constexpr const char* kTablesAttribute = "solway-tables";
inline constexpr const char* kSmallTablesAttribute = "solway-small-tables";

/// Instructions on values of float32 or float64, scalars or vectors, that math functions are
/// written with. None may be contracted: the same sequence, and so the same bits, whatever stands
/// around it.
class FloatOps {
 public:
  /// Of values like `value`.
  FloatOps(llvm::IRBuilder<>& b, llvm::Value* value);

  bool is_double() const { return type_->getScalarType()->isDoubleTy(); }
  unsigned mantissa_bits() const { return is_double() ? 52 : 23; }
  /// Of exponents.
  std::uint64_t bias() const { return is_double() ? 1023 : 127; }
  /// 1.5 2^mantissa_bits: a sum with it is rounded to an integer, which its lowest bits hold.
  double to_integer() const { return is_double() ? 0x1.8p52 : 0x1.8p23; }
  llvm::Value* number(double value) const;
  /// An integer of as many bits.
  llvm::Value* word(std::uint64_t value) const;
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
  /// Whether `picked` is cheap from tables of so many elements: 16 and 32, 8, or none.
  bool picks(std::size_t elements) const;
  /// table[index % its size] of each lane.
  llvm::Value* picked(llvm::Value* index, llvm::ArrayRef<float> table);
  /// c[0] + c[1] x + ..., by Horner's rule.
  llvm::Value* polynomial(llvm::Value* x, llvm::ArrayRef<float> coefficients);
  llvm::Value* polynomial(llvm::Value* x, llvm::ArrayRef<double> coefficients);
  /// The one of the element type.
  llvm::Value* polynomial(llvm::Value* x, llvm::ArrayRef<float> of_float,
                          llvm::ArrayRef<double> of_double);
  llvm::Value* abs(llvm::Value* x);
  llvm::Value* sqrt(llvm::Value* x);
  llvm::Value* copysign(llvm::Value* magnitude, llvm::Value* sign);
  /// x, negated where the lowest bit of a word is set.
  llvm::Value* negated_if_odd(llvm::Value* x, llvm::Value* word);
  /// Whether the lowest bit of a word is set.
  llvm::Value* is_odd(llvm::Value* word);
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
  bool has_small_tables_;
};

/// float64 of a float32.
llvm::Value* widened(llvm::IRBuilder<>& b, llvm::Value* x);
/// The nearest float32 of a float64.
llvm::Value* narrowed(llvm::IRBuilder<>& b, llvm::Value* x);

}  // namespace solway::codegen::detail
