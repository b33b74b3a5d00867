#include <limits>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/TargetParser/Triple.h>

#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/machine_options.h"

namespace solway::emulator {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Counts the instructions that run, function by function.
class WorkCounter {
 public:
  explicit WorkCounter(const llvm::Module& module)
      : names_(llvm::Triple(module.getTargetTriple())), library_(names_) {}

  /// Of one call of `function`; infinite when it may call itself, or what is not known.
  double work(llvm::Function& function) {
    if (function.isDeclaration()) return 1;
    const auto [known, is_new] = work_.try_emplace(&function, kInfinite);
    if (!is_new) return known->second;
    llvm::AssumptionCache assumptions(function);
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    llvm::ScalarEvolution evolution(function, library_, assumptions, tree, loops);
    Ids ids = ids_of(function, evolution);
    double sum = 0;
    for (llvm::BasicBlock& block : function) {
      double runs = 1;
      for (const llvm::Loop* loop = loops.getLoopFor(&block); loop != nullptr;
           loop = loop->getParentLoop()) {
        runs *= iterations(*loop, evolution, ids);
      }
      sum += runs * work(block);
    }
    return work_[&function] = sum;
  }

 private:
  /// What is larger is the range of a type.
  static constexpr double kKnownIterations = 1e9;
  /// Of a loop whose bound is not known: two of these, one in the other, are long.
  static constexpr double kAssumedIterations = 64;

  using Ids = llvm::ValueToSCEVMapTy;

  /// What names the running CPE, as 0: it has no less to do than the others.
  static Ids ids_of(llvm::Function& function, llvm::ScalarEvolution& evolution) {
    Ids ids;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr || !evolution.isSCEVable(call->getType())) continue;
      const llvm::StringRef name = callee->getName();
      if (name != "athread_get_id" && name != "__solway_cpe_id" && name != "__solway_cpe_group") {
        continue;
      }
      ids[&instruction] = evolution.getZero(call->getType());
    }
    return ids;
  }

  static double iterations(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, Ids& ids) {
    if (waits(loop)) return 1;
    double least = kInfinite;
    if (const unsigned most = evolution.getSmallConstantMaxTripCount(&loop)) least = most;
    const llvm::SCEV* const again = evolution.getBackedgeTakenCount(&loop);
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(again)) {
      const llvm::SCEV* const of_first =
          llvm::SCEVParameterRewriter::rewrite(again, evolution, ids);
      const llvm::APInt most = evolution.getSignedRangeMax(of_first);
      least = std::min(least, std::max(most.signedRoundToDouble(), 0.0) + 1);
    }
    return least < kKnownIterations ? least : kAssumedIterations;
  }

  /// A loop that only reads blocks until what it reads changes (instrument_loops).
  static bool waits(const llvm::Loop& loop) {
    bool reads_volatile = false;
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      for (const llvm::Instruction& instruction : *block) {
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load != nullptr && load->isVolatile()) {
          reads_volatile = true;
        } else if (instruction.mayHaveSideEffects()) {
          return false;
        }
      }
    }
    return reads_volatile;
  }

  double work(llvm::BasicBlock& block) {
    double sum = 0;
    for (llvm::Instruction& instruction : block) {
      sum += 1;
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && call->isIndirectCall()) return kInfinite;
      for (llvm::Value* const operand : instruction.operands()) {
        auto* const used = llvm::dyn_cast<llvm::Function>(operand);
        if (used == nullptr || used->isDeclaration()) continue;
        // What is not called here is passed on, to athread_spawn: each CPE runs it.
        const bool is_called = call != nullptr && call->getCalledFunction() == used;
        sum += work(*used) * (is_called ? 1 : kCpes);
      }
    }
    return sum;
  }

  llvm::TargetLibraryInfoImpl names_;
  llvm::TargetLibraryInfo library_;
  std::map<const llvm::Function*, double> work_;
};

}  // namespace

double expected_work(llvm::Function& entry) { return WorkCounter(*entry.getParent()).work(entry); }

}  // namespace solway::emulator
