#include "codegen/llvm/detail/vector_engine/lower_vectors.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Local.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_engine/compute_in_words.h"
#include "codegen/llvm/detail/vector_engine/conversion_forms.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "codegen/llvm/detail/vector_engine/expand_operations.h"
#include "codegen/llvm/detail/vector_engine/float_forms.h"
#include "codegen/llvm/detail/vector_engine/integer_forms.h"
#include "codegen/llvm/detail/vector_engine/lane_forms.h"
#include "codegen/llvm/detail/vector_engine/mask_forms.h"
#include "codegen/llvm/detail/vector_engine/memory_forms.h"
#include "codegen/llvm/detail/vector_engine/pack_pairs.h"
#include "codegen/llvm/detail/vector_engine/packed_forms.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

template <class Is>
bool has(const llvm::Instruction& instruction, Is is) {
  return is(instruction.getType()) ||
         std::any_of(instruction.op_begin(), instruction.op_end(),
                     [&](const llvm::Use& use) { return is(use->getType()); });
}

bool has_vectors(const llvm::Instruction& instruction) {
  return has(instruction, is_engine_vector) || has(instruction, is_packed);
}

bool is_mask(const llvm::Type* type) { return type->getScalarType()->isIntegerTy(1); }

class Lowering {
 public:
  explicit Lowering(llvm::Function& function)
      : function_(function),
        b_(function.getContext()),
        engine_(b_, function.getName().str()),
        lengths_(function) {}

  void run() {
    std::vector<llvm::Instruction*> found;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      for (llvm::Instruction& instruction : *block) {
        if (has_vectors(instruction)) found.push_back(&instruction);
      }
    }
    for (llvm::Instruction* instruction : found) lower(*instruction);
    finish_phis();
    erase(found);
    drop_unused();
  }

 private:
  void lower(llvm::Instruction& instruction) {
    b_.SetInsertPoint(&instruction);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      phis_.emplace_back(phi, b_.CreatePHI(held_type(phi->getType()), phi->getNumIncomingValues()));
      engine_.define(phi, phis_.back().second);
      return;
    }
    // Its number is used instead, by what takes one.
    if (Engine::scalar_or_null(&instruction) != nullptr &&
        is_engine_vector(instruction.getType())) {
      return;
    }
    if (is_step_of_repetition(instruction)) return;
    engine_.length = lengths_.of(instruction);
    if (lower_mask_test(engine_, instruction)) return;
    llvm::Value* made =
        has(instruction, is_packed) ? lower_packed(engine_, instruction) : lowered(instruction);
    if (is_engine_vector(instruction.getType()) || is_packed(instruction.getType())) {
      engine_.define(&instruction, made);
    } else if (!instruction.getType()->isVoidTy()) {
      instruction.replaceAllUsesWith(made);
    }
  }

  llvm::Type* held_type(llvm::Type* vector) {
    llvm::Type* element =
        is_mask(vector) ? static_cast<llvm::Type*>(b_.getInt1Ty()) : b_.getDoubleTy();
    return llvm::FixedVectorType::get(element, kEngineLanes);
  }

  /// A register, a mask or a scalar; null of a store.
  llvm::Value* lowered(llvm::Instruction& i) {
    Engine& e = engine_;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return lower_load(e, *load);
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
      return lower_addresses(e, *address);
    }
    if (auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&i)) {
      return lower_float_comparison(e, *comparison);
    }
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) {
      return lower_integer_comparison(e, *comparison);
    }
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&i)) return lower_select(e, *choice);
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) {
      return lower_shuffle(e, *shuffle);
    }
    if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&i)) {
      return lower_conversion(e, *conversion);
    }
    if (auto* lane = llvm::dyn_cast<llvm::ExtractElementInst>(&i)) {
      return lower_extraction(e, *lane);
    }
    if (auto* lane = llvm::dyn_cast<llvm::InsertElementInst>(&i)) return lower_insertion(e, *lane);
    if (llvm::isa<llvm::FreezeInst>(i)) return e.of(i.getOperand(0));
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return lowered_call(*call);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      lower_store(e, *store);
      return nullptr;
    }
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
      if (is_mask(i.getType())) return lower_mask_logic(e, *operation);
      if (!i.getType()->isFPOrFPVectorTy()) return lower_integer_arithmetic(e, *operation);
    }
    return lower_float_arithmetic(e, i);
  }

  llvm::Value* lowered_call(llvm::IntrinsicInst& call) {
    Engine& e = engine_;
    if (lower_masked_store(e, call)) return nullptr;
    if (llvm::Value* loaded = lower_masked_load_or_null(e, call)) return loaded;
    if (llvm::Value* reduced = lower_reduction_or_null(e, call)) return reduced;
    if (llvm::Value* made = lower_float_function_or_null(e, call)) return made;
    if (llvm::Value* made = lower_integer_function_or_null(e, call)) return made;
    e.fail(call);
  }

  void finish_phis() {
    for (const auto& [phi, held] : phis_) {
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k) {
        llvm::BasicBlock* from = phi->getIncomingBlock(k);
        b_.SetInsertPoint(from->getTerminator());
        engine_.length = b_.getInt32(kEngineLanes);
        held->addIncoming(engine_.of(phi->getIncomingValue(k)), from);
      }
    }
  }

  static void erase(const std::vector<llvm::Instruction*>& replaced) {
    for (llvm::Instruction* instruction : replaced) {
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    }
    for (llvm::Instruction* instruction : replaced) instruction->eraseFromParent();
  }

  /// LLVM does not know that the intrinsics return.
  static bool is_dead(llvm::Instruction& instruction) {
    if (!instruction.use_empty()) return false;
    if (llvm::isInstructionTriviallyDead(&instruction)) return true;
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->doesNotAccessMemory() && !call->getType()->isVoidTy();
  }

  void drop_unused() {
    for (llvm::BasicBlock* block : llvm::post_order(&function_)) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block))) {
        if (is_dead(instruction)) instruction.eraseFromParent();
      }
    }
  }

  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  Engine engine_;
  ActiveLengths lengths_;
  std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
};

}  // namespace

void lower_vectors(llvm::Function& function) {
  if (function.isDeclaration()) return;
  compute_in_words(function);
  expand_operations(function);
  pack_pairs(function);
  Lowering(function).run();
  std::string text;
  llvm::raw_string_ostream problems(text);
  if (llvm::verifyFunction(function, &problems)) {
    throw InternalError({{},
                         "vector code of kernel '" + function.getName().str() + "'",
                         "its LLVM IR breaks the rules: " + problems.str(),
                         ""});
  }
}

}  // namespace solway::codegen::detail
