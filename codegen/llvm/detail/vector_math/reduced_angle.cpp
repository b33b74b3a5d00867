#include "codegen/llvm/detail/vector_math/reduced_angle.h"

#include <iterator>
#include <limits>

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "codegen/llvm/detail/vector_math/coefficients.h"

namespace solway::codegen::detail {
namespace {

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kHalfPi = 0x1.921fb54442d18p0;
/// 33 bits of pi/2, so that a product with n below 2^20 is exact, and the rest.
constexpr double kHalfPiHigh = 0x1.921fb544p0;
constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
constexpr unsigned kFirstLargeExponent = 20;
constexpr double kFirstLarge = 0x1p20;

/// Of |x| < 2^20.
ReducedAngle of_small(FloatOps& ops, llvm::Value* magnitude) {
  llvm::Value* to_integer = ops.number(ops.to_integer());
  llvm::Value* shifted = ops.fma(magnitude, ops.number(kTwoOverPi), to_integer);
  llvm::Value* n = ops.sub(shifted, to_integer);
  llvm::Value* r = ops.fma(n, ops.number(-kHalfPiHigh), magnitude);
  return {ops.fma(n, ops.number(-kHalfPiLow), r), ops.bits(shifted)};
}

/// The parts of kTurns of each lane.
llvm::Value* turns(llvm::IRBuilder<>& b, llvm::Value* table, llvm::Value* row, unsigned part) {
  llvm::Type* row_type = llvm::ArrayType::get(b.getDoubleTy(), 3);
  llvm::Value* place = b.CreateInBoundsGEP(row_type, table, {row, b.getInt32(part)});
  auto* lanes = llvm::dyn_cast<llvm::VectorType>(row->getType());
  if (lanes == nullptr) return b.CreateLoad(b.getDoubleTy(), place);
  return b.CreateMaskedGather(lanes->getWithNewType(b.getDoubleTy()), place, llvm::Align(8));
}

llvm::GlobalVariable* table_of_turns(llvm::IRBuilder<>& b) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  constexpr const char* kName = "solway.turns";
  if (llvm::GlobalVariable* known = module.getNamedGlobal(kName)) return known;
  const llvm::ArrayRef<double> numbers(&kTurns[0][0], std::size(kTurns) * std::size(kTurns[0]));
  llvm::Constant* values = llvm::ConstantDataArray::get(b.getContext(), numbers);
  return new llvm::GlobalVariable(module, values->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, values, kName);
}

/// Of |x| >= 2^20, as m 2^e with 24 bits of m: m times 2^e 2/pi, of which multiples of 4 do not
/// count and are left away in kTurns. The products with its first two parts are exact.
ReducedAngle of_large(FloatOps& ops, llvm::Value* magnitude) {
  llvm::IRBuilder<>& b = ops.b;
  llvm::Value* bits = ops.bits(magnitude);
  llvm::Value* exponent = b.CreateLShr(bits, ops.word(52));
  llvm::Value* row = b.CreateSub(exponent, ops.word(ops.bias() + kFirstLargeExponent));
  // Lanes that are not large, and infinity, have some row.
  row = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, row, ops.word(std::size(kTurns) - 1));
  llvm::Value* mantissa = b.CreateAnd(bits, ops.word((std::uint64_t{1} << 52) - 1));
  llvm::Value* m = ops.from_bits(b.CreateOr(mantissa, ops.word((ops.bias() + 23) << 52)));
  llvm::Value* table = table_of_turns(b);
  llvm::Value* to_integer = ops.number(ops.to_integer());
  llvm::Value* turned = ops.mul(m, turns(b, table, row, 0));
  llvm::Value* first = ops.add(turned, to_integer);
  turned = ops.sub(turned, ops.sub(first, to_integer));
  turned = ops.fma(m, turns(b, table, row, 1), turned);
  llvm::Value* second = ops.add(turned, to_integer);
  turned = ops.sub(turned, ops.sub(second, to_integer));
  turned = ops.fma(m, turns(b, table, row, 2), turned);
  llvm::Value* r = ops.mul(turned, ops.number(kHalfPi));
  llvm::Value* infinity = ops.number(std::numeric_limits<double>::infinity());
  llvm::Value* nan = ops.number(std::numeric_limits<double>::quiet_NaN());
  r = b.CreateSelect(b.CreateFCmpOEQ(magnitude, infinity), nan, r);
  return {r, b.CreateAdd(ops.bits(first), ops.bits(second))};
}

}  // namespace

ReducedAngle reduced_angle(llvm::IRBuilder<>& b, llvm::Value* x) {
  FloatOps narrow(b, x);
  llvm::Value* absolute = narrow.abs(x);
  llvm::Value* is_large = b.CreateFCmpOGE(absolute, narrow.number(kFirstLarge));
  llvm::Value* magnitude = widened(b, absolute);
  FloatOps ops(b, magnitude);
  const ReducedAngle small = of_small(ops, magnitude);
  llvm::Value* any = is_large->getType()->isVectorTy() ? b.CreateOrReduce(is_large) : is_large;
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto* on_large = llvm::BasicBlock::Create(b.getContext(), "large", before->getParent());
  auto* after = llvm::BasicBlock::Create(b.getContext(), "reduced", before->getParent());
  b.CreateCondBr(any, on_large, after,
                 llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  b.SetInsertPoint(on_large);
  const ReducedAngle large = of_large(ops, magnitude);
  llvm::Value* r = b.CreateSelect(is_large, large.r, small.r);
  llvm::Value* quarter = b.CreateSelect(is_large, large.quarter, small.quarter);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  const auto either = [&](llvm::Value* of_small, llvm::Value* of_all) {
    llvm::PHINode* phi = b.CreatePHI(of_small->getType(), 2);
    phi->addIncoming(of_small, before);
    phi->addIncoming(of_all, on_large);
    return phi;
  };
  return {either(small.r, r), either(small.quarter, quarter)};
}

llvm::Value* sine(FloatOps& ops, llvm::Value* r) {
  llvm::Value* square = ops.mul(r, r);
  return ops.fma(ops.mul(r, square), ops.polynomial(square, kSine), r);
}

llvm::Value* cosine(FloatOps& ops, llvm::Value* r) {
  llvm::Value* square = ops.mul(r, r);
  return ops.fma(square, ops.polynomial(square, kCosine), ops.number(1));
}

llvm::Value* sine(FloatOps& ops, const ReducedAngle& angle) {
  llvm::Value* swaps = ops.is_odd(angle.quarter);
  llvm::Value* either = ops.b.CreateSelect(swaps, cosine(ops, angle.r), sine(ops, angle.r));
  // The signs of four quarters: + + - -.
  return ops.negated_if_odd(either, ops.b.CreateLShr(angle.quarter, ops.word(1)));
}

}  // namespace solway::codegen::detail
