#include "codegen/llvm/detail/vector_math/float_ops.h"

#include <algorithm>

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace solway::codegen::detail {

FloatOps::FloatOps(llvm::IRBuilder<>& b, llvm::Value* value)
    : b(b),
      type_(value->getType()),
      bits_type_(type_->getWithNewType(b.getInt32Ty())),
      fuses_(b.GetInsertBlock()->getParent()->hasFnAttribute(kFusesAttribute)),
      scales_(b.GetInsertBlock()->getParent()->hasFnAttribute(kScalesAttribute)) {}

llvm::Value* FloatOps::number(double value) const { return llvm::ConstantFP::get(type_, value); }

llvm::Value* FloatOps::word(std::uint32_t value) const {
  return llvm::ConstantInt::get(bits_type_, value);
}

llvm::Value* FloatOps::add(llvm::Value* x, llvm::Value* y) { return b.CreateFAdd(x, y); }
llvm::Value* FloatOps::sub(llvm::Value* x, llvm::Value* y) { return b.CreateFSub(x, y); }
llvm::Value* FloatOps::mul(llvm::Value* x, llvm::Value* y) { return b.CreateFMul(x, y); }
llvm::Value* FloatOps::div(llvm::Value* x, llvm::Value* y) { return b.CreateFDiv(x, y); }

llvm::Value* FloatOps::fma(llvm::Value* x, llvm::Value* y, llvm::Value* z) {
  if (!fuses_) return add(mul(x, y), z);
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {x, y, z});
}

llvm::Value* FloatOps::scaled_or_null(llvm::Value* x, llvm::Value* n) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
  if (!scales_ || vector == nullptr) return nullptr;
  const unsigned lanes = vector->getNumElements();
  const auto scale = [&](llvm::Intrinsic::ID id, auto... rounding) -> llvm::Value* {
    llvm::Value* every_lane = llvm::Constant::getAllOnesValue(b.getIntNTy(std::max(lanes, 8U)));
    return b.CreateIntrinsic(id, {}, {x, n, x, every_lane, rounding...});
  };
  if (lanes == 4) return scale(llvm::Intrinsic::x86_avx512_mask_scalef_ps_128);
  if (lanes == 8) return scale(llvm::Intrinsic::x86_avx512_mask_scalef_ps_256);
  constexpr int kPresentRounding = 4;
  if (lanes == 16) {
    return scale(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, b.getInt32(kPresentRounding));
  }
  return nullptr;
}

llvm::Value* FloatOps::polynomial(llvm::Value* x, llvm::ArrayRef<float> coefficients) {
  llvm::Value* sum = number(static_cast<double>(coefficients.back()));
  for (std::size_t k = coefficients.size() - 1; k > 0; --k) {
    sum = fma(sum, x, number(static_cast<double>(coefficients[k - 1])));
  }
  return sum;
}

llvm::Value* FloatOps::abs(llvm::Value* x) {
  return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

llvm::Value* FloatOps::copysign(llvm::Value* magnitude, llvm::Value* sign) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
}

llvm::Value* FloatOps::at_most(llvm::Value* x, double bound) {
  llvm::Value* most = number(bound);
  return b.CreateSelect(b.CreateFCmpOLT(most, x), most, x);
}

llvm::Value* FloatOps::at_least(llvm::Value* x, double bound) {
  llvm::Value* least = number(bound);
  return b.CreateSelect(b.CreateFCmpOGT(least, x), least, x);
}

llvm::Value* FloatOps::bits(llvm::Value* x) { return b.CreateBitCast(x, bits_type_); }
llvm::Value* FloatOps::from_bits(llvm::Value* x) { return b.CreateBitCast(x, type_); }

}  // namespace solway::codegen::detail
