#include "codegen/llvm/detail/half.h"

#include <vector>

#include <llvm/IR/Intrinsics.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/types.h"
#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

llvm::Type* like(llvm::Value* v, llvm::Type* scalar) { return with_lanes_of(scalar, v); }

llvm::Value* number(llvm::Type* type, std::uint64_t value) {
  return llvm::ConstantInt::get(type, value);
}

constexpr const char* kConverts = "solway-float16-converts";

/// Whether the function that is written may use the machine's instructions for Float16.
bool has_instructions(Builder& b) {
  return b.GetInsertBlock()->getParent()->hasFnAttribute(kConverts);
}

llvm::Value* widen_float16(Builder& b, llvm::Value* bits) {
  llvm::Type* wide = like(bits, b.getInt32Ty());
  llvm::Type* single = like(bits, b.getFloatTy());
  llvm::Value* all = b.CreateZExt(bits, wide);
  llvm::Value* sign = b.CreateShl(b.CreateAnd(all, number(wide, 0x8000)), number(wide, 16));
  llvm::Value* rest = b.CreateShl(b.CreateAnd(all, number(wide, 0x7fff)), number(wide, 13));
  // The exponent is 112 less than a Float32's; the product is exact, of small numbers too.
  llvm::Value* scaled =
      b.CreateFMul(b.CreateBitCast(rest, single), llvm::ConstantFP::get(single, 0x1p112));
  llvm::Value* is_special = b.CreateICmpUGE(rest, number(wide, 0x7c00U << 13));
  llvm::Value* special = b.CreateOr(rest, number(wide, 0x7f800000));
  llvm::Value* magnitude = b.CreateSelect(is_special, special, b.CreateBitCast(scaled, wide));
  return b.CreateBitCast(b.CreateOr(magnitude, sign), single);
}

llvm::Value* narrow_to_float16(Builder& b, llvm::Value* value) {
  llvm::Type* wide = like(value, b.getInt32Ty());
  llvm::Type* single = value->getType();
  llvm::Value* all = b.CreateBitCast(value, wide);
  llvm::Value* sign = b.CreateAnd(all, number(wide, 0x80000000));
  llvm::Value* u = b.CreateXor(all, sign);
  llvm::Value* is_nan = b.CreateICmpUGT(u, number(wide, 0x7f800000));
  llvm::Value* special = b.CreateSelect(is_nan, number(wide, 0x7e00), number(wide, 0x7c00));
  // Below 2^-14 the float adder rounds: the sum has the result in its lowest bits.
  llvm::Value* magic = llvm::ConstantFP::get(single, 0.5);
  llvm::Value* sum = b.CreateFAdd(b.CreateBitCast(u, single), magic);
  llvm::Value* small = b.CreateSub(b.CreateBitCast(sum, wide), number(wide, 0x3f000000));
  llvm::Value* odd = b.CreateAnd(b.CreateLShr(u, number(wide, 13)), number(wide, 1));
  llvm::Value* rebiased = b.CreateAdd(u, number(wide, 0xc8000fffU));  // (15 - 127) << 23, and half
  llvm::Value* normal = b.CreateLShr(b.CreateAdd(rebiased, odd), number(wide, 13));
  llvm::Value* finite = b.CreateSelect(b.CreateICmpULT(u, number(wide, 113U << 23)), small, normal);
  llvm::Value* magnitude =
      b.CreateSelect(b.CreateICmpUGE(u, number(wide, 143U << 23)), special, finite);
  llvm::Value* bits = b.CreateOr(magnitude, b.CreateLShr(sign, number(wide, 16)));
  return b.CreateTrunc(bits, like(value, b.getInt16Ty()));
}

/// The upper 16 bits of each lane.
llvm::Value* upper_halves(Builder& b, llvm::Value* u) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(u->getType());
  if (vector == nullptr || on_vector_engine(b))
    return b.CreateTrunc(b.CreateLShr(u, 16), like(u, b.getInt16Ty()));
  const unsigned lanes = vector->getNumElements();
  std::vector<int> odd;
  for (unsigned lane = 0; lane < lanes; ++lane) odd.push_back(static_cast<int>(2 * lane + 1));
  auto* halves = llvm::FixedVectorType::get(b.getInt16Ty(), 2 * lanes);
  return b.CreateShuffleVector(b.CreateBitCast(u, halves), odd);
}

llvm::Value* narrow_to_bfloat16(Builder& b, llvm::Value* value) {
  llvm::Type* wide = like(value, b.getInt32Ty());
  llvm::Value* u = b.CreateBitCast(value, wide);
  llvm::Value* odd = b.CreateAnd(b.CreateLShr(u, number(wide, 16)), number(wide, 1));
  llvm::Value* sum = b.CreateAdd(b.CreateAdd(u, number(wide, 0x7fff)), odd);
  llvm::Value* quiet = b.CreateOr(u, number(wide, 0x400000));
  return upper_halves(b, b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, sum));
}

/// Rounds to the Float32 whose last bit is odd where the value is not exact: rounding that once
/// more to fewer bits gives what rounding the value once would.
llvm::Value* to_odd(Builder& b, llvm::Value* value) {
  llvm::Type* wide = like(value, b.getInt32Ty());
  llvm::Type* single = like(value, b.getFloatTy());
  llvm::Value* nearest = b.CreateFPTrunc(value, single);
  llvm::Value* back = b.CreateFPExt(nearest, value->getType());
  const auto magnitude = [&](llvm::Value* v) {
    return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v);
  };
  llvm::Value* is_above = b.CreateFCmpOGT(magnitude(back), magnitude(value));
  llvm::Value* is_inexact = b.CreateFCmpONE(back, value);
  llvm::Value* cut = b.CreateSub(b.CreateBitCast(nearest, wide), b.CreateZExt(is_above, wide));
  return b.CreateBitCast(b.CreateOr(cut, b.CreateZExt(is_inexact, wide)), single);
}

}  // namespace

void set_half_attributes(llvm::Function& function, const llvm::TargetMachine& machine) {
  const llvm::Triple& triple = machine.getTargetTriple();
  // Every aarch64 converts vectors of Float16.
  const bool converts = triple.isAArch64() ||
                        (triple.isX86() && machine.getMCSubtargetInfo()->checkFeatures("+f16c"));
  if (converts) function.addFnAttr(kConverts);
}

llvm::Value* emit_widen(Builder& b, DType from, llvm::Value* bits) {
  if (from == DType::BFloat16) {
    llvm::Type* wide = like(bits, b.getInt32Ty());
    llvm::Value* upper = b.CreateShl(b.CreateZExt(bits, wide), number(wide, 16));
    return b.CreateBitCast(upper, like(bits, b.getFloatTy()));
  }
  if (!has_instructions(b)) return widen_float16(b, bits);
  llvm::Value* half = b.CreateBitCast(bits, like(bits, b.getHalfTy()));
  return b.CreateFPExt(half, like(bits, b.getFloatTy()));
}

llvm::Value* emit_narrow(Builder& b, DType from, DType to, llvm::Value* value) {
  if (from == DType::Float64) value = to_odd(b, value);
  if (to == DType::BFloat16) return narrow_to_bfloat16(b, value);
  if (!has_instructions(b)) return narrow_to_float16(b, value);
  llvm::Value* half = b.CreateFPTrunc(value, like(value, b.getHalfTy()));
  return b.CreateBitCast(half, like(value, b.getInt16Ty()));
}

}  // namespace solway::codegen::detail
