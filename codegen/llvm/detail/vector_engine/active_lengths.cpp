#include "codegen/llvm/detail/vector_engine/active_lengths.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace solway::codegen::detail {
namespace {

using llvm::PatternMatch::m_ICmp;
using llvm::PatternMatch::m_Value;

llvm::ConstantInt* length(llvm::LLVMContext& context, std::uint64_t lanes) {
  return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), lanes);
}

/// Whether a constant is 0, 1, 2, ...
bool counts_lanes(const llvm::Value* v) {
  const auto* numbers = llvm::dyn_cast<llvm::Constant>(v);
  for (unsigned lane = 0; numbers != nullptr && lane < kEngineLanes; ++lane) {
    const llvm::Constant* element = numbers->getAggregateElement(lane);
    if (llvm::isa_and_nonnull<llvm::UndefValue>(element)) continue;
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
    if (number == nullptr || number->getZExtValue() != lane) return false;
  }
  return numbers != nullptr;
}

llvm::Value* constant_prefix_or_null(const llvm::Constant& mask) {
  unsigned count = 0;
  bool has_ended = false;
  for (unsigned lane = 0; lane < kEngineLanes; ++lane) {
    const llvm::Constant* element = mask.getAggregateElement(lane);
    if (element == nullptr) return nullptr;
    if (llvm::isa<llvm::UndefValue>(element)) continue;  // nobody uses it
    if (!element->isNullValue() && !element->isOneValue()) return nullptr;
    if (element->isOneValue() && has_ended) return nullptr;
    has_ended = has_ended || element->isNullValue();
    if (!has_ended) count = lane + 1;
  }
  return length(mask.getContext(), count);
}

bool is_masked_store(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr &&
         (call->getIntrinsicID() == llvm::Intrinsic::masked_store ||
          call->getIntrinsicID() == llvm::Intrinsic::masked_scatter ||
          call->getIntrinsicID() == llvm::Intrinsic::experimental_vp_strided_store);
}

/// The larger one, where that can be told; else null.
llvm::Value* either_or_null(llvm::Value* a, llvm::Value* b) {
  if (a == b) return a;
  const auto* x = llvm::dyn_cast<llvm::ConstantInt>(a);
  const auto* y = llvm::dyn_cast<llvm::ConstantInt>(b);
  if (x == nullptr || y == nullptr) return nullptr;
  return x->getZExtValue() > y->getZExtValue() ? a : b;
}

bool fills_register(const llvm::Type* type) { return is_engine_vector(type) || is_packed(type); }

bool is_reduction(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with("llvm.vector.reduce.");
}

}  // namespace

bool is_engine_vector(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getNumElements() == kEngineLanes;
}

bool is_packed(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr && vector->getNumElements() == 2 * kEngineLanes &&
         vector->getElementType()->isFloatTy();
}

llvm::Value* prefix_or_null(llvm::Value* mask) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(mask)) {
    return constant_prefix_or_null(*constant);
  }
  llvm::Value* a = nullptr;
  llvm::Value* b = nullptr;
  llvm::ICmpInst::Predicate predicate{};
  if (!llvm::PatternMatch::match(mask, m_ICmp(predicate, m_Value(a), m_Value(b)))) return nullptr;
  if (predicate == llvm::ICmpInst::ICMP_UGT || predicate == llvm::ICmpInst::ICMP_SGT) {
    std::swap(a, b);
  } else if (predicate != llvm::ICmpInst::ICMP_ULT && predicate != llvm::ICmpInst::ICMP_SLT) {
    return nullptr;
  }
  llvm::Value* count = llvm::getSplatValue(b);
  const bool is_count = count != nullptr && count->getType()->isIntegerTy(32);
  return is_count && counts_lanes(a) ? count : nullptr;
}

std::optional<JoinedLanes> joined_lanes(llvm::Value* vector) {
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(vector)) {
    const bool varies = is_engine_vector(choice->getCondition()->getType());
    llvm::Value* count = varies ? prefix_or_null(choice->getCondition()) : nullptr;
    if (count == nullptr) return std::nullopt;
    return JoinedLanes{choice->getTrueValue(), choice->getFalseValue(), count};
  }
  auto* blend = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
  const bool is_blend = blend != nullptr && is_engine_vector(blend->getType()) &&
                        is_engine_vector(blend->getOperand(0)->getType());
  if (!is_blend) return std::nullopt;
  unsigned in_front = 0;  // lanes of the operand that the first ones come from
  int operand_in_front = -1;
  int operand_behind = -1;
  for (unsigned lane = 0; lane < kEngineLanes; ++lane) {
    const int place = blend->getMaskValue(lane);
    if (place < 0) continue;
    if (static_cast<unsigned>(place) % kEngineLanes != lane) return std::nullopt;
    const int operand = place / static_cast<int>(kEngineLanes);
    if (operand_in_front < 0) operand_in_front = operand;
    if (operand == operand_in_front && operand_behind >= 0) return std::nullopt;
    if (operand == operand_in_front) in_front = lane + 1;
    if (operand != operand_in_front) operand_behind = operand;
  }
  if (operand_in_front < 0) operand_in_front = 0;
  return JoinedLanes{blend->getOperand(static_cast<unsigned>(operand_in_front)),
                     blend->getOperand(static_cast<unsigned>(1 - operand_in_front)),
                     length(blend->getContext(), in_front)};
}

ActiveLengths::ActiveLengths(llvm::Function& function)
    : dominators_(function), all_(length(function.getContext(), kEngineLanes)) {
  std::vector<llvm::Instruction*> vectors;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (fills_register(instruction.getType())) vectors.push_back(&instruction);
  }
  // Uses stand behind, but for those by the next turn of a loop.
  std::reverse(vectors.begin(), vectors.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction* vector : vectors) {
      llvm::Value* lanes = demanded_or_null(*vector);
      if (lanes == nullptr || known_[vector] == lanes) continue;
      known_[vector] = lanes;
      changed = true;
    }
  }
}

llvm::Value* ActiveLengths::of(const llvm::Instruction& instruction) const {
  if (is_masked_store(instruction)) {
    llvm::Value* lanes = prefix_or_null(instruction.getOperand(3));
    return lanes == nullptr ? all_ : lanes;
  }
  const auto found = known_.find(&instruction);
  return found == known_.end() || found->second == nullptr ? all_ : found->second;
}

llvm::Value* ActiveLengths::demanded_or_null(llvm::Instruction& instruction) const {
  llvm::Value* lanes = nullptr;
  for (llvm::Use& use : instruction.uses()) {
    llvm::Value* wanted = demanded_or_null(use);
    if (wanted == nullptr) continue;
    lanes = lanes == nullptr ? wanted : either_or_null(lanes, wanted);
    if (lanes == nullptr) return all_;
  }
  const auto* made = llvm::dyn_cast_or_null<llvm::Instruction>(lanes);
  return made != nullptr && !dominators_.dominates(made, &instruction) ? all_ : lanes;
}

llvm::Value* ActiveLengths::demanded_or_null(llvm::Use& use) const {
  auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&user); call != nullptr && is_reduction(*call)) {
    return reduced_part(*call).length;
  }
  const auto joined = joined_lanes(&user);
  if (joined && use.get() == joined->first && use.get() != joined->others) return joined->count;
  if (!fills_register(user.getType())) return of(user);
  const auto found = known_.find(&user);
  return found == known_.end() ? nullptr : found->second;
}

ReducedPart reduced_part(llvm::CallInst& reduction) {
  llvm::Value* vector = reduction.getArgOperand(reduction.arg_size() - 1);
  llvm::Value* const all = length(reduction.getContext(), kEngineLanes);
  const auto joined = joined_lanes(vector);
  if (!joined) return {vector, all};
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(joined->count);
  const auto* none = llvm::dyn_cast<llvm::Constant>(joined->others);
  // A sum of no lane at all has a value, which lies behind them.
  if (known == nullptr || known->isZero() || none == nullptr) return {vector, all};
  const llvm::Constant* element = none->getSplatValue(/*AllowPoison=*/true);
  const auto* call = llvm::cast<llvm::IntrinsicInst>(&reduction);
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
  const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
  bool changes_nothing = false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::vector_reduce_fadd:
      changes_nothing = number != nullptr && number->isZero();
      break;
    case llvm::Intrinsic::vector_reduce_fmul:
      changes_nothing = number != nullptr && number->isExactlyValue(1);
      break;
    case llvm::Intrinsic::vector_reduce_mul:
      changes_nothing = integer != nullptr && integer->isOne();
      break;
    case llvm::Intrinsic::vector_reduce_add:
      changes_nothing = integer != nullptr && integer->isZero();
      break;
    case llvm::Intrinsic::vector_reduce_fmaximum:
      changes_nothing = number != nullptr && number->isInfinity() && number->isNegative();
      break;
    case llvm::Intrinsic::vector_reduce_fminimum:
      changes_nothing = number != nullptr && number->isInfinity() && !number->isNegative();
      break;
    case llvm::Intrinsic::vector_reduce_smax:
      changes_nothing = integer != nullptr && integer->isMinValue(/*IsSigned=*/true);
      break;
    case llvm::Intrinsic::vector_reduce_smin:
      changes_nothing = integer != nullptr && integer->isMaxValue(/*IsSigned=*/true);
      break;
    default:
      break;
  }
  if (!changes_nothing) return {vector, all};
  return {joined->first, joined->count};
}

}  // namespace solway::codegen::detail
