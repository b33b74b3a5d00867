#include "codegen/llvm/detail/vector_engine/engine.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "support/error.h"

namespace solway::codegen::detail {
std::optional<Sequence> sequence_of(const llvm::Constant& vector) {
  const auto integer = [&](unsigned lane) {
    return llvm::dyn_cast_or_null<llvm::ConstantInt>(vector.getAggregateElement(lane));
  };
  if (integer(0) == nullptr || integer(1) == nullptr) return std::nullopt;
  const llvm::APInt first = integer(0)->getValue();
  const llvm::APInt step = integer(1)->getValue() - first;
  for (unsigned lane = 2; lane < kEngineLanes; ++lane) {
    if (llvm::isa_and_nonnull<llvm::UndefValue>(vector.getAggregateElement(lane))) continue;
    if (integer(lane) == nullptr || integer(lane)->getValue() != first + step * lane) {
      return std::nullopt;
    }
  }
  return Sequence{first.sext(64), step.sext(64)};
}

bool is_step_of_repetition(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::InsertElementInst>(instruction)) return false;
  return std::all_of(instruction.user_begin(), instruction.user_end(), [](const llvm::User* user) {
    return llvm::isa<llvm::ShuffleVectorInst>(user) && llvm::getSplatValue(user) != nullptr;
  });
}

bool on_vector_engine(const llvm::IRBuilder<>& b) {
  return llvm::Triple(b.GetInsertBlock()->getModule()->getTargetTriple()).isVE();
}

Element element_of(llvm::Type* type) {
  llvm::Type* scalar = type->getScalarType();
  if (scalar->isDoubleTy()) return Element::Float64;
  if (scalar->isFloatTy()) return Element::Float32;
  if (scalar->isIntegerTy(64) || scalar->isPointerTy()) return Element::Int64;
  if (scalar->isIntegerTy(32)) return Element::Int32;
  if (scalar->isIntegerTy(16)) return Element::Int16;
  if (scalar->isIntegerTy(8)) return Element::Int8;
  std::string name;
  llvm::raw_string_ostream(name) << *type;
  throw InternalError({{},
                       "a vector of " + name,
                       "the vector engine has no such elements",
                       "ve_vector_lack() should have refused it"});
}

llvm::Value* Engine::call_of_all(const std::string& name, llvm::ArrayRef<llvm::Value*> args) {
  const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID("llvm.ve.vl." + name);
  if (id == llvm::Intrinsic::not_intrinsic) {
    throw InternalError(
        {{}, "instruction '" + name + "' of the vector engine", "LLVM has no such intrinsic", ""});
  }
  return b.CreateIntrinsic(id, {}, args);
}

llvm::Value* Engine::call(const std::string& name, llvm::ArrayRef<llvm::Value*> args) {
  std::vector<llvm::Value*> all(args.begin(), args.end());
  all.push_back(length);
  return call_of_all(name, all);
}

llvm::Value* Engine::in_order(const std::string& name, llvm::Value* x, llvm::Value* y) {
  if (llvm::Value* number = scalar_or_null(x)) return call(name + ".vsvl", {number, of(y)});
  return call(name + ".vvvl", {of(x), of(y)});
}

llvm::Value* Engine::in_any_order(const std::string& name, llvm::Value* x, llvm::Value* y) {
  return scalar_or_null(y) == nullptr ? in_order(name, x, y) : in_order(name, y, x);
}

void Engine::fail(const llvm::Value& what) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&what);
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&what);
  if (call != nullptr && call->getCalledFunction() != nullptr) {
    stream << call->getCalledFunction()->getName();
  } else {
    stream << (instruction == nullptr ? "a constant" : instruction->getOpcodeName()) << " of "
           << *what.getType();
  }
  throw InternalError({{},
                       "vector code of kernel '" + kernel_ + "'",
                       "the vector engine has no form of " + stream.str(),
                       "ve_vector_lack() should have refused it"});
}

llvm::Value* Engine::scalar_or_null(llvm::Value* vector) {
  if (!is_engine_vector(vector->getType())) return vector;
  const auto* constant = llvm::dyn_cast<llvm::Constant>(vector);
  if (constant == nullptr) return llvm::getSplatValue(vector);
  // Lanes that nobody uses may hold anything.
  llvm::Constant* element = constant->getSplatValue(/*AllowPoison=*/true);
  if (element == nullptr || !llvm::isa<llvm::UndefValue>(element)) return element;
  return llvm::Constant::getNullValue(element->getType());
}

llvm::Value* Engine::bits_of(llvm::Value* scalar) {
  llvm::Type* word = b.getInt64Ty();
  if (scalar->getType()->isPointerTy()) return b.CreatePtrToInt(scalar, word);
  switch (element_of(scalar->getType())) {
    case Element::Float64:
      return b.CreateBitCast(scalar, word);
    case Element::Float32:
      return b.CreateShl(b.CreateZExt(b.CreateBitCast(scalar, b.getInt32Ty()), word), 32);
    case Element::Int64:
      return scalar;
    case Element::Int32:
    case Element::Int16:
    case Element::Int8:
      return b.CreateSExt(scalar, word);
  }
  fail(*scalar);
}

llvm::Value* Engine::repeated(llvm::Value* scalar) {
  if (scalar->getType()->isPointerTy()) return call("vbrdl.vsl", {bits_of(scalar)});
  switch (element_of(scalar->getType())) {
    case Element::Float64:
      return call("vbrdd.vsl", {scalar});
    case Element::Float32:
      return call("vbrds.vsl", {scalar});
    case Element::Int64:
      return call("vbrdl.vsl", {scalar});
    case Element::Int32:
    case Element::Int16:
    case Element::Int8:
      return call("vbrdw.vsl", {b.CreateSExt(scalar, b.getInt32Ty())});
  }
  fail(*scalar);
}

llvm::Value* Engine::of(llvm::Value* vector) {
  const auto found = held_.find(vector);
  if (found != held_.end()) return found->second;
  if (auto* known = llvm::dyn_cast<llvm::Constant>(vector)) return constant(*known);
  llvm::Value* scalar = scalar_or_null(vector);
  if (scalar == nullptr) fail(*vector);
  return repeated(scalar);
}

llvm::Value* Engine::constant(llvm::Constant& vector) {
  if (vector.getType()->getScalarType()->isIntegerTy(1)) return constant_mask(vector);
  if (llvm::Value* scalar = scalar_or_null(&vector)) return repeated(scalar);
  const auto sequence = sequence_of(vector);
  if (!sequence) return constant_in_runs(vector);
  llvm::Value* numbers = lane_numbers();
  if (!sequence->step.isOne()) numbers = call("vmulsl.vsvl", {b.getInt(sequence->step), numbers});
  if (sequence->first.isZero()) return numbers;
  return call("vaddsl.vsvl", {b.getInt(sequence->first), numbers});
}

/// Each run of equal lanes over what begins where it does, the last one first.
llvm::Value* Engine::constant_in_runs(llvm::Constant& vector) {
  llvm::Value* const wanted = length;
  llvm::Value* out = nullptr;
  unsigned lane = kEngineLanes;
  while (lane > 0) {
    const unsigned end = lane;
    llvm::Constant* element = vector.getAggregateElement(end - 1);
    const auto is_same = [&](unsigned k) {
      const llvm::Constant* other = vector.getAggregateElement(k);
      return other == element || llvm::isa<llvm::UndefValue>(other);
    };
    while (lane > 0 && is_same(lane - 1)) --lane;
    if (llvm::isa<llvm::UndefValue>(element)) continue;  // nobody uses it
    length = out == nullptr ? b.getInt32(kEngineLanes) : b.getInt32(end);
    llvm::Value* bits = bits_of(element);
    out = out == nullptr ? call("vbrdl.vsl", {bits}) : call("vbrdl.vsvl", {bits, out});
  }
  length = wanted;
  return out == nullptr ? repeated(b.getInt64(0)) : out;
}

llvm::Value* Engine::first_lanes(llvm::Value* count) {
  llvm::Value* lanes = call("vcmpsl.vsvl", {b.CreateZExt(count, b.getInt64Ty()), lane_numbers()});
  return call("vfmklgt.mvl", {lanes});
}

llvm::Value* Engine::constant_mask(llvm::Constant& mask) {
  if (mask.isNullValue()) return all_or_none(false);
  if (mask.isAllOnesValue()) return all_or_none(true);
  if (llvm::Value* count = prefix_or_null(&mask)) return first_lanes(count);
  llvm::Value* out = all_or_none(false);
  constexpr unsigned kBits = 64;
  for (unsigned word = 0; word < kEngineLanes / kBits; ++word) {
    std::uint64_t bits = 0;
    for (unsigned k = 0; k < kBits; ++k) {
      const llvm::Constant* lane = mask.getAggregateElement(word * kBits + k);
      // The first lane is the highest bit.
      if (lane != nullptr && lane->isOneValue()) bits |= std::uint64_t{1} << (kBits - 1 - k);
    }
    out = call_of_all("lvm.mmss", {out, b.getInt64(word), b.getInt64(bits)});
  }
  return out;
}

}  // namespace solway::codegen::detail
