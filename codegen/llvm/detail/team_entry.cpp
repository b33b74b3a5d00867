#include "codegen/llvm/detail/team_entry.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codegen/llvm/options.h"
#include "codegen/llvm/runtime_symbols.h"
#include "runtime/team.h"

namespace solway::codegen::detail {
namespace {

/// Threads' parts of the arena are this far apart, so that no two write to neighbouring lines.
constexpr std::int64_t kApart = 256;

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

llvm::Value* field(llvm::IRBuilder<>& b, llvm::Type* type, llvm::Value* record,
                   std::size_t offset_bytes) {
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), record, offset_bytes));
}

llvm::Value* number(llvm::IRBuilder<>& b, std::int64_t value) {
  return b.getInt64(static_cast<std::uint64_t>(value));
}

/// What memory a call provides: what all threads have, then each thread's own.
struct Layout {
  std::int64_t alignment = 0;
  std::int64_t common_bytes = 0;
  std::int64_t own_bytes = 0;

  explicit Layout(const MemoryPlan& plan)
      : alignment(std::max(arena_alignment(plan), kApart)),
        common_bytes(round_up(plan.common_bytes, alignment)),
        own_bytes(round_up(plan.arena_bytes, alignment)) {}
  bool is_empty() const { return common_bytes + own_bytes == 0; }
};

/// What thread `thread` of a team runs. The context is (args, arena).
llvm::Function* emit_thread(llvm::Module& module, const ir::Kernel& kernel, const MemoryPlan& plan,
                            const Layout& layout, llvm::Function& body) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto* const type = llvm::FunctionType::get(
      b.getInt32Ty(), {b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}, /*isVarArg=*/false);
  auto* const function = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                                kernel.name + ".thread", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value* const given = function->getArg(0);
  llvm::Value* const thread = function->getArg(1);
  llvm::Value* const team = function->getArg(2);
  llvm::Value* const args = field(b, b.getPtrTy(), given, 0);
  std::vector<llvm::Value*> values;
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    values.push_back(field(b, b.getPtrTy(), args, i * sizeof(void*)));
  }
  // Buffers without elements have a place, too.
  llvm::Value* const arena = field(b, b.getPtrTy(), given, sizeof(void*));
  llvm::Value* const at =
      b.CreateAdd(number(b, layout.common_bytes), b.CreateMul(thread, number(b, layout.own_bytes)));
  llvm::Value* const own = b.CreateInBoundsGEP(b.getInt8Ty(), arena, at);
  const auto add = [&](llvm::Value* memory, const std::vector<MemoryPlan::InArena>& placed) {
    for (const MemoryPlan::InArena& one : placed) {
      values.push_back(b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), memory,
                                                    static_cast<std::uint64_t>(one.offset_bytes)));
    }
  };
  add(own, plan.in_arena);
  add(arena, plan.in_common);
  values.push_back(thread);
  values.push_back(field(b, b.getInt64Ty(), team, offsetof(runtime::Team, threads)));
  values.push_back(team);
  b.CreateRet(b.CreateCall(&body, values));
  return function;
}

}  // namespace

std::int64_t arena_alignment(const MemoryPlan& plan) {
  std::int64_t alignment = kArenaAlignment;
  for (const auto* placed : {&plan.in_arena, &plan.in_common}) {
    for (const MemoryPlan::InArena& one : *placed) {
      alignment = std::max(alignment, allocation_alignment(*one.buffer));
    }
  }
  return alignment;
}

llvm::Value* emit_allocation(llvm::IRBuilder<>& b, std::int64_t alignment, llvm::Value* bytes) {
  // C wants a size that is a multiple of the alignment.
  llvm::Value* const whole =
      b.CreateAnd(b.CreateAdd(bytes, number(b, alignment - 1)), number(b, ~(alignment - 1)));
  llvm::Function* const function = b.GetInsertBlock()->getParent();
  const llvm::FunctionCallee allocate = function->getParent()->getOrInsertFunction(
      kAllocate, b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty());
  llvm::Value* const memory = b.CreateCall(allocate, {number(b, alignment), whole});
  auto* const fail = llvm::BasicBlock::Create(b.getContext(), "no_memory", function);
  auto* const go_on = llvm::BasicBlock::Create(b.getContext(), "memory", function);
  b.CreateCondBr(b.CreateIsNull(memory), fail, go_on);
  b.SetInsertPoint(fail);
  b.CreateRet(b.getInt32(static_cast<std::uint32_t>(KernelStatus::OutOfMemory)));
  b.SetInsertPoint(go_on);
  return memory;
}

llvm::Function* emit_team_entry(llvm::Module& module, const ir::Kernel& kernel,
                                const MemoryPlan& plan, llvm::Function& body,
                                const std::string& name) {
  const Layout layout(plan);
  llvm::Function* const on_thread = emit_thread(module, kernel, plan, layout, body);
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto* const type =
      llvm::FunctionType::get(b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy()}, /*isVarArg=*/false);
  auto* const function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  llvm::Value* const args = function->getArg(0);
  llvm::Value* const team = function->getArg(1);
  args->setName("args");
  team->setName("team");
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value* const given = b.CreateAlloca(b.getPtrTy(), b.getInt32(2), "given");
  llvm::Value* arena = llvm::ConstantPointerNull::get(b.getPtrTy());
  if (!layout.is_empty()) {
    llvm::Value* const threads = field(b, b.getInt64Ty(), team, offsetof(runtime::Team, threads));
    llvm::Value* const bytes = b.CreateAdd(number(b, layout.common_bytes),
                                           b.CreateMul(threads, number(b, layout.own_bytes)));
    arena = emit_allocation(b, layout.alignment, bytes);
  }
  b.CreateStore(args, given);
  b.CreateStore(arena, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), given, sizeof(void*)));
  auto* const run_type = llvm::FunctionType::get(
      b.getInt32Ty(), {b.getPtrTy(), b.getPtrTy(), b.getPtrTy()}, /*isVarArg=*/false);
  llvm::Value* const run = field(b, b.getPtrTy(), team, offsetof(runtime::Team, run));
  llvm::Value* const status = b.CreateCall(run_type, run, {team, on_thread, given});
  if (!layout.is_empty()) {
    b.CreateCall(module.getOrInsertFunction(kFree, b.getVoidTy(), b.getPtrTy()), {arena});
  }
  b.CreateRet(status);
  return function;
}

}  // namespace solway::codegen::detail
