#include "codegen/llvm/detail/lanes.h"

#include <vector>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

#include "codegen/llvm/detail/loop.h"

namespace solway::codegen::detail {
namespace {

using Builder = llvm::IRBuilder<>;

/// Memory of the function for one value of a type.
llvm::AllocaInst* emit_memory(Builder& b, llvm::Type* type) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  Builder at(&entry, entry.begin());
  llvm::AllocaInst* memory = at.CreateAlloca(type, nullptr, "lanes");
  memory->setAlignment(kLanesAlignment);
  return memory;
}

/// Conditions have whole bytes in memory.
llvm::Value* to_bytes(Builder& b, llvm::Value* v) {
  if (!v->getType()->isIntOrIntVectorTy(1)) return v;
  return b.CreateZExt(v, v->getType()->getWithNewType(b.getInt8Ty()));
}

llvm::Value* from_bytes(Builder& b, llvm::Type* type, llvm::Value* v) {
  return type->isIntOrIntVectorTy(1) ? b.CreateTrunc(v, type) : v;
}

/// A vector in memory, of which lanes are read.
class LanesInMemory {
 public:
  LanesInMemory(Builder& b, llvm::Value* vector) : type_(vector->getType()->getScalarType()) {
    llvm::Value* stored = to_bytes(b, vector);
    element_ = stored->getType()->getScalarType();
    memory_ = emit_memory(b, stored->getType());
    b.CreateAlignedStore(stored, memory_, kLanesAlignment);
  }

  llvm::Value* lane(Builder& b, llvm::Value* number) const {
    llvm::Value* address = b.CreateGEP(element_, memory_, number);
    return from_bytes(b, type_, b.CreateLoad(element_, address));
  }

 private:
  llvm::Type* type_;
  llvm::Type* element_;
  llvm::Value* memory_;
};

llvm::Value* in_loop(Builder& b, llvm::ArrayRef<llvm::Value*> args, llvm::VectorType* result,
                     const std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>& scalar) {
  std::vector<LanesInMemory> inputs;
  for (llvm::Value* arg : args) inputs.emplace_back(b, arg);
  llvm::Type* stored = result;
  if (result->isIntOrIntVectorTy(1)) stored = result->getWithNewType(b.getInt8Ty());
  llvm::AllocaInst* output = emit_memory(b, stored);
  llvm::Value* count = b.CreateElementCount(b.getInt64Ty(), result->getElementCount());
  emit_loop(b, b.getInt64(0), count, "lane", [&](llvm::Value* lane) {
    std::vector<llvm::Value*> elements;
    for (const LanesInMemory& input : inputs) elements.push_back(input.lane(b, lane));
    llvm::Value* value = to_bytes(b, scalar(elements));
    b.CreateStore(value, b.CreateGEP(stored->getScalarType(), output, lane));
  });
  return from_bytes(b, result, b.CreateAlignedLoad(stored, output, kLanesAlignment));
}

}  // namespace

llvm::Value* emit_vector_scale(Builder& entry) {
  // A power of two whose exponent the optimizer does not see through: LoopStrengthReduce of LLVM 19
  // takes (n & -4 * vscale), the iterations in whole vectors, for a constant.
  llvm::Value* exponent = entry.CreateBinaryIntrinsic(
      llvm::Intrinsic::cttz, entry.CreateVScale(entry.getInt64(1)), entry.getTrue());
  auto* type = llvm::FunctionType::get(entry.getInt64Ty(), {entry.getInt64Ty()}, false);
  llvm::InlineAsm* same = llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
  constexpr std::uint64_t kMostBits = 15;  // so that the optimizer sees a positive number
  llvm::Value* hidden = entry.CreateAnd(entry.CreateCall(type, same, {exponent}), kMostBits);
  return entry.CreateShl(entry.getInt64(1), hidden, "vscale", /*HasNUW=*/true, /*HasNSW=*/true);
}

llvm::Value* emit_lane_numbers(Builder& b, llvm::Type* integer, llvm::ElementCount lanes) {
  if (lanes.isScalable()) return b.CreateStepVector(llvm::VectorType::get(integer, lanes));
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes.getFixedValue(); ++lane) {
    // Wraps for a narrow type with more lanes than values.
    const llvm::APInt number(64, lane);
    numbers.push_back(
        llvm::ConstantInt::get(b.getContext(), number.trunc(integer->getScalarSizeInBits())));
  }
  return llvm::ConstantVector::get(numbers);
}

llvm::Value* emit_active_or_null(Builder& b, llvm::Value* count, llvm::ElementCount lanes) {
  if (lanes.isScalable()) {
    llvm::Type* mask = llvm::VectorType::get(b.getInt1Ty(), lanes);
    count = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, b.getInt64(0));
    return b.CreateIntrinsic(llvm::Intrinsic::get_active_lane_mask, {mask, b.getInt64Ty()},
                             {b.getInt64(0), count});
  }
  const std::uint64_t all = lanes.getFixedValue();
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(count);
  if (constant != nullptr && constant->getSExtValue() >= static_cast<std::int64_t>(all)) {
    return nullptr;
  }
  count = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, b.getInt64(0));
  count = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, count, b.getInt64(all));
  llvm::Value* splat = b.CreateVectorSplat(lanes, b.CreateTrunc(count, b.getInt32Ty()));
  return b.CreateICmpULT(emit_lane_numbers(b, b.getInt32Ty(), lanes), splat);
}

llvm::Value* emit_per_lane(
    Builder& b, llvm::ArrayRef<llvm::Value*> args, llvm::Type* result,
    const std::function<llvm::Value*(llvm::ArrayRef<llvm::Value*>)>& scalar) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(result);
  if (vector == nullptr) return scalar(args);
  if (vector->getElementCount().isScalable()) return in_loop(b, args, vector, scalar);
  llvm::Value* lanes = llvm::PoisonValue::get(result);
  for (std::uint64_t lane = 0; lane < vector->getElementCount().getFixedValue(); ++lane) {
    std::vector<llvm::Value*> elements;
    for (llvm::Value* arg : args) elements.push_back(b.CreateExtractElement(arg, lane));
    lanes = b.CreateInsertElement(lanes, scalar(elements), lane);
  }
  return lanes;
}

llvm::Value* emit_fold_lanes(
    Builder& b, llvm::Value* vector,
    const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& combine) {
  auto* type = llvm::cast<llvm::VectorType>(vector->getType());
  const LanesInMemory input(b, vector);
  llvm::AllocaInst* result = emit_memory(b, type->getElementType());
  b.CreateStore(input.lane(b, b.getInt64(0)), result);
  llvm::Value* count = b.CreateElementCount(b.getInt64Ty(), type->getElementCount());
  emit_loop(b, b.getInt64(1), count, "lane", [&](llvm::Value* lane) {
    llvm::Value* so_far = b.CreateLoad(type->getElementType(), result);
    b.CreateStore(combine(so_far, input.lane(b, lane)), result);
  });
  return b.CreateLoad(type->getElementType(), result);
}

}  // namespace solway::codegen::detail
