#include "codegen/llvm/detail/vector_engine/pack_pairs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_engine/engine.h"

namespace solway::codegen::detail {
namespace {

using Pair = std::pair<llvm::Value*, llvm::Value*>;

bool is_of_floats(const llvm::Value& v) {
  return is_engine_vector(v.getType()) && v.getType()->getScalarType()->isFloatTy();
}

/// What has a packed form: 0 for others.
unsigned packed_operation(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::fma ||
                          call->getIntrinsicID() == llvm::Intrinsic::fmuladd)) {
    return llvm::Instruction::Call;
  }
  const unsigned opcode = i.getOpcode();
  const bool is_there = opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub ||
                        opcode == llvm::Instruction::FMul;
  return is_there ? opcode : 0;
}

/// Of two factors, or terms, a repeated number comes first.
std::vector<llvm::Value*> operands_of(const llvm::Instruction& i) {
  std::vector<llvm::Value*> out(i.op_begin(),
                                i.op_begin() + (llvm::isa<llvm::CallInst>(i) ? 3 : 2));
  const bool is_any_order = i.getOpcode() != llvm::Instruction::FSub;
  if (is_any_order && Engine::scalar_or_null(out[0]) == nullptr &&
      Engine::scalar_or_null(out[1]) != nullptr) {
    std::swap(out[0], out[1]);
  }
  return out;
}

/// Sums that the loop of one block carries, in pairs, and what is computed with them there.
class Block {
 public:
  Block(llvm::BasicBlock& block, const ActiveLengths& lengths)
      : block_(block), lengths_(lengths), b_(block.getContext()) {}

  bool pays() {
    std::vector<llvm::PHINode*> alone;
    for (llvm::PHINode& phi : block_.phis()) {
      if (is_of_floats(phi)) alone.push_back(&phi);
    }
    for (std::size_t k = 0; k + 1 < alone.size();) {
      k += plan_sums(*alone[k], *alone[k + 1]) ? 2 : 1;
    }
    return operations_.size() > put_together_.size();
  }

  void pack() {
    for (const Pair& sums : sums_) make_phi(sums);
    for (const Pair& operation : operations_) make(operation);
    for (const Pair& sums : sums_) finish_phi(sums);
    std::vector<Pair> old = sums_;
    old.insert(old.end(), operations_.begin(), operations_.end());
    for (const Pair& pair : old) {
      take_out(*llvm::cast<llvm::Instruction>(pair.first), made_[pair], 0);
      take_out(*llvm::cast<llvm::Instruction>(pair.second), made_[pair], kEngineLanes);
    }
    for (llvm::Instruction* i : replaced_) {
      i->replaceAllUsesWith(llvm::PoisonValue::get(i->getType()));
    }
    for (llvm::Instruction* i : replaced_) i->eraseFromParent();
  }

 private:
  /// Whether two sums are computed alike, each turn from what they were; then notes how.
  bool plan_sums(llvm::PHINode& p, llvm::PHINode& q) {
    const int turn = p.getBasicBlockIndex(&block_);
    if (turn < 0 || p.getNumIncomingValues() != 2) return false;
    const std::size_t num_operations = operations_.size();
    const auto together = put_together_;
    const auto planned = planned_;
    planned_.insert({&p, &q});
    const Pair next = used({p.getIncomingValue(turn), q.getIncomingValueForBlock(&block_)});
    const bool is_right = plan_operation(next) && used_alike(p, q, next);
    if (is_right) {
      sums_.emplace_back(&p, &q);
      return true;
    }
    operations_.resize(num_operations);
    put_together_ = together;
    planned_ = planned;
    return false;
  }

  /// Operands come before what uses them.
  bool plan_operation(const Pair& pair) {
    auto* x = llvm::dyn_cast<llvm::Instruction>(pair.first);
    auto* y = llvm::dyn_cast<llvm::Instruction>(pair.second);
    if (x == nullptr || y == nullptr || x == y) return false;
    if (x->getParent() != &block_ || y->getParent() != &block_) return false;
    if (packed_operation(*x) == 0 || packed_operation(*x) != packed_operation(*y)) return false;
    if (is_planned(x) || is_planned(y)) return false;
    const std::vector<llvm::Value*> of_x = operands_of(*x);
    const std::vector<llvm::Value*> of_y = operands_of(*y);
    for (std::size_t k = 0; k < of_x.size(); ++k) {
      const Pair operand = used({of_x[k], of_y[k]});
      if (planned_.count(operand) != 0 || plan_operation(operand)) continue;
      if (is_planned(operand.first) || is_planned(operand.second)) return false;
      const bool are_numbers = Engine::scalar_or_null(operand.first) != nullptr &&
                               Engine::scalar_or_null(operand.second) != nullptr;
      if (!are_numbers) put_together_.insert(operand);
    }
    planned_.insert(pair);
    operations_.push_back(pair);
    return true;
  }

  /// What the first lanes of a value come from, where no others are used.
  const llvm::Value* used(const llvm::Value& v) const {
    const auto* i = llvm::dyn_cast<llvm::Instruction>(&v);
    if (i == nullptr || i->getParent() != &block_) return &v;
    const auto joined = joined_lanes(const_cast<llvm::Value*>(&v));
    return joined && joined->count == lengths_.of(*i) ? joined->first : &v;
  }
  Pair used(const Pair& pair) const {
    return {const_cast<llvm::Value*>(used(*pair.first)),
            const_cast<llvm::Value*>(used(*pair.second))};
  }

  bool is_planned(const llvm::Value* v) const {
    return std::any_of(planned_.begin(), planned_.end(),
                       [&](const Pair& pair) { return pair.first == v || pair.second == v; });
  }

  /// Whether the block uses all that this sum is made of in pairs only.
  bool used_alike(llvm::PHINode& p, llvm::PHINode& q, const Pair& next) const {
    if (planned_.count(next) == 0) return false;
    return std::all_of(planned_.begin(), planned_.end(), [&](const Pair& pair) {
      return is_used_in_pairs(*pair.first, p, q) && is_used_in_pairs(*pair.second, p, q);
    });
  }

  bool is_used_in_pairs(const llvm::Value& v, const llvm::PHINode& p,
                        const llvm::PHINode& q) const {
    return std::all_of(v.user_begin(), v.user_end(), [&](const llvm::User* user) {
      const auto* i = llvm::cast<llvm::Instruction>(user);
      if (i->getParent() != &block_ || i == &p || i == &q || is_planned(i)) return true;
      return used(*i) == &v && is_used_in_pairs(*i, p, q);
    });
  }

  llvm::Type* type() { return llvm::FixedVectorType::get(b_.getFloatTy(), 2 * kEngineLanes); }

  /// No constant, also of two: an instruction that lowering reads.
  llvm::Value* concatenated(const Pair& pair, llvm::Instruction* at) {
    llvm::SmallVector<int> lanes(std::size_t{2} * kEngineLanes);
    std::iota(lanes.begin(), lanes.end(), 0);
    return new llvm::ShuffleVectorInst(pair.first, pair.second, lanes, "", at);
  }

  /// Behind the later one, so that all that use both find it.
  llvm::Value* packed(const Pair& pair, llvm::Instruction* at) {
    const auto found = made_.find(pair);
    if (found != made_.end()) return found->second;
    auto* x = llvm::dyn_cast<llvm::Instruction>(pair.first);
    auto* y = llvm::dyn_cast<llvm::Instruction>(pair.second);
    if (put_together_.count(pair) == 0 || x == nullptr || y == nullptr ||
        x->getParent() != y->getParent()) {
      return concatenated(pair, at);
    }
    llvm::Value*& known = concatenated_[pair];
    if (known == nullptr) {
      llvm::Instruction* later = x == y || y->comesBefore(x) ? x : y;
      known = concatenated(pair, &**later->getInsertionPointAfterDef());
    }
    return known;
  }

  void make_phi(const Pair& sums) {
    auto* phi = llvm::cast<llvm::PHINode>(sums.first);
    b_.SetInsertPoint(phi);
    made_[sums] = b_.CreatePHI(type(), phi->getNumIncomingValues());
  }

  void finish_phi(const Pair& sums) {
    auto* p = llvm::cast<llvm::PHINode>(sums.first);
    auto* q = llvm::cast<llvm::PHINode>(sums.second);
    auto* phi = llvm::cast<llvm::PHINode>(made_[sums]);
    for (unsigned k = 0; k < p->getNumIncomingValues(); ++k) {
      llvm::BasicBlock* from = p->getIncomingBlock(k);
      const Pair values{p->getIncomingValue(k), q->getIncomingValueForBlock(from)};
      phi->addIncoming(packed(from == &block_ ? used(values) : values, from->getTerminator()),
                       from);
    }
  }

  void make(const Pair& operation) {
    auto* x = llvm::cast<llvm::Instruction>(operation.first);
    auto* y = llvm::cast<llvm::Instruction>(operation.second);
    llvm::Instruction* at = x->comesBefore(y) ? y : x;
    llvm::SmallVector<llvm::Value*> operands;
    const std::vector<llvm::Value*> of_x = operands_of(*x);
    const std::vector<llvm::Value*> of_y = operands_of(*y);
    for (std::size_t k = 0; k < of_x.size(); ++k) {
      operands.push_back(packed(used({of_x[k], of_y[k]}), at));
    }
    b_.SetInsertPoint(at);
    made_[operation] =
        llvm::isa<llvm::CallInst>(x)
            ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {type()}, operands)
            : b_.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(x->getOpcode()), operands[0],
                             operands[1]);
  }

  /// Where other blocks use one of a pair: outside of the loop.
  void take_out(llvm::Instruction& old, llvm::Value* packed, unsigned first) {
    replaced_.push_back(&old);
    llvm::SmallVector<int> lanes(kEngineLanes);
    std::iota(lanes.begin(), lanes.end(), static_cast<int>(first));
    for (llvm::Use& use : llvm::make_early_inc_range(old.uses())) {
      auto* at = llvm::cast<llvm::Instruction>(use.getUser());
      if (at->getParent() == &block_) {
        if (used(*at) == &old) take_out(*at, packed, first);
        continue;
      }
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(at)) {
        llvm::BasicBlock* from = phi->getIncomingBlock(use);
        at = (from == &block_ ? way_to(*at->getParent()) : *from).getTerminator();
      }
      use.set(new llvm::ShuffleVectorInst(packed, llvm::PoisonValue::get(packed->getType()), lanes,
                                          "", at));
    }
  }

  /// A block of its own between the loop and one behind it.
  llvm::BasicBlock& way_to(llvm::BasicBlock& behind) {
    llvm::BasicBlock*& way = ways_[&behind];
    if (way != nullptr) return *way;
    way = llvm::BasicBlock::Create(b_.getContext(), "unpacked", block_.getParent(), &behind);
    llvm::BranchInst::Create(&behind, way);
    block_.getTerminator()->replaceSuccessorWith(&behind, way);
    behind.replacePhiUsesWith(&block_, way);
    return *way;
  }

  llvm::BasicBlock& block_;
  const ActiveLengths& lengths_;
  llvm::IRBuilder<> b_;
  std::vector<Pair> sums_;
  std::vector<Pair> operations_;
  std::set<Pair> planned_;       ///< the sums and operations so far
  std::set<Pair> put_together_;  ///< vectors that come from elsewhere
  std::map<Pair, llvm::Value*> made_;
  std::map<Pair, llvm::Value*> concatenated_;
  std::map<llvm::BasicBlock*, llvm::BasicBlock*> ways_;
  std::vector<llvm::Instruction*> replaced_;
};

}  // namespace

void pack_pairs(llvm::Function& function) {
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function) blocks.push_back(&block);
  std::optional<ActiveLengths> lengths(function);
  for (llvm::BasicBlock* block : blocks) {
    Block loop(*block, *lengths);
    if (!loop.pays()) continue;
    loop.pack();
    lengths.emplace(function);
  }
}

}  // namespace solway::codegen::detail
