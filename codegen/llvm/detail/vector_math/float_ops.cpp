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

constexpr unsigned kLargeTable = 32;  ///< two registers of 16 lanes
constexpr unsigned kTable = 16;
constexpr unsigned kSmallTable = 8;

/// Lanes of the registers that pick from a table of so many elements.
unsigned lanes_of_table(std::size_t elements) { return elements == kSmallTable ? 8 : 16; }

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

constexpr unsigned kLanesOfRegister = 16;  ///< of AVX-512

/// Lanes first, first + 1, ... of a vector; those beyond its end are any.
llvm::Value* lanes_from(llvm::IRBuilder<>& b, llvm::Value* vector, unsigned first, unsigned count) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::SmallVector<int> chosen;
  for (unsigned lane = first; lane < first + count; ++lane) {
    chosen.push_back(lane < lanes ? static_cast<int>(lane) : llvm::PoisonMaskElem);
  }
  return b.CreateShuffleVector(vector, chosen);
}

/// x 2^n of vectors that fill registers, as many as there are.
llvm::Value* scaled_registers(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* n,
                              unsigned lanes) {
  constexpr int kPresentRounding = 4;
  llvm::SmallVector<llvm::Value*> parts;
  for (unsigned first = 0; first < lanes; first += kLanesOfRegister) {
    llvm::Value* part = lanes_from(b, x, first, kLanesOfRegister);
    parts.push_back(b.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
        {part, lanes_from(b, n, first, kLanesOfRegister), part,
         llvm::Constant::getAllOnesValue(b.getInt16Ty()), b.getInt32(kPresentRounding)}));
  }
  return llvm::concatenateVectors(b, parts);
}

/// table[index % its size] of the lanes of a register that begin at lane `first` of the index.
llvm::Value* permuted(llvm::IRBuilder<>& b, llvm::Value* index, unsigned first,
                      llvm::ArrayRef<float> table) {
  const unsigned count = lanes_of_table(table.size());
  llvm::Value* own = lanes_from(b, index, first, count);
  const auto numbers = [&](llvm::ArrayRef<float> part) {
    return llvm::ConstantDataVector::get(b.getContext(), part);
  };
  if (table.size() == kSmallTable) {
    return b.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permps, {}, {numbers(table), own});
  }
  if (table.size() == kTable) {
    return b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {}, {numbers(table), own});
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
      fuses_(b.GetInsertBlock()->getParent()->hasFnAttribute(
          type_->isVectorTy() ? kVectorFusesAttribute : kFusesAttribute)),
      scales_(b.GetInsertBlock()->getParent()->hasFnAttribute(kScalesAttribute)),
      has_tables_(b.GetInsertBlock()->getParent()->hasFnAttribute(kTablesAttribute)),
      has_small_tables_(b.GetInsertBlock()->getParent()->hasFnAttribute(kSmallTablesAttribute)) {}

bool FloatOps::picks(std::size_t elements) const {
  if (has_tables_) return elements == kTable || elements == kLargeTable;
  return has_small_tables_ && elements == kSmallTable;
}

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
  if (lanes % kLanesOfRegister == 0) return scaled_registers(b, x, n, lanes);
  const auto scale = [&](llvm::Intrinsic::ID id) -> llvm::Value* {
    return b.CreateIntrinsic(id, {}, {x, n, x, llvm::Constant::getAllOnesValue(b.getInt8Ty())});
  };
  if (lanes == 4) return scale(llvm::Intrinsic::x86_avx512_mask_scalef_ps_128);
  if (lanes == 8) return scale(llvm::Intrinsic::x86_avx512_mask_scalef_ps_256);
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
