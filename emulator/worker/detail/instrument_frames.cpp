#include <cstddef>

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

struct Automatic {
  llvm::AllocaInst* alloca;
  bool fixed;  ///< in the frame, with a constant size
};

std::vector<Automatic> escaping_variables(llvm::Function& function) {
  std::vector<Automatic> result;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (alloca == nullptr) continue;
    const bool fixed = alloca->isStaticAlloca();
    if (!fixed || llvm::PointerMayBeCaptured(alloca, true, true)) result.push_back({alloca, fixed});
  }
  return result;
}

/// Lifetime markers let the back end share stack slots; objects of the table must not overlap.
void remove_lifetimes(llvm::Function& function) {
  std::vector<llvm::Instruction*> markers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      if (intrinsic->isLifetimeStartOrEnd()) markers.push_back(&instruction);
    }
  }
  for (llvm::Instruction* const marker : markers) marker->eraseFromParent();
}

std::string variable_name(llvm::AllocaInst& alloca) {
  for (const llvm::DbgDeclareInst* const declare : llvm::findDbgDeclares(&alloca)) {
    return declare->getVariable()->getName().str();
  }
  for (const llvm::DbgVariableRecord* const declare : llvm::findDVRDeclares(&alloca)) {
    return declare->getVariable()->getName().str();
  }
  const std::string name = alloca.getName().str();
  return name.empty() ? kUnnamedVariable : name;
}

void instrument_function(HookBuilder& hooks, llvm::Function& function, std::uint64_t recursion) {
  const std::vector<Automatic> variables = escaping_variables(function);
  if (variables.empty() && recursion == 0) return;
  remove_lifetimes(function);
  llvm::IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  auto* const mark = entry.CreateAlloca(llvm::ArrayType::get(hooks.i64(), 2));
  const auto reset = hooks.hook("solway_frame_reset", hooks.none(), {hooks.pointer()});
  const auto push =
      hooks.hook("solway_frame_push", hooks.none(),
                 {hooks.pointer(), hooks.pointer(), hooks.i64(), hooks.pointer(), hooks.pointer()});
  const auto grow = hooks.hook("solway_grow_stack", hooks.none(), {hooks.i64(), hooks.pointer()});
  std::vector<llvm::AllocaInst*> descriptors;
  auto* const descriptor_type = llvm::ArrayType::get(hooks.i64(), kObjectWords);
  for (const Automatic& variable : variables) {
    descriptors.push_back(variable.fixed ? entry.CreateAlloca(descriptor_type) : nullptr);
  }
  llvm::Instruction* const start = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  entry.SetInsertPoint(start);
  entry.CreateCall(hooks.hook("solway_frame_mark", hooks.none(), {hooks.pointer()}), {mark});
  if (recursion != 0) {
    entry.CreateCall(grow, {entry.getInt64(recursion), hooks.site(function)});
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    llvm::AllocaInst* const alloca = variables[i].alloca;
    llvm::IRBuilder<> builder(variables[i].fixed ? start : alloca->getNextNode());
    llvm::Value* const each = builder.getInt64(hooks.module()
                                                   .getDataLayout()
                                                   .getTypeAllocSize(alloca->getAllocatedType())
                                                   .getFixedValue());
    llvm::Value* const bytes =
        builder.CreateMul(each, builder.CreateZExtOrTrunc(alloca->getArraySize(), hooks.i64()));
    llvm::Constant* const site = hooks.site(*alloca);
    llvm::Value* descriptor = descriptors[i];
    if (!variables[i].fixed) {
      builder.CreateCall(grow, {bytes, site});
      descriptor = builder.CreateAlloca(descriptor_type);
    }
    builder.CreateCall(push, {descriptor, alloca, bytes, hooks.text(variable_name(*alloca)), site});
  }
  for (llvm::BasicBlock& block : function) {
    auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (end != nullptr) llvm::IRBuilder<>(end).CreateCall(reset, {mark});
  }
}

bool leaves_instrumented_code(const llvm::CallInst& call) {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) return false;
  if (call.doesNotAccessMemory()) return false;
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return true;
  return callee->isDeclaration() && !callee->getName().starts_with("solway_");
}

}  // namespace

void instrument_frames(HookBuilder& hooks, const ProxyStack& stack) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : hooks.module()) {
    if (!function.isDeclaration()) functions.push_back(&function);
  }
  for (llvm::Function* const function : functions) {
    const std::string name = function->getName().str();
    const bool recursive = is_cpe(*function) && stack.recursive.contains(name);
    instrument_function(hooks, *function, recursive ? stack.own_bytes.at(name) : 0);
  }
}

void instrument_calls(HookBuilder& hooks) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : hooks.module()) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && leaves_instrumented_code(*call)) calls.push_back(call);
    }
  }
  for (llvm::CallInst* const call : calls) {
    llvm::IRBuilder<> builder(call);
    builder.CreateStore(hooks.site(*call),
                        hooks.shared_field(builder, offsetof(SharedState, site)));
  }
}

}  // namespace solway::emulator
