#pragma once

#include <map>
#include <utility>
#include <vector>

#include <llvm/IR/IntrinsicInst.h>

#include "emulator/worker/detail/kernel_module.h"

namespace solway::emulator {

/// A load or store of a function.
struct Access {
  llvm::Instruction* at;
  llvm::Value* pointer;
  std::uint64_t bytes;
  bool store;
};

/// Puts the checks of hazard mode before the accesses of one function.
///
///   before: %v = load float, ptr %p
///   after:  if (load i8 ((%p >> 2) + bias) != 0) solway_hazard_load(...); %v = load float, ptr %p
///
/// A loaded value that nobody wrote is a fault where it is computed with, not where it is loaded:
/// the compiler loads early, and copies padding.
class HazardChecks {
 public:
  HazardChecks(HookBuilder& hooks, llvm::Function& function);

  /// Behind it, in the entry block, all that the checks need is there; null in MPE code.
  llvm::Instruction* anchor() { return cell_bias_; }
  /// Looks at what becomes of loaded values, before anything is instrumented.
  void plan(const std::vector<Access>& accesses);
  /// `root` is what the pointer was made from, `object` the call that looked it up, if any.
  void check(const Access& access, llvm::Value* root, llvm::Instruction* object);
  void check(llvm::MemIntrinsic& intrinsic);

 private:
  /// A step of a loaded value on its way to who takes it: a select that lets it through, or, with
  /// `join`, a phi node that it enters as `value`.
  struct Step {
    llvm::Value* value;
    bool wanted = true;  ///< what the select's condition has to be
    llvm::PHINode* join = nullptr;
  };
  /// An instruction that takes a loaded value, if it gets there.
  struct Use {
    llvm::Instruction* user;
    std::vector<Step> steps;
  };
  struct Plan {
    bool computes_here = false;  ///< in the block of the load, at the load's line
    std::vector<Use> uses;       ///< elsewhere
  };

  void collect(llvm::Value* value, const llvm::Instruction& load, Plan& plan, const Use& use);
  /// Whether a load took what nobody wrote; for uses elsewhere.
  llvm::Value* check_ldm(const Access& access, llvm::Instruction* before);
  llvm::Value* check_wide(const Access& access, llvm::Instruction* before);
  void check_alignment(const Access& access);
  void check_uses(const Access& access, llvm::Value* unwritten);
  /// Whether a load took what nobody wrote, and where from.
  struct Unwritten {
    llvm::Value* found;
    llvm::Value* address;
  };
  static Unwritten after_steps(const Use& use, Unwritten unwritten, llvm::Instruction* before);
  llvm::Value* call_load(llvm::IRBuilder<>& builder, const Access& access);
  void call_main(llvm::IRBuilder<>& builder, const Access& access, llvm::Value* object);
  llvm::Value* in_region(llvm::Value* root, llvm::Instruction* after);
  llvm::Instruction* branch_if(llvm::Value* condition, llvm::Instruction* before);

  HookBuilder& hooks_;
  llvm::Function& function_;
  std::map<const llvm::Instruction*, Plan> plans_;
  llvm::LoadInst* region_ = nullptr;  ///< fields of SharedState, loaded once
  llvm::LoadInst* region_bytes_ = nullptr;
  llvm::LoadInst* cell_bias_ = nullptr;
  std::map<llvm::Instruction*, llvm::Value*> in_region_;
};

}  // namespace solway::emulator
