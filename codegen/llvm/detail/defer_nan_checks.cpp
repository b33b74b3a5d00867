#include "codegen/llvm/detail/defer_nan_checks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Local.h>

namespace solway::codegen::detail {
namespace {

namespace match = llvm::PatternMatch;

/// The larger, or the smaller, of `so_far` and `term`; NaN where one of them is.
struct Step {
  llvm::SelectInst* choice = nullptr;
  llvm::Instruction* is_nan = nullptr;  ///< of so_far
  llvm::FCmpInst* is_beyond = nullptr;
  llvm::Value* so_far = nullptr;
  llvm::Value* term = nullptr;
  llvm::CmpInst::Predicate predicate{};  ///< so_far against term
};

/// Whether `value` says where `x` is NaN.
bool is_nan_check(llvm::Value* value, llvm::Value* x) {
  const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(value);
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::FCMP_UNO) return false;
  llvm::Value* const other = compare->getOperand(1);
  return compare->getOperand(0) == x && (other == x || match::match(other, match::m_AnyZeroFP()));
}

std::optional<Step> step_or_none(llvm::Value* value) {
  auto* choice = llvm::dyn_cast<llvm::SelectInst>(value);
  if (choice == nullptr || !llvm::isa<llvm::FixedVectorType>(choice->getType())) return {};
  auto* either = llvm::dyn_cast<llvm::BinaryOperator>(choice->getCondition());
  if (either == nullptr || either->getOpcode() != llvm::Instruction::Or) return {};
  Step step{choice, nullptr, nullptr, choice->getTrueValue(), choice->getFalseValue(), {}};
  for (unsigned k = 0; k < 2; ++k) {
    auto* compare = llvm::dyn_cast<llvm::FCmpInst>(either->getOperand(k));
    if (compare == nullptr || !is_nan_check(either->getOperand(1 - k), step.so_far)) continue;
    step.is_nan = llvm::cast<llvm::Instruction>(either->getOperand(1 - k));
    step.is_beyond = compare;
  }
  if (step.is_beyond == nullptr) return {};
  step.predicate = step.is_beyond->getPredicate();
  const bool is_turned = step.is_beyond->getOperand(0) == step.term;
  if (is_turned) step.predicate = llvm::CmpInst::getSwappedPredicate(step.predicate);
  const bool is_of_both = step.is_beyond->getOperand(is_turned ? 1 : 0) == step.so_far &&
                          step.is_beyond->getOperand(is_turned ? 0 : 1) == step.term;
  const bool is_known =
      step.predicate == llvm::CmpInst::FCMP_OGT || step.predicate == llvm::CmpInst::FCMP_OLT;
  if (!is_of_both || !is_known) return {};
  return step;
}

/// Whether nothing uses what a step starts from but the step.
bool is_only_in(const llvm::Value* value, const Step& step) {
  return std::all_of(value->user_begin(), value->user_end(), [&](const llvm::User* user) {
    return user == step.choice || user == step.is_nan || user == step.is_beyond;
  });
}

/// Steps of which each takes the result of the one before.
struct Chain {
  std::vector<Step> steps;
  llvm::PHINode* carried = nullptr;  ///< what the first step takes, of a loop; null: of none
  llvm::BasicBlock* exit = nullptr;  ///< of that loop

  llvm::SelectInst* last() const { return steps.back().choice; }
};

/// The phi of a loop of one block that carries the result of `chain`, whose exit nothing else
/// enters.
void find_loop(Chain& chain) {
  auto* phi = llvm::dyn_cast<llvm::PHINode>(chain.steps.front().so_far);
  if (phi == nullptr || phi->getNumIncomingValues() != 2) return;
  llvm::BasicBlock* const block = phi->getParent();
  const int again = phi->getBasicBlockIndex(block);
  if (again < 0 || phi->getIncomingValue(static_cast<unsigned>(again)) != chain.last()) return;
  const auto is_here = [&](const Step& step) { return step.choice->getParent() == block; };
  if (!std::all_of(chain.steps.begin(), chain.steps.end(), is_here)) return;
  if (!is_only_in(phi, chain.steps.front())) return;
  llvm::BasicBlock* exit = nullptr;
  for (llvm::BasicBlock* next : llvm::successors(block)) {
    if (next == block) continue;
    if (exit != nullptr) return;
    exit = next;
  }
  if (exit == nullptr || exit->getSinglePredecessor() != block) return;
  for (const llvm::User* user : chain.last()->users()) {
    const auto* i = llvm::cast<llvm::Instruction>(user);
    if (i->getParent() == block && i != phi) return;
  }
  chain.carried = phi;
  chain.exit = exit;
}

/// Maximal chains, in the order of their last steps.
std::vector<Chain> chains_of(llvm::Function& function) {
  std::vector<Chain> out;
  llvm::DenseSet<llvm::Value*> continued;
  std::vector<Step> steps;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    if (auto step = step_or_none(&i)) steps.push_back(*step);
  }
  const auto links = [](const Step& from, const Step& to) {
    return from.predicate == to.predicate && is_only_in(from.choice, to) &&
           from.choice->getParent() == to.choice->getParent();
  };
  for (const Step& step : steps) {
    const auto before = step_or_none(step.so_far);
    if (before && links(*before, step)) continued.insert(step.so_far);
  }
  for (const Step& step : steps) {
    if (continued.count(step.choice) != 0) continue;
    Chain chain;
    chain.steps.push_back(step);
    while (continued.count(chain.steps.back().so_far) != 0) {
      chain.steps.push_back(*step_or_none(chain.steps.back().so_far));
    }
    std::reverse(chain.steps.begin(), chain.steps.end());
    find_loop(chain);
    if (chain.carried != nullptr || chain.steps.size() > 1) out.push_back(std::move(chain));
  }
  return out;
}

/// Where a step starts from NaN or takes it, two values by two. In a loop each pair at the step
/// that has the later one; else all at the end, as steps of many results stand between each other,
/// and there are few registers for masks.
llvm::Value* find_nan(const Chain& chain, llvm::Instruction* end) {
  // Operands are read anew: another chain may have put a checked result in their place.
  llvm::Value* out = nullptr;
  llvm::Value* first = nullptr;
  if (chain.carried == nullptr) first = chain.steps.front().choice->getTrueValue();
  for (const Step& step : chain.steps) {
    llvm::Value* const term = step.choice->getFalseValue();
    const bool is_last = step.choice == chain.last();
    if (first == nullptr && !is_last) {
      first = term;
      continue;
    }
    llvm::IRBuilder<> b(chain.carried == nullptr ? end : step.choice->getNextNode());
    llvm::Value* found = b.CreateFCmpUNO(first == nullptr ? term : first, term);
    out = out == nullptr ? found : b.CreateOr(out, found);
    first = nullptr;
  }
  return out;
}

/// Puts NaN where `nan` says into the result of steps that stand once.
void check_result(llvm::IRBuilder<>& b, llvm::SelectInst* last, llvm::Value* nan) {
  llvm::Value* const no_number = llvm::ConstantFP::getNaN(last->getType());
  llvm::Value* const result = b.CreateSelect(nan, no_number, last);
  last->replaceUsesWithIf(result, [&](const llvm::Use& use) { return use.getUser() != result; });
}

/// The lanes of a comparison as a loop carries them. Of bits alone, code without registers for them
/// would pack vectors in each turn.
llvm::Value* as_carried(llvm::IRBuilder<>& b, llvm::Value* lanes, llvm::Type* of) {
  if (b.GetInsertBlock()->getParent()->hasFnAttribute(kMasksAttribute)) return lanes;
  return b.CreateSExt(lanes, llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(of)));
}

/// Carries where NaN was beside the result of steps in a loop, and puts it in behind the loop.
void check_behind_loop(llvm::IRBuilder<>& b, const Chain& chain, llvm::Value* nan) {
  llvm::SelectInst* const last = chain.last();
  llvm::BasicBlock* const block = last->getParent();
  nan = as_carried(b, nan, last->getType());
  llvm::PHINode* const so_far = llvm::IRBuilder<>(chain.carried).CreatePHI(nan->getType(), 2);
  nan = b.CreateOr(so_far, nan);
  const unsigned first = chain.carried->getIncomingBlock(0) == block ? 1 : 0;
  llvm::BasicBlock* const before = chain.carried->getIncomingBlock(first);
  llvm::Value* const start = chain.carried->getIncomingValue(first);
  llvm::IRBuilder<> ahead(before->getTerminator());
  so_far->addIncoming(as_carried(ahead, ahead.CreateFCmpUNO(start, start), last->getType()),
                      before);
  so_far->addIncoming(nan, block);
  llvm::IRBuilder<> behind(chain.exit, chain.exit->getFirstInsertionPt());
  llvm::Value* const no_number = llvm::ConstantFP::getNaN(last->getType());
  llvm::Value* const is_nan =
      nan->getType()->getScalarSizeInBits() == 1 ? nan : behind.CreateIsNeg(nan);
  llvm::Value* const result = behind.CreateSelect(is_nan, no_number, last);
  last->replaceUsesWithIf(result, [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const bool is_name = llvm::isa<llvm::PHINode>(user) && user->getParent() == chain.exit;
    return user != result && user->getParent() != block && !is_name;
  });
  // What the exit calls by another name is that.
  for (llvm::PHINode& name : llvm::make_early_inc_range(chain.exit->phis())) {
    if (name.getIncomingValue(0) != last) continue;
    name.replaceAllUsesWith(result);
    name.eraseFromParent();
  }
}

void rewrite(const Chain& chain) {
  llvm::Instruction* const end = chain.last()->getNextNode();
  llvm::IRBuilder<> behind(end);
  llvm::Value* const nan = find_nan(chain, end);
  if (chain.carried == nullptr) {
    check_result(behind, chain.last(), nan);
  } else {
    check_behind_loop(behind, chain, nan);
  }
  for (const Step& step : chain.steps) {
    llvm::IRBuilder<> at(step.choice);
    llvm::Value* const so_far = step.choice->getTrueValue();
    step.choice->setCondition(at.CreateFCmp(step.predicate, so_far, step.choice->getFalseValue()));
  }
}

}  // namespace

bool defer_nan_checks(llvm::Function& function) {
  if (!llvm::Triple(function.getParent()->getTargetTriple()).isX86()) return false;
  const std::vector<Chain> chains = chains_of(function);
  llvm::SmallVector<llvm::WeakTrackingVH, 16> conditions;
  for (const Chain& chain : chains) {
    for (const Step& step : chain.steps) conditions.emplace_back(step.choice->getCondition());
  }
  for (const Chain& chain : chains) rewrite(chain);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(conditions);
  return !chains.empty();
}

}  // namespace solway::codegen::detail
