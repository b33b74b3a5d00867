#include "codegen/llvm/detail/dots.h"

#include <vector>

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/half.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Intrinsic::ID;

constexpr const char* kX86Wide = "solway-dot-x86-512";
constexpr const char* kX86 = "solway-dot-x86";
constexpr const char* kX86Halves = "solway-dot-x86-bf16";
constexpr const char* kArmHalves = "solway-dot-arm-bf16";
constexpr const char* kArm = "solway-dot-arm";
constexpr const char* kArmMixed = "solway-dot-arm-mixed";

ID intrinsic_of_halves(const llvm::Function& function, unsigned lanes) {
  if (function.hasFnAttribute(kX86Halves)) {
    if (lanes == 16) return llvm::Intrinsic::x86_avx512bf16_dpbf16ps_512;
    if (lanes == 8) return llvm::Intrinsic::x86_avx512bf16_dpbf16ps_256;
    if (lanes == 4) return llvm::Intrinsic::x86_avx512bf16_dpbf16ps_128;
  }
  if (lanes == 4 && function.hasFnAttribute(kArmHalves)) {
    return llvm::Intrinsic::aarch64_neon_bfdot;
  }
  return llvm::Intrinsic::not_intrinsic;
}

/// The instruction that adds so many products to each lane, or not_intrinsic.
ID intrinsic_of(const llvm::Function& function, DType a, DType b, unsigned lanes, unsigned terms) {
  if (a == DType::BFloat16 && terms == 2) return intrinsic_of_halves(function, lanes);
  if (terms != 4) return llvm::Intrinsic::not_intrinsic;
  const bool is_signed = a == DType::Int8 && b == DType::Int8;
  const bool is_unsigned = a == DType::UInt8 && b == DType::UInt8;
  const bool is_mixed = a == DType::UInt8 && b == DType::Int8;
  if (is_mixed && lanes == 16 && function.hasFnAttribute(kX86Wide)) {
    return llvm::Intrinsic::x86_avx512_vpdpbusd_512;
  }
  if (is_mixed && function.hasFnAttribute(kX86)) {
    if (lanes == 8) return llvm::Intrinsic::x86_avx512_vpdpbusd_256;
    if (lanes == 4) return llvm::Intrinsic::x86_avx512_vpdpbusd_128;
  }
  if (lanes != 4) return llvm::Intrinsic::not_intrinsic;
  if (is_mixed && function.hasFnAttribute(kArmMixed)) return llvm::Intrinsic::aarch64_neon_usdot;
  if (!function.hasFnAttribute(kArm)) return llvm::Intrinsic::not_intrinsic;
  if (is_signed) return llvm::Intrinsic::aarch64_neon_sdot;
  if (is_unsigned) return llvm::Intrinsic::aarch64_neon_udot;
  return llvm::Intrinsic::not_intrinsic;
}

unsigned lanes_of(llvm::Value* v) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
  return vector == nullptr ? 1 : vector->getNumElements();
}

llvm::Value* widened(Builder& b, DType type, llvm::Value* v, llvm::Type* to) {
  if (type == DType::BFloat16) return emit_widen(b, type, v);
  return type == DType::UInt8 ? b.CreateZExt(v, to) : b.CreateSExt(v, to);
}

/// Lane `term` of each group.
llvm::Value* of_groups(Builder& b, llvm::Value* v, unsigned groups, unsigned term) {
  const unsigned terms = lanes_of(v) / groups;
  if (groups == 1) return b.CreateExtractElement(v, std::uint64_t{term});
  std::vector<int> mask;
  for (unsigned g = 0; g < groups; ++g) mask.push_back(static_cast<int>(g * terms + term));
  return b.CreateShuffleVector(v, mask);
}

}  // namespace

void set_dot_attributes(llvm::Function& function, const llvm::TargetMachine& machine) {
  const llvm::Triple& triple = machine.getTargetTriple();
  const auto has = [&](const char* feature) {
    return machine.getMCSubtargetInfo()->checkFeatures(feature);
  };
  if (triple.isX86()) {
    const bool is_wide = has("+avx512vnni");
    if (is_wide) function.addFnAttr(kX86Wide);
    if ((is_wide && has("+avx512vl")) || has("+avxvnni")) function.addFnAttr(kX86);
    if (has("+avx512bf16") && has("+avx512vl")) function.addFnAttr(kX86Halves);
  }
  if (triple.isAArch64()) {
    if (has("+dotprod")) function.addFnAttr(kArm);
    if (has("+i8mm")) function.addFnAttr(kArmMixed);
    if (has("+bf16")) function.addFnAttr(kArmHalves);
  }
}

llvm::Value* emit_dot(Builder& b, DType a_type, DType b_type, llvm::Value* acc,
                      llvm::Value* a_lanes, llvm::Value* b_lanes) {
  const unsigned groups = lanes_of(acc);
  const unsigned terms = lanes_of(a_lanes) / groups;
  const llvm::Function& function = *b.GetInsertBlock()->getParent();
  const ID id = intrinsic_of(function, a_type, b_type, groups, terms);
  if (id == llvm::Intrinsic::not_intrinsic) {
    for (unsigned term = 0; term < terms; ++term) {
      llvm::Value* x = widened(b, a_type, of_groups(b, a_lanes, groups, term), acc->getType());
      llvm::Value* y = widened(b, b_type, of_groups(b, b_lanes, groups, term), acc->getType());
      acc = a_type == DType::BFloat16 ? b.CreateFAdd(acc, b.CreateFMul(x, y))
                                      : b.CreateAdd(acc, b.CreateMul(x, y));
    }
    return acc;
  }
  std::vector<llvm::Type*> overloads;
  if (a_type == DType::BFloat16) {
    auto* halves = llvm::FixedVectorType::get(b.getBFloatTy(), lanes_of(a_lanes));
    a_lanes = b.CreateBitCast(a_lanes, halves);
    b_lanes = b.CreateBitCast(b_lanes, halves);
  }
  if (llvm::Intrinsic::isOverloaded(id)) overloads = {acc->getType(), a_lanes->getType()};
  llvm::Function* callee =
      llvm::Intrinsic::getDeclaration(b.GetInsertBlock()->getModule(), id, overloads);
  // Some take bytes, others what their registers hold.
  llvm::Type* operand = callee->getFunctionType()->getParamType(1);
  return b.CreateCall(callee,
                      {acc, b.CreateBitCast(a_lanes, operand), b.CreateBitCast(b_lanes, operand)});
}

llvm::Value* emit_repeated(Builder& b, llvm::Value* group, unsigned lanes) {
  auto* type = llvm::cast<llvm::FixedVectorType>(group->getType());
  const unsigned count = type->getNumElements();
  const unsigned bits = count * type->getScalarSizeInBits();
  auto* wide = llvm::FixedVectorType::get(type->getElementType(), lanes);
  if (bits == 16 || bits == 32 || bits == 64) {
    // One number in all lanes, for which machines have an instruction.
    llvm::Value* number = b.CreateBitCast(group, b.getIntNTy(bits));
    return b.CreateBitCast(b.CreateVectorSplat(lanes / count, number), wide);
  }
  std::vector<int> mask;
  for (unsigned lane = 0; lane < lanes; ++lane) mask.push_back(static_cast<int>(lane % count));
  return b.CreateShuffleVector(group, mask);
}

}  // namespace solway::codegen::detail
