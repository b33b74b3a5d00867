#include <map>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

constexpr unsigned kLanes = 4;

/// The vector of which these are the lanes, in order; null: they are of none.
llvm::Value* vector_of(llvm::ArrayRef<llvm::Value*> lanes) {
  llvm::Value* vector = nullptr;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(lanes[k]);
    if (extract == nullptr) return nullptr;
    const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (index == nullptr || index->getZExtValue() != k) return nullptr;
    if (vector != nullptr && extract->getVectorOperand() != vector) return nullptr;
    vector = extract->getVectorOperand();
  }
  // A register holds a float as a double: no instruction converts it.
  auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(vector);
  if (cast == nullptr) return vector;
  auto* const wide = llvm::dyn_cast<llvm::FPExtInst>(cast->getOperand(0));
  return wide == nullptr ? vector : wide->getOperand(0);
}

llvm::CallInst* instruction(llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* result,
                            const std::string& constraints, llvm::ArrayRef<llvm::Value*> operands) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* const operand : operands) types.push_back(operand->getType());
  auto* const type = llvm::FunctionType::get(result, types, false);
  return builder.CreateCall(type, llvm::InlineAsm::get(type, name, constraints, true), operands);
}

void replace_put(llvm::CallInst& call, const std::string& vector_register) {
  llvm::IRBuilder<> builder(&call);
  std::vector<llvm::Value*> lanes;
  for (unsigned k = 0; k < kLanes; ++k) lanes.push_back(call.getArgOperand(k));
  llvm::Value* vector = vector_of(lanes);
  if (vector == nullptr) {
    vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder.getInt64Ty(), kLanes));
    for (unsigned k = 0; k < kLanes; ++k) {
      vector = builder.CreateInsertElement(vector, lanes[k], k);
    }
  }
  instruction(builder, "put", builder.getVoidTy(), vector_register + ",r",
              {vector, call.getArgOperand(kLanes)});
  call.eraseFromParent();
}

/// A get, and the calls that give the lanes of what it took.
void replace_get(llvm::CallInst& call, const std::string& vector_register) {
  llvm::IRBuilder<> builder(&call);
  auto* const type = llvm::FixedVectorType::get(builder.getInt64Ty(), kLanes);
  llvm::Value* const vector = instruction(builder, kReceive, type, "=" + vector_register, {});
  llvm::Instruction* next = call.getNextNode();
  call.eraseFromParent();
  for (unsigned found = 0; found < kLanes && next != nullptr;) {
    llvm::Instruction* const one = next;
    next = one->getNextNode();
    auto* const lane = llvm::dyn_cast<llvm::CallInst>(one);
    if (lane == nullptr || lane->getCalledFunction() == nullptr) continue;
    if (lane->getCalledFunction()->getName() != kMessageLane) continue;
    llvm::IRBuilder<> here(lane);
    lane->replaceAllUsesWith(here.CreateExtractElement(vector, lane->getArgOperand(0)));
    lane->eraseFromParent();
    ++found;
  }
}

void replace_reading(llvm::CallInst& call, const char* name) {
  llvm::IRBuilder<> builder(&call);
  call.replaceAllUsesWith(instruction(builder, name, call.getType(), "=r", {}));
  call.eraseFromParent();
}

void replace_id(llvm::CallInst& call, const std::string&) { replace_reading(call, kReadId); }
void replace_cycles(llvm::CallInst& call, const std::string&) {
  replace_reading(call, kReadCounter);
}

}  // namespace

void use_instructions(llvm::Module& module, const std::string& vector) {
  const std::map<llvm::StringRef, void (*)(llvm::CallInst&, const std::string&)> known = {
      {"__solway_putr", replace_put},      {"__solway_putc", replace_put},
      {"__solway_getr", replace_get},      {"__solway_getc", replace_get},
      {"__solway_cpe_id", replace_id},     {"__solway_cpe_group", replace_id},
      {"__solway_cycles", replace_cycles},
  };
  for (const auto& [name, replace] : known) {
    llvm::Function* const function = module.getFunction(name);
    if (function == nullptr) continue;
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* const user : function->users()) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call != nullptr && call->getCalledFunction() == function) calls.push_back(call);
    }
    for (llvm::CallInst* const call : calls) replace(*call, vector);
  }
}

}  // namespace solway::emulator
