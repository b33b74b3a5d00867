#pragma once

#include <map>
#include <string>

#include "codegen/athread/c_expr.h"
#include "codegen/athread/detail/c_names.h"
#include "codegen/athread/detail/c_text.h"
#include "codegen/athread/detail/cpe_vectors.h"
#include "codegen/athread/detail/dialect.h"
#include "codegen/athread/detail/exchange_functions.h"
#include "codegen/athread/detail/micro_kernel_calls.h"
#include "codegen/athread/kernel_plan.h"
#include "codegen/athread/options.h"
#include "codegen/athread/transfer_form.h"
#include "codegen/c/calls.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Writes the statements that one CPE runs, with the loops that are shared out and the barriers.
class CpeStmts {
 public:
  /// `kernel` is its name.
  CpeStmts(CNames& names, const KernelPlan& plan, const AthreadOptions& options, std::string id,
           const std::string& kernel);

  /// What all cores pass through: parallel loops and barriers, the loops and conditions around
  /// them, and what core 0 runs alone.
  void root(const ir::Stmt& s);

  std::string reply_name(const std::string& id) const { return replies_.at(id).counter; }
  /// Variable that counts the calls of a transfer; empty when their number is known.
  std::string calls_name(const std::string& id) const { return replies_.at(id).calls; }

  CText out;
  c99::CallTable calls{"long"};
  MicroKernelCalls micro_kernels;
  ExchangeFunctions exchanges;
  const CExprPrinter& expressions() const { return exprs_; }
  /// Whether they need the vectors of simd.h.
  bool needs_vectors() const { return vectors_.is_used() || exchanges.needs_vectors(); }

 private:
  struct ReplyNames {
    std::string counter;
    std::string calls;
  };

  void root_block(const ir::Block& block);
  /// Where nests that follow each other share bytes.
  void root_nests(const ir::Block& block);
  void core_zero(const ir::Stmt& s);
  void shared_loop(const ir::For& loop);

  void stmt(const ir::Stmt& s);
  void body(const ir::Stmt& s);
  void loop(const ir::For& loop, const std::string& begin, const std::string& end);
  void plain_loop(const ir::For& n);
  void let(const ir::Let& n, void (CpeStmts::*inside)(const ir::Stmt&));
  void condition(const ir::If& n, void (CpeStmts::*inside)(const ir::Stmt&));
  void block(const ir::Block& n);
  void registers(const ir::Allocate& n);
  void local_array(const ir::BufferNode& buffer);
  void where(const SourceLoc& loc);

  void call(const ir::Call& n);
  void issue(const ir::TransferIssue& n);
  void dma(const ir::TransferIssue& n, const TransferForm& form);
  void count_call(const ir::TransferIssue& n);
  void dma_call(const ir::TransferIssue& n, const TransferForm& form,
                const std::string& offset_main, const std::string& offset_near);
  void unit_calls(const ir::TransferIssue& n, const TransferForm& form,
                  const std::string& offset_main, const std::string& offset_near);
  void copy(const ir::TransferIssue& n, const TransferForm& form);
  void wait(const ir::TransferWait& n);
  void exchange(const ir::Exchange& n);
  /// "AA_reply" or "AA_reply[yo % 2]".
  std::string slot_of(const std::string& name, const std::string& id, const ir::Expr& slot);
  const KernelPlan::Reply& reply(const std::string& id) const;

  CNames& names_;
  const KernelPlan& plan_;
  const AthreadOptions& options_;
  const Dialect& dialect_;
  std::string id_;  ///< the variable that holds the core's number
  ir::Ranges ranges_;
  CExprPrinter exprs_;
  CpeVectors vectors_;
  std::map<std::string, ReplyNames> replies_;
  std::string last_where_;
};

}  // namespace solway::codegen
