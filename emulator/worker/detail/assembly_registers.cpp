#include "emulator/worker/detail/assembly_registers.h"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "emulator/worker/detail/assembly_operations.h"

namespace solway::emulator {

void AssemblyRegisters::create() {
  for (std::size_t r = 0; r < slots_.size(); ++r) {
    llvm::Type* type = builder_.getInt64Ty();
    if (is_whole_[r]) type = lanes_type(builder_);
    slots_[r] = builder_.CreateAlloca(type);
  }
  for (llvm::AllocaInst* const slot : slots_) {
    builder_.CreateStore(llvm::Constant::getNullValue(slot->getAllocatedType()), slot);
  }
}

void AssemblyRegisters::promote(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(slots_, dominators);
}

llvm::Value* AssemblyRegisters::held(int reg) {
  const auto r = static_cast<std::size_t>(reg);
  if (current_[r] == nullptr) {
    current_[r] = builder_.CreateLoad(slots_[r]->getAllocatedType(), slots_[r]);
  }
  return current_[r];
}

llvm::Value* AssemblyRegisters::read(int reg) {
  if (reg == kZeroRegister) return builder_.getInt64(0);
  llvm::Value* const value = held(reg);
  const bool is_whole = value->getType()->isVectorTy();
  return is_whole ? builder_.CreateExtractElement(value, std::uint64_t{0}) : value;
}

llvm::Value* AssemblyRegisters::read(const Operand& operand) {
  return operand.reg >= 0 ? read(operand.reg)
                          : builder_.getInt64(static_cast<std::uint64_t>(operand.number));
}

llvm::Value* AssemblyRegisters::read_whole(int reg) {
  return reg == kZeroRegister ? llvm::Constant::getNullValue(lanes_type(builder_)) : held(reg);
}

void AssemblyRegisters::write(int reg, llvm::Value* value) {
  if (reg == kZeroRegister) return;
  const auto r = static_cast<std::size_t>(reg);
  if (is_whole_[r] && !value->getType()->isVectorTy()) {
    value = builder_.CreateInsertElement(held(reg), value, std::uint64_t{0});
  }
  builder_.CreateStore(value, slots_[r]);
  current_[r] = value;
}

llvm::Value* AssemblyRegisters::to_register(llvm::Value* value) {
  llvm::Type* const type = value->getType();
  if (type->isVectorTy()) return to_lanes(builder_, value);
  if (type->isPointerTy()) return builder_.CreatePtrToInt(value, builder_.getInt64Ty());
  if (type->isFloatTy()) value = builder_.CreateFPExt(value, builder_.getDoubleTy());
  if (value->getType()->isDoubleTy()) return builder_.CreateBitCast(value, builder_.getInt64Ty());
  return builder_.CreateSExtOrTrunc(value, builder_.getInt64Ty());
}

llvm::Value* AssemblyRegisters::from_register(int reg, llvm::Type* type) {
  llvm::Value* const value = read(reg);
  if (type->isPointerTy()) return builder_.CreateIntToPtr(value, type);
  if (type->isDoubleTy()) return builder_.CreateBitCast(value, type);
  if (type->isFloatTy()) {
    return builder_.CreateFPTrunc(builder_.CreateBitCast(value, builder_.getDoubleTy()), type);
  }
  return builder_.CreateSExtOrTrunc(value, type);
}

}  // namespace solway::emulator
