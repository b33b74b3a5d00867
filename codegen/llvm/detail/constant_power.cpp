#include "codegen/llvm/detail/constant_power.h"

#include <cmath>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "codegen/llvm/detail/vector_math/float_ops.h"

namespace solway::codegen::detail {
namespace {

/// What a scalar, or each lane of a vector, is.
template <class Number>
const Number* constant_or_null(llvm::Value* v) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(v);
  if (constant != nullptr && v->getType()->isVectorTy()) constant = constant->getSplatValue();
  return llvm::dyn_cast_or_null<Number>(constant);
}

/// Products wrap, as powers do.
llvm::Value* integer_power_or_null(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y) {
  const auto* power = constant_or_null<llvm::ConstantInt>(y);
  const bool is_there =
      power != nullptr &&
      has_constant_power(DType::Int64, static_cast<double>(power->getSExtValue()));
  if (!is_there) return nullptr;
  if (power->getSExtValue() == 1) return x;
  llvm::Value* const square = b.CreateMul(x, x);
  if (power->getSExtValue() == 2) return square;
  return b.CreateMul(square, power->getSExtValue() == 3 ? x : square);
}

/// The root is -0 of -0 and NaN of -infinity, the power is 0 and infinity.
llvm::Value* root(llvm::IRBuilder<>& b, llvm::Value* x) {
  llvm::Type* const type = x->getType();
  llvm::Value* const positive = b.CreateFAdd(x, llvm::ConstantFP::get(type, 0.0));
  llvm::Value* const out = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, positive);
  llvm::Value* const is_least =
      b.CreateFCmpOEQ(x, llvm::ConstantFP::getInfinity(type, /*Negative=*/true));
  return b.CreateSelect(is_least, llvm::ConstantFP::getInfinity(type), out);
}

}  // namespace

bool has_constant_power(DType type, double power) {
  constexpr double kMostOfIntegers = 4;
  if (is_integer(type)) {
    return power >= 1 && power <= kMostOfIntegers && power == std::floor(power);
  }
  if (power == 1.0 || power == 2.0 || power == -1.0 || power == 0.5) return true;
  return type == DType::Float32 && (power == 3.0 || power == 4.0 || power == -2.0);
}

llvm::Value* constant_power_or_null(llvm::IRBuilder<>& b, DType type, llvm::Value* x,
                                    llvm::Value* y) {
  if (is_integer(type)) return integer_power_or_null(b, x, y);
  if (type != DType::Float32 && type != DType::Float64) return nullptr;
  const auto* constant = constant_or_null<llvm::ConstantFP>(y);
  if (constant == nullptr) return nullptr;
  const double power = constant->getValueAPF().convertToDouble();
  if (!has_constant_power(type, power)) return nullptr;
  const auto one_by = [&](llvm::Value* v) {
    return b.CreateFDiv(llvm::ConstantFP::get(v->getType(), 1.0), v);
  };
  if (power == 1.0) return x;
  if (power == 2.0) return b.CreateFMul(x, x);
  if (power == -1.0) return one_by(x);
  if (power == 0.5) return root(b, x);
  // In float64 no square of a float32 is rounded, nor is any beyond the normal numbers.
  llvm::Value* const wide = widened(b, x);
  llvm::Value* const square = b.CreateFMul(wide, wide);
  if (power == -2.0) return narrowed(b, one_by(square));
  return narrowed(b, b.CreateFMul(square, power == 3.0 ? wide : square));
}

}  // namespace solway::codegen::detail
