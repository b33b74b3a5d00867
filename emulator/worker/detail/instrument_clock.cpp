#include <cstddef>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "emulator/worker/detail/athread_calls.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/mpe_calls.h"
#include "emulator/worker/detail/proxy_code.h"
#include "emulator/worker/detail/scratchpad_calls.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

/// Stands for time that goes by, until the program has its other hooks.
constexpr const char* kMarker = "solway_time";

llvm::Function& marker(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                             {llvm::Type::getInt64Ty(context)}, false);
  auto* const function =
      llvm::cast<llvm::Function>(module.getOrInsertFunction(kMarker, type).getCallee());
  // Loops that only wait are told by what they do beside waiting.
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return *function;
}

void mark(llvm::Instruction* before, std::int64_t ticks) {
  if (ticks == 0) return;
  llvm::IRBuilder<> builder(before);
  builder.CreateCall(&marker(*before->getModule()),
                     {builder.getInt64(static_cast<std::uint64_t>(ticks))});
}

/// The calls that divide the machine code of a block.
std::vector<llvm::CallBase*> calls_of(llvm::BasicBlock& block) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : block) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call) || call->isInlineAsm()) continue;
    const llvm::Function* const callee = call->getCalledFunction();
    if (callee != nullptr && callee->getName() == kMessageLane) continue;
    calls.push_back(call);
  }
  return calls;
}

void mark_block(llvm::BasicBlock& block, const std::vector<std::int64_t>& ticks) {
  const std::vector<llvm::CallBase*> calls = calls_of(block);
  llvm::Instruction* const begin = &*block.getFirstNonPHIOrDbgOrAlloca();
  if (ticks.size() != calls.size() + 1) {
    // The machine code has more or fewer calls than the block: its time is not divided.
    std::int64_t sum = 0;
    for (const std::int64_t part : ticks) sum += part;
    mark(begin, sum);
    return;
  }
  mark(calls.empty() ? begin : calls.front(), ticks.front());
  for (std::size_t k = 0; k < calls.size(); ++k) mark(calls[k]->getNextNode(), ticks[k + 1]);
}

/// Whether the call is of the C library.
bool is_library_call(const llvm::CallBase& call, const std::set<std::string>& own) {
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || callee->isIntrinsic()) return false;
  const llvm::StringRef name = callee->getName();
  return name != kMarker && !name.starts_with("slave_") && own.count(name.str()) == 0;
}

void mark_library_calls(llvm::Module& module, int cycles) {
  std::set<std::string> own;
  for (const Symbols& calls : {mpe_symbols(), athread_symbols(), scratchpad_symbols()}) {
    for (const auto& [name, address] : calls) own.insert(name);
  }
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && is_library_call(*call, own)) calls.push_back(call);
    }
  }
  for (llvm::CallBase* const call : calls) mark(call, cycles * kTicksPerCycle);
}

}  // namespace

void name_blocks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    int number = 0;
    for (llvm::BasicBlock& block : function) block.setName("block" + std::to_string(number++));
  }
}

void mark_time(llvm::Module& module, const ProxyCode& code, int library_call_cycles) {
  for (llvm::Function& function : module) {
    const auto found = code.functions.find(function.getName().str());
    if (function.isDeclaration() || found == code.functions.end()) continue;
    const BlockTimes times = time_blocks(found->second.blocks, code.registers);
    std::map<std::string, llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : function) blocks[block.getName().str()] = &block;
    for (const auto& [name, ticks] : times.stretches) {
      const auto block = blocks.find(name);
      if (block != blocks.end()) mark_block(*block->second, ticks);
    }
    for (const auto& [edge, ticks] : times.edges) {
      const auto from = blocks.find(edge.first);
      const auto to = blocks.find(edge.second);
      if (from == blocks.end() || to == blocks.end()) continue;
      if (!llvm::is_contained(llvm::successors(from->second), to->second)) {
        mark(from->second->getTerminator(), ticks);
      } else {
        mark(llvm::SplitEdge(from->second, to->second)->getTerminator(), ticks);
      }
    }
  }
  mark_library_calls(module, library_call_cycles);
}

void count_time(HookBuilder& hooks) {
  llvm::Function* const function = hooks.module().getFunction(kMarker);
  if (function == nullptr) return;
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* const user : function->users())
    calls.push_back(llvm::cast<llvm::CallInst>(user));
  for (llvm::CallInst* const call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* const field = hooks.shared_field(builder, offsetof(SharedState, ticks));
    builder.CreateStore(
        builder.CreateAdd(builder.CreateLoad(hooks.i64(), field), call->getArgOperand(0)), field);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

}  // namespace solway::emulator
