#include "codegen/llvm/detail/store_across_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"

namespace solway::codegen::detail {
namespace {

bool is_half(const llvm::Type* type) { return type->isHalfTy() || type->isBFloatTy(); }

bool has_vectors(const llvm::IntrinsicInst& call) {
  return call.getType()->isVectorTy() ||
         std::any_of(call.arg_begin(), call.arg_end(),
                     [](const llvm::Use& use) { return use->getType()->isVectorTy(); });
}

/// Whether it may become a call: better one too many.
bool may_call(const llvm::Instruction& instruction) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return !has_vectors(*intrinsic) && !intrinsic->isAssumeLikeIntrinsic();
  }
  if (llvm::isa<llvm::CallBase>(instruction)) return true;
  if (instruction.getOpcode() == llvm::Instruction::FRem) return true;
  return is_half(instruction.getType()) ||
         std::any_of(instruction.op_begin(), instruction.op_end(),
                     [](const llvm::Use& use) { return is_half(use->getType()); });
}

/// Which vectors are needed after which calls.
class Liveness {
 public:
  explicit Liveness(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (may_call(instruction)) calls_[instruction.getParent()].push_back(&instruction);
    }
  }

  bool has_calls() const { return !calls_.empty(); }
  std::vector<llvm::Instruction*> calls() const {
    std::vector<llvm::Instruction*> out;
    for (const auto& [block, calls] : calls_) out.insert(out.end(), calls.begin(), calls.end());
    return out;
  }

  bool crosses_call(const llvm::Instruction& value) const {
    return std::any_of(value.use_begin(), value.use_end(),
                       [&](const llvm::Use& use) { return crosses_call(value, use); });
  }

 private:
  /// Whether a call stands between the two; null: the begin or the end of the block.
  bool has_call(const llvm::BasicBlock* block, const llvm::Instruction* after,
                const llvm::Instruction* before) const {
    const auto found = calls_.find(block);
    if (found == calls_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(), [&](const auto* call) {
      return (after == nullptr || after->comesBefore(call)) &&
             (before == nullptr || call->comesBefore(before));
    });
  }

  /// Walks back from a use to the value, through all ways that lead to it.
  bool crosses_call(const llvm::Instruction& value, const llvm::Use& use) const {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    const llvm::BasicBlock* const home = value.getParent();
    const llvm::BasicBlock* block = user->getParent();
    const llvm::Instruction* end = user;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      block = phi->getIncomingBlock(use);
      end = nullptr;
    }
    if (block == home && (end == nullptr || value.comesBefore(end))) {
      return has_call(block, &value, end);
    }
    if (has_call(block, nullptr, end)) return true;
    std::set<const llvm::BasicBlock*> seen;
    std::vector<const llvm::BasicBlock*> open(llvm::pred_begin(block), llvm::pred_end(block));
    while (!open.empty()) {
      const llvm::BasicBlock* const next = open.back();
      open.pop_back();
      if (!seen.insert(next).second) continue;
      if (has_call(next, next == home ? &value : nullptr, nullptr)) return true;
      if (next != home) open.insert(open.end(), llvm::pred_begin(next), llvm::pred_end(next));
    }
    return false;
  }

  std::map<const llvm::BasicBlock*, std::vector<llvm::Instruction*>> calls_;
};

/// Whether all lanes are one number, which is repeated again where they are used.
bool is_repeated(const llvm::Instruction& vector) {
  return llvm::isa<llvm::InsertElementInst>(vector) || llvm::getSplatValue(&vector) != nullptr;
}

/// Makes masks of the first lanes, which lowering takes for a length where they are used, again for
/// each use.
void repeat_prefix(llvm::Instruction& mask) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : mask.uses()) uses.push_back(&use);
  for (llvm::Use* use : uses) {
    auto* at = llvm::cast<llvm::Instruction>(use->getUser());
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(at)) {
      at = phi->getIncomingBlock(*use)->getTerminator();
    }
    llvm::Instruction* again = mask.clone();
    again->insertBefore(at);
    use->set(again);
  }
}

/// Gives each call a block of its own: within one, the code generator moves calls of functions that
/// touch no memory, as of a root, and takes loads on both sides for one.
void isolate(const std::vector<llvm::Instruction*>& calls) {
  for (llvm::Instruction* call : calls) {
    llvm::SplitBlock(call->getParent(), call);
    llvm::SplitBlock(call->getParent(), call->getNextNode());
  }
}

}  // namespace

bool store_across_calls(llvm::Function& function) {
  const Liveness liveness(function);
  if (!liveness.has_calls()) return false;
  bool has_vectors = false;
  std::vector<llvm::Instruction*> stored;
  std::vector<llvm::Instruction*> prefixes;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.getType()->isVectorTy()) continue;
    has_vectors = true;
    if (is_repeated(instruction)) continue;
    if (!liveness.crosses_call(instruction)) continue;
    const bool is_prefix =
        llvm::isa<llvm::ICmpInst>(instruction) && prefix_or_null(&instruction) != nullptr;
    (is_prefix ? prefixes : stored).push_back(&instruction);
  }
  if (!has_vectors) return false;
  for (llvm::Instruction* mask : prefixes) repeat_prefix(*mask);
  // A phi as well: DemotePHIToStack would load it once, where it stood, and leave that in a
  // register.
  for (llvm::Instruction* value : stored) llvm::DemoteRegToStack(*value);
  isolate(liveness.calls());
  return true;
}

}  // namespace solway::codegen::detail
