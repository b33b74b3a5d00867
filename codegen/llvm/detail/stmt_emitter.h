#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/expr_emitter.h"
#include "codegen/llvm/detail/transfer_emitter.h"
#include "codegen/llvm/options.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// Translates statements at the builder's position.
class StmtEmitter {
 public:
  /// `entry` as for TransferEmitter; `body` holds all statements that will be emitted.
  StmtEmitter(llvm::IRBuilder<>& builder, llvm::IRBuilder<>& entry, Bindings& bindings,
              const LlvmOptions& options, Remarks& remarks, const ir::Stmt& body)
      : b_(builder),
        bindings_(bindings),
        remarks_(remarks),
        exprs_(builder, bindings),
        transfers_(builder, entry, exprs_, options, body),
        parallel_(options.parallel) {}

  void emit(const ir::Stmt& s);

  ExprEmitter& exprs() { return exprs_; }
  /// Calls `body` while `var` is bound to `value`.
  void with(const std::string& var, llvm::Value* value, const std::function<void()>& body);
  /// Calls each of the two in a branch of its own.
  void branch(const ir::Expr& condition, const std::function<void()>& then_body,
              const std::function<void()>& else_body);

 private:
  void emit(const ir::For& s);
  void emit(const ir::Block& s);
  void unroll(llvm::BranchInst* back);
  void remark(const ir::For& s, const char* verdict, const char* why);

  llvm::IRBuilder<>& b_;
  Bindings& bindings_;
  Remarks& remarks_;
  ExprEmitter exprs_;
  TransferEmitter transfers_;
  ParallelForm parallel_;
};

}  // namespace solway::codegen::detail
