#include "codegen/llvm/detail/vector_engine/packed_forms.h"

#include <string>
#include <utility>

#include <llvm/IR/IntrinsicInst.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"

namespace solway::codegen::detail {
namespace {

/// The numbers that all upper and all lower halves have, as the bits of one element; null where
/// lanes differ.
llvm::Value* numbers_or_null(Engine& e, llvm::Value* packed) {
  const auto* both = llvm::dyn_cast<llvm::ShuffleVectorInst>(packed);
  if (both == nullptr) return nullptr;
  llvm::Value* upper = Engine::scalar_or_null(both->getOperand(0));
  llvm::Value* lower = Engine::scalar_or_null(both->getOperand(1));
  if (upper == nullptr || lower == nullptr) return nullptr;
  const auto bits = [&](llvm::Value* number) {
    return e.b.CreateZExt(e.b.CreateBitCast(number, e.b.getInt32Ty()), e.b.getInt64Ty());
  };
  return e.b.CreateOr(e.b.CreateShl(bits(upper), 32), bits(lower));
}

/// A register, also of numbers.
llvm::Value* held(Engine& e, llvm::Value* packed) {
  llvm::Value* numbers = numbers_or_null(e, packed);
  return numbers == nullptr ? e.of(packed) : e.call("pvbrd.vsl", {numbers});
}

/// x op y, where instructions take numbers for x.
llvm::Value* in_order(Engine& e, const std::string& name, llvm::Value* x, llvm::Value* y) {
  if (llvm::Value* numbers = numbers_or_null(e, x)) {
    return e.call(name + ".vsvl", {numbers, held(e, y)});
  }
  return e.call(name + ".vvvl", {e.of(x), held(e, y)});
}

llvm::Value* in_any_order(Engine& e, const std::string& name, llvm::Value* x, llvm::Value* y) {
  if (numbers_or_null(e, x) == nullptr) std::swap(x, y);
  return in_order(e, name, x, y);
}

llvm::Value* multiplied_and_added(Engine& e, llvm::Value* x, llvm::Value* y, llvm::Value* z) {
  if (numbers_or_null(e, x) == nullptr) std::swap(x, y);
  if (llvm::Value* numbers = numbers_or_null(e, x)) {
    return e.call("pvfmad.vvsvl", {held(e, z), numbers, held(e, y)});
  }
  return e.call("pvfmad.vvvvl", {held(e, z), e.of(x), e.of(y)});
}

/// Two registers in one, or one of two taken out.
llvm::Value* shuffled(Engine& e, llvm::ShuffleVectorInst& shuffle) {
  llvm::Value* x = shuffle.getOperand(0);
  if (is_packed(x->getType())) {
    const bool is_upper = shuffle.getMaskValue(0) == 0;
    return is_upper ? e.of(x) : e.call("vsll.vvsl", {e.of(x), e.b.getInt64(32)});
  }
  constexpr std::uint64_t kUpperHalves = 2;  // of the first one above those of the second one
  return e.call("vshf.vvvsl", {e.of(x), e.of(shuffle.getOperand(1)), e.b.getInt64(kUpperHalves)});
}

}  // namespace

llvm::Value* lower_packed(Engine& e, llvm::Instruction& instruction) {
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    return shuffled(e, *shuffle);
  }
  llvm::Value* x = instruction.getOperand(0);
  llvm::Value* y = instruction.getOperand(1);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
      return in_any_order(e, "pvfadd", x, y);
    case llvm::Instruction::FMul:
      return in_any_order(e, "pvfmul", x, y);
    case llvm::Instruction::FSub:
      return in_order(e, "pvfsub", x, y);
    case llvm::Instruction::Call:
      return multiplied_and_added(e, x, y, instruction.getOperand(2));
    default:
      e.fail(instruction);
  }
}

}  // namespace solway::codegen::detail
