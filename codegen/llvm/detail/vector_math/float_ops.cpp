#include "codegen/llvm/detail/vector_math/float_ops.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace solway::codegen::detail {
namespace {

constexpr unsigned kLargeTable = 32;
constexpr unsigned kSmallTable = 8;

unsigned table_size_of(const llvm::Function& function) {
  if (function.hasFnAttribute(kTablesAttribute)) return kLargeTable;
  return function.hasFnAttribute(kSmallTablesAttribute) ? kSmallTable : 0;
}

/// Lanes of the registers that pick from a table of so many elements.
unsigned lanes_of_table(std::size_t elements) { return elements == kLargeTable ? 16 : 8; }

/// table[index % its size], by a load.
llvm::Value* loaded(llvm::IRBuilder<>& b, llvm::Value* index, llvm::ArrayRef<float> table) {
  llvm::Constant* values = llvm::ConstantDataArray::get(b.getContext(), table);
  auto* global = new llvm::GlobalVariable(*b.GetInsertBlock()->getModule(), values->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, values, "table");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  llvm::Value* within =
      b.CreateAnd(index, b.getInt32(static_cast<std::uint32_t>(table.size() - 1)));
  llvm::Value* place =
      b.CreateInBoundsGEP(values->getType(), global, {b.getInt32(0), within}, "place");
  return b.CreateLoad(b.getFloatTy(), place);
}

/// table[index % its size] of the lanes of a register that begin at lane `first` of the index;
/// those beyond its end are any.
llvm::Value* permuted(llvm::IRBuilder<>& b, llvm::Value* index, unsigned first,
                      llvm::ArrayRef<float> table) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(index->getType())->getNumElements();
  const unsigned count = lanes_of_table(table.size());
  llvm::SmallVector<int> of_index;
  for (unsigned lane = first; lane < first + count; ++lane) {
    of_index.push_back(lane < lanes ? static_cast<int>(lane) : llvm::PoisonMaskElem);
  }
  llvm::Value* own = b.CreateShuffleVector(index, of_index);
  const auto numbers = [&](llvm::ArrayRef<float> part) {
    return llvm::ConstantDataVector::get(b.getContext(), part);
  };
  if (table.size() == kSmallTable) {
    return b.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permps, {}, {numbers(table), own});
  }
  return b.CreateIntrinsic(
      llvm::Intrinsic::x86_avx512_vpermi2var_ps_512, {},
      {numbers(table.take_front(count)), own, numbers(table.drop_front(count))});
}

}  // namespace

FloatOps::FloatOps(llvm::IRBuilder<>& b, llvm::Value* value)
    : b(b),
      type_(value->getType()),
      bits_type_(type_->getWithNewType(b.getIntNTy(type_->getScalarSizeInBits()))),
      fuses_(b.GetInsertBlock()->getParent()->hasFnAttribute(kFusesAttribute)),
      scales_(b.GetInsertBlock()->getParent()->hasFnAttribute(kScalesAttribute)),
      table_size_(table_size_of(*b.GetInsertBlock()->getParent())) {}

llvm::Value* FloatOps::number(double value) const { return llvm::ConstantFP::get(type_, value); }

llvm::Value* FloatOps::word(std::uint64_t value) const {
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
  if (!scales_ || is_double() || vector == nullptr) return nullptr;
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

llvm::Value* FloatOps::picked(llvm::Value* index, llvm::ArrayRef<float> table) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
  if (vector == nullptr) return loaded(b, index, table);
  llvm::SmallVector<llvm::Value*> parts;
  for (unsigned first = 0; first < vector->getNumElements();
       first += lanes_of_table(table.size())) {
    parts.push_back(permuted(b, index, first, table));
  }
  llvm::SmallVector<int> lanes(vector->getNumElements());
  std::iota(lanes.begin(), lanes.end(), 0);
  return b.CreateShuffleVector(llvm::concatenateVectors(b, parts), lanes);
}

llvm::Value* FloatOps::polynomial(llvm::Value* x, llvm::ArrayRef<float> coefficients) {
  const std::vector<double> wide(coefficients.begin(), coefficients.end());
  return polynomial(x, wide);
}

llvm::Value* FloatOps::polynomial(llvm::Value* x, llvm::ArrayRef<double> coefficients) {
  llvm::Value* sum = number(coefficients.back());
  for (std::size_t k = coefficients.size() - 1; k > 0; --k) {
    sum = fma(sum, x, number(coefficients[k - 1]));
  }
  return sum;
}

llvm::Value* FloatOps::polynomial(llvm::Value* x, llvm::ArrayRef<float> of_float,
                                  llvm::ArrayRef<double> of_double) {
  return is_double() ? polynomial(x, of_double) : polynomial(x, of_float);
}

llvm::Value* FloatOps::abs(llvm::Value* x) {
  return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

llvm::Value* FloatOps::sqrt(llvm::Value* x) {
  return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
}

llvm::Value* FloatOps::copysign(llvm::Value* magnitude, llvm::Value* sign) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
}

llvm::Value* FloatOps::negated_if_odd(llvm::Value* x, llvm::Value* word) {
  const unsigned sign_bit = type_->getScalarSizeInBits() - 1;
  return from_bits(b.CreateXor(bits(x), b.CreateShl(word, this->word(sign_bit))));
}

llvm::Value* FloatOps::is_odd(llvm::Value* word) {
  return b.CreateICmpNE(b.CreateAnd(word, this->word(1)), this->word(0));
}

llvm::Value* FloatOps::at_most(llvm::Value* x, double bound) {
  llvm::Value* most = number(bound);
  return b.CreateSelect(b.CreateFCmpOLT(most, x), most, x);
}

llvm::Value* FloatOps::at_least(llvm::Value* x, double bound) { return larger(x, number(bound)); }

llvm::Value* FloatOps::larger(llvm::Value* x, llvm::Value* y) {
  return b.CreateSelect(b.CreateFCmpOGT(y, x), y, x);
}

llvm::Value* FloatOps::bits(llvm::Value* x) { return b.CreateBitCast(x, bits_type_); }
llvm::Value* FloatOps::from_bits(llvm::Value* x) { return b.CreateBitCast(x, type_); }

llvm::Value* widened(llvm::IRBuilder<>& b, llvm::Value* x) {
  return b.CreateFPExt(x, x->getType()->getWithNewType(b.getDoubleTy()));
}

llvm::Value* narrowed(llvm::IRBuilder<>& b, llvm::Value* x) {
  return b.CreateFPTrunc(x, x->getType()->getWithNewType(b.getFloatTy()));
}

}  // namespace solway::codegen::detail
