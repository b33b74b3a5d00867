#pragma once

#include <map>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// Transfers as copies. An issue records what is to move; the data move at the wait, so that code
/// which reads the destination too early, or changes the source, computes wrong results here too.
///
/// The record of each transfer statement and slot lies in stack variables: which statement of the
/// id is pending, where it begins on both sides, and its counts.
class TransferEmitter {
 public:
  /// `entry` is the end of the function's first block, where stack variables are made.
  TransferEmitter(llvm::IRBuilder<>& builder, llvm::IRBuilder<>& entry, ExprEmitter& exprs,
                  const LlvmOptions& options, const ir::Stmt& body);

  void issue(const ir::TransferIssue& s);
  void wait(const ir::TransferWait& s);

 private:
  /// One TransferIssue statement. The variables hold one value per slot.
  struct Site {
    const ir::TransferIssue* issue = nullptr;
    llvm::Value* main_position = nullptr;
    llvm::Value* near_position = nullptr;
    std::vector<llvm::Value*> counts;  ///< null where the count is a literal
  };
  struct Transfer {
    llvm::Value* pending = nullptr;  ///< 0, or 1 + index of the site
    std::vector<Site> sites;
    int num_slots = 1;
  };
  /// What a copy moves, as values.
  struct Region {
    llvm::Value* main_position = nullptr;
    llvm::Value* near_position = nullptr;
    std::vector<llvm::Value*> counts;
  };

  Transfer& transfer_of(const std::string& id, const SourceLoc& where);
  llvm::Value* slot_value(const ir::Expr& slot);
  llvm::Value* slot_address(llvm::Value* variable, llvm::Value* slot);
  /// Returns from the kernel with `status` when `condition` holds.
  void fail_if(llvm::Value* condition, KernelStatus status);
  /// Runs `body(main position, near position)` for each index of the dimensions from `dim` on.
  template <class Body>
  void for_each(const ir::TransferIssue& s, const Region& region, std::size_t dim,
                std::size_t end_dim, Body body);
  void copy(const ir::TransferIssue& s, const Region& region);
  void poison(const ir::TransferIssue& s, const Region& region);

  llvm::IRBuilder<>& b_;
  ExprEmitter& exprs_;
  const LlvmOptions& options_;
  std::map<std::string, Transfer> transfers_;
};

}  // namespace solway::codegen::detail
