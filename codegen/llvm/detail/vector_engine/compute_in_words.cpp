#include "codegen/llvm/detail/vector_engine/compute_in_words.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "support/error.h"

namespace solway::codegen::detail {
namespace {

bool is_narrow(const llvm::Type* type) {
  if (!is_engine_vector(type)) return false;
  const llvm::Type* element = type->getScalarType();
  return element->isIntegerTy(8) || element->isIntegerTy(16);
}

bool has_narrow(const llvm::Instruction& i) {
  return is_narrow(i.getType()) || std::any_of(i.op_begin(), i.op_end(), [](const llvm::Use& use) {
           return is_narrow(use->getType());
         });
}

/// Whether it moves elements as they are.
bool is_access(const llvm::Instruction& i) {
  if (llvm::isa<llvm::LoadInst>(i) || llvm::isa<llvm::StoreInst>(i)) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (call == nullptr) return false;
  const llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id == llvm::Intrinsic::masked_load || id == llvm::Intrinsic::masked_store ||
         id == llvm::Intrinsic::experimental_vp_strided_load ||
         id == llvm::Intrinsic::experimental_vp_strided_store;
}

/// What the bits above those of a narrow integer are, in the word that holds it.
enum class Above : std::uint8_t { Any, Zeros, Sign };

class Words {
 public:
  explicit Words(llvm::Function& function) : function_(function), b_(function.getContext()) {}

  void run() {
    std::vector<llvm::Instruction*> found;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      for (llvm::Instruction& i : *block) {
        if (has_narrow(i)) found.push_back(&i);
      }
    }
    for (llvm::Instruction* i : found) rewrite(*i);
    for (const auto& [phi, held] : phis_) {
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k) {
        b_.SetInsertPoint(phi->getIncomingBlock(k)->getTerminator());
        held->addIncoming(word(phi->getIncomingValue(k), Above::Any), phi->getIncomingBlock(k));
      }
    }
    for (llvm::Instruction* i : replaced_) {
      i->replaceAllUsesWith(llvm::PoisonValue::get(i->getType()));
      i->eraseFromParent();
    }
  }

 private:
  llvm::Type* words() { return llvm::FixedVectorType::get(b_.getInt32Ty(), kEngineLanes); }

  llvm::Value* extended(llvm::Value* narrow, llvm::Type* type, Above above) {
    return above == Above::Sign ? b_.CreateSExt(narrow, type) : b_.CreateZExt(narrow, type);
  }

  /// Whether a word is known to have these bits above.
  bool is_extended(llvm::Value* word, const llvm::Type* narrow, Above above) const {
    const unsigned all = word->getType()->getScalarSizeInBits();
    const unsigned own = narrow->getScalarSizeInBits();
    const llvm::DataLayout& layout = function_.getDataLayout();
    switch (above) {
      case Above::Any:
        return true;
      case Above::Zeros:
        return llvm::MaskedValueIsZero(word, llvm::APInt::getHighBitsSet(all, all - own), layout);
      case Above::Sign:
        return llvm::ComputeNumSignBits(word, layout) > all - own;
    }
    return false;
  }

  /// int32 whose last bits are a narrow integer.
  llvm::Value* word(llvm::Value* v, Above above) {
    if (llvm::Value* number = Engine::scalar_or_null(v)) {
      return b_.CreateVectorSplat(kEngineLanes, extended(number, b_.getInt32Ty(), above));
    }
    const auto made = held_.find(v);
    if (made != held_.end() && is_extended(made->second, v->getType(), above)) return made->second;
    auto& known = extended_[{v, above}];
    if (known != nullptr) return known;
    auto* from = llvm::dyn_cast<llvm::Instruction>(made == held_.end() ? v : made->second);
    const llvm::IRBuilder<>::InsertPointGuard guard(b_);
    if (from != nullptr) b_.SetInsertPoint(*from->getInsertionPointAfterDef());  // for all uses
    known = extended(narrow(v), words(), above);
    return known;
  }

  llvm::Value* narrow(llvm::Value* v) {
    const auto made = held_.find(v);
    return made == held_.end() ? v : b_.CreateTrunc(made->second, v->getType());
  }

  void rewrite(llvm::Instruction& i) {
    b_.SetInsertPoint(&i);
    if (is_access(i)) {
      for (llvm::Use& use : i.operands()) {
        if (is_narrow(use->getType())) use.set(narrow(use.get()));
      }
      return;
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
      phis_.emplace_back(phi, b_.CreatePHI(words(), phi->getNumIncomingValues()));
      return replace(i, phis_.back().second);
    }
    const bool is_repetition = is_narrow(i.getType()) && Engine::scalar_or_null(&i) != nullptr;
    if (is_repetition || is_step_of_repetition(i)) return;
    llvm::Value* made = rewritten_or_null(i);
    if (made == nullptr) fail(i);
    replace(i, made);
  }

  void replace(llvm::Instruction& i, llvm::Value* made) {
    if (is_narrow(i.getType())) {
      held_[&i] = made;
    } else {
      i.replaceAllUsesWith(made);
    }
    replaced_.push_back(&i);
  }

  /// In words where the result is narrow.
  llvm::Value* rewritten_or_null(llvm::Instruction& i) {
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&i)) return computed(*operation);
    if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&i)) return converted(*conversion);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) return called(*call);
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i)) {
      const Above above = comparison->isSigned() ? Above::Sign : Above::Zeros;
      return b_.CreateICmp(comparison->getPredicate(), word(i.getOperand(0), above),
                           word(i.getOperand(1), above));
    }
    const auto any = [&](unsigned k) { return word(i.getOperand(k), Above::Any); };
    if (llvm::isa<llvm::SelectInst>(i)) return b_.CreateSelect(i.getOperand(0), any(1), any(2));
    if (llvm::isa<llvm::FreezeInst>(i)) return b_.CreateFreeze(any(0));
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i)) {
      return b_.CreateShuffleVector(any(0), any(1), shuffle->getShuffleMask());
    }
    if (llvm::isa<llvm::InsertElementInst>(i)) {
      llvm::Value* element = b_.CreateZExt(i.getOperand(1), b_.getInt32Ty());
      return b_.CreateInsertElement(any(0), element, i.getOperand(2));
    }
    if (llvm::isa<llvm::ExtractElementInst>(i)) {
      return b_.CreateTrunc(b_.CreateExtractElement(any(0), i.getOperand(1)), i.getType());
    }
    return nullptr;
  }

  llvm::Value* computed(llvm::BinaryOperator& operation) {
    Above x = Above::Any;
    Above y = Above::Any;
    const unsigned opcode = operation.getOpcode();
    switch (opcode) {
      case llvm::Instruction::Shl:
        y = Above::Zeros;
        break;
      case llvm::Instruction::LShr:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
        x = y = Above::Zeros;
        break;
      case llvm::Instruction::AShr:
        x = Above::Sign;
        y = Above::Zeros;
        break;
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
        x = y = Above::Sign;
        break;
      default:
        break;
    }
    return b_.CreateBinOp(operation.getOpcode(), word(operation.getOperand(0), x),
                          word(operation.getOperand(1), y));
  }

  llvm::Value* converted(llvm::CastInst& conversion) {
    llvm::Value* x = conversion.getOperand(0);
    llvm::Type* type = is_narrow(conversion.getType()) ? words() : conversion.getType();
    const unsigned opcode = conversion.getOpcode();
    switch (opcode) {
      case llvm::Instruction::Trunc:
        if (is_narrow(x->getType())) x = word(x, Above::Any);
        return b_.CreateTrunc(x, type);
      case llvm::Instruction::ZExt:
        return b_.CreateZExt(is_narrow(x->getType()) ? word(x, Above::Zeros) : x, type);
      case llvm::Instruction::SExt:
        return b_.CreateSExt(is_narrow(x->getType()) ? word(x, Above::Sign) : x, type);
      case llvm::Instruction::UIToFP:
        return b_.CreateSIToFP(word(x, Above::Zeros), type);
      case llvm::Instruction::SIToFP:
        return b_.CreateSIToFP(word(x, Above::Sign), type);
      case llvm::Instruction::FPToSI:
      case llvm::Instruction::FPToUI:
        return b_.CreateFPToSI(x, type);
      default:
        return nullptr;
    }
  }

  llvm::Value* least(llvm::Value* x, llvm::Value* y) {
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
  }
  llvm::Value* most(llvm::Value* x, llvm::Value* y) {
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
  }

  /// The nearest of what a type of so many bits holds.
  llvm::Value* bounded(llvm::Value* x, unsigned bits, Above above) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    const std::int64_t low = above == Above::Sign ? -half : 0;
    const auto number = [&](std::int64_t v) {
      return llvm::ConstantInt::getSigned(x->getType(), v);
    };
    return least(most(x, number(low)), number(low + 2 * half - 1));
  }

  llvm::Value* called(llvm::IntrinsicInst& call) {
    llvm::Value* x = call.getArgOperand(0);
    const unsigned bits = call.getType()->getScalarSizeInBits();
    const auto both = [&](Above above, const auto& combine) {
      return combine(word(x, above), word(call.getArgOperand(1), above));
    };
    const auto sum = [&](llvm::Value* a, llvm::Value* b) { return b_.CreateAdd(a, b); };
    const auto difference = [&](llvm::Value* a, llvm::Value* b) { return b_.CreateSub(a, b); };
    const auto least = [&](llvm::Value* a, llvm::Value* b) { return this->least(a, b); };
    const auto most = [&](llvm::Value* a, llvm::Value* b) { return this->most(a, b); };
    const auto integer = [&] {
      return b_.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {words(), x->getType()}, {x});
    };
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::fptosi_sat:
        return bounded(integer(), bits, Above::Sign);
      case llvm::Intrinsic::fptoui_sat:
        return bounded(integer(), bits, Above::Zeros);
      case llvm::Intrinsic::smax:
        return both(Above::Sign, most);
      case llvm::Intrinsic::smin:
        return both(Above::Sign, least);
      case llvm::Intrinsic::umax:
        return both(Above::Zeros, most);
      case llvm::Intrinsic::umin:
        return both(Above::Zeros, least);
      case llvm::Intrinsic::abs:
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, word(x, Above::Sign), b_.getFalse());
      case llvm::Intrinsic::sadd_sat:
        return bounded(both(Above::Sign, sum), bits, Above::Sign);
      case llvm::Intrinsic::ssub_sat:
        return bounded(both(Above::Sign, difference), bits, Above::Sign);
      case llvm::Intrinsic::uadd_sat:
        return bounded(both(Above::Zeros, sum), bits, Above::Zeros);
      case llvm::Intrinsic::usub_sat:
        return bounded(both(Above::Zeros, difference), bits, Above::Zeros);
      default:
        return reduced_or_null(call);
    }
  }

  llvm::Value* reduced_or_null(llvm::IntrinsicInst& call) {
    const auto of_words = [&](Above above) { return word(call.getArgOperand(0), above); };
    const auto result = [&](llvm::Value* v) { return b_.CreateTrunc(v, call.getType()); };
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::vector_reduce_add:
        return result(b_.CreateAddReduce(of_words(Above::Any)));
      case llvm::Intrinsic::vector_reduce_mul:
        return result(b_.CreateMulReduce(of_words(Above::Any)));
      case llvm::Intrinsic::vector_reduce_smax:
        return result(b_.CreateIntMaxReduce(of_words(Above::Sign), /*IsSigned=*/true));
      case llvm::Intrinsic::vector_reduce_smin:
        return result(b_.CreateIntMinReduce(of_words(Above::Sign), /*IsSigned=*/true));
      case llvm::Intrinsic::vector_reduce_umax:
        return result(b_.CreateIntMaxReduce(of_words(Above::Zeros), /*IsSigned=*/true));
      case llvm::Intrinsic::vector_reduce_umin:
        return result(b_.CreateIntMinReduce(of_words(Above::Zeros), /*IsSigned=*/true));
      default:
        return nullptr;
    }
  }

  [[noreturn]] void fail(const llvm::Instruction& i) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    i.print(stream);
    throw InternalError({{},
                         "vector code of kernel '" + function_.getName().str() + "'",
                         "integers of 1 and 2 bytes have no form of " + stream.str(),
                         ""});
  }

  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  std::map<llvm::Value*, llvm::Value*> held_;  ///< words of what was computed
  std::map<std::pair<llvm::Value*, Above>, llvm::Value*> extended_;
  std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
  std::vector<llvm::Instruction*> replaced_;
};

}  // namespace

void compute_in_words(llvm::Function& function) { Words(function).run(); }

}  // namespace solway::codegen::detail
