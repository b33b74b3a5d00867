#include <cstddef>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

/// What a loop does beside control flow.
struct LoopEffects {
  bool other = false;                ///< anything but volatile loads and plain arithmetic
  llvm::LoadInst* polled = nullptr;  ///< the first volatile load
};

LoopEffects effects_of(const llvm::Loop& loop) {
  LoopEffects effects;
  for (llvm::BasicBlock* const block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (load->isVolatile() && effects.polled == nullptr) effects.polled = load;
        continue;
      }
      if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) continue;
      effects.other = effects.other || instruction.mayHaveSideEffects();
    }
  }
  return effects;
}

struct PlannedHook {
  llvm::BasicBlock* latch;
  llvm::LoadInst* polled;  ///< null: count a step
  bool endless;
  const llvm::Instruction* at;
};

/// The instruction whose line names the loop.
const llvm::Instruction* loop_line(const llvm::Loop& loop, const llvm::BasicBlock& latch) {
  if (latch.getTerminator()->getDebugLoc()) return latch.getTerminator();
  for (llvm::BasicBlock* const block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (instruction.getDebugLoc()) return &instruction;
    }
  }
  return latch.getTerminator();
}

void plan(const llvm::Loop& loop, const llvm::DominatorTree& tree,
          std::vector<PlannedHook>& planned) {
  const LoopEffects effects = effects_of(loop);
  const bool idle = loop.isInnermost() && !effects.other;
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop.getExitBlocks(exits);
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* const latch : latches) {
    llvm::LoadInst* polled = idle ? effects.polled : nullptr;
    const auto* const address =
        polled == nullptr ? nullptr
                          : llvm::dyn_cast<llvm::Instruction>(polled->getPointerOperand());
    if (address != nullptr && !tree.dominates(address, latch->getTerminator())) polled = nullptr;
    planned.push_back({latch, polled, idle && polled == nullptr && exits.empty(),
                       polled != nullptr ? polled : loop_line(loop, *latch)});
  }
  for (const llvm::Loop* const inner : loop) plan(*inner, tree, planned);
}

/// A block on the way from `latch` to the header of its loop. The latch may end in a conditional
/// branch; the hooks belong on the edge that goes round again.
llvm::Instruction* backedge_point(llvm::BasicBlock* latch, llvm::BasicBlock* header) {
  llvm::Instruction* const end = latch->getTerminator();
  if (end->getNumSuccessors() == 1) return end;
  llvm::BasicBlock* const edge = llvm::SplitEdge(latch, header);
  return edge->getTerminator();
}

void count_step(HookBuilder& hooks, llvm::Instruction* at, llvm::Constant* site) {
  llvm::IRBuilder<> builder(at);
  llvm::Value* const field = hooks.shared_field(builder, offsetof(SharedState, steps_left));
  llvm::Value* const left =
      builder.CreateSub(builder.CreateLoad(hooks.i64(), field), builder.getInt64(1));
  builder.CreateStore(left, field);
  llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(
      builder.CreateICmpSLT(left, builder.getInt64(0)), at->getIterator(), false);
  llvm::IRBuilder<> slow(then);
  slow.CreateCall(hooks.hook("solway_steps", hooks.none(), {hooks.pointer()}), {site});
}

void instrument_function(HookBuilder& hooks, llvm::Function& function) {
  llvm::DominatorTree tree(function);
  llvm::LoopInfo loops(tree);
  std::vector<PlannedHook> planned;
  for (const llvm::Loop* const loop : loops) plan(*loop, tree, planned);
  struct Edge {
    llvm::Instruction* at;
    PlannedHook hook;
  };
  std::vector<Edge> edges;
  for (const PlannedHook& hook : planned) {
    llvm::BasicBlock* header = loops.getLoopFor(hook.latch)->getHeader();
    // A latch of an outer loop may lie in no inner one; its own header is a successor.
    for (llvm::Loop* loop = loops.getLoopFor(hook.latch); loop != nullptr;
         loop = loop->getParentLoop()) {
      if (llvm::is_contained(llvm::successors(hook.latch), loop->getHeader())) {
        header = loop->getHeader();
        break;
      }
    }
    edges.push_back({backedge_point(hook.latch, header), hook});
  }
  for (const auto& [at, hook] : edges) {
    llvm::Constant* const site = hooks.site(*hook.at);
    if (hook.polled != nullptr) {
      llvm::IRBuilder<> builder(at);
      const auto bytes =
          hooks.module().getDataLayout().getTypeStoreSize(hook.polled->getType()).getFixedValue();
      builder.CreateCall(
          hooks.hook("solway_poll", hooks.none(), {hooks.pointer(), hooks.i64(), hooks.pointer()}),
          {hook.polled->getPointerOperand(), builder.getInt64(bytes), site});
    } else if (hook.endless) {
      llvm::IRBuilder<> builder(at);
      builder.CreateCall(hooks.hook("solway_endless", hooks.none(), {hooks.pointer()}), {site});
    }
    count_step(hooks, at, site);
  }
}

}  // namespace

void instrument_loops(HookBuilder& hooks) {
  for (llvm::Function& function : hooks.module()) {
    if (!function.isDeclaration()) instrument_function(hooks, function);
  }
}

}  // namespace solway::emulator
