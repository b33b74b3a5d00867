#pragma once

#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/detail/stmt_emitter.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// What the body of a kernel knows of its team.
struct TeamValues {
  llvm::Value* thread = nullptr;   ///< i64: the number of this one
  llvm::Value* threads = nullptr;  ///< i64: how many there are
  llvm::Value* team = nullptr;     ///< the runtime::Team
  /// The memory that several threads reach: what stands there is written and read anew at a
  /// barrier, though no other pointer leads there.
  std::vector<llvm::Value*> common;
};

/// Translates what the threads of a team run: the statements outside of parallel loops, of which
/// those without one are for thread 0 alone. Of a parallel loop [begin, end) in chunks of
/// ceil((end - begin) / threads), thread t runs the t-th.
///
/// Needs: what team_lack() says.
class TeamEmitter {
 public:
  TeamEmitter(llvm::IRBuilder<>& builder, StmtEmitter& stmts, const TeamValues& values)
      : b_(builder), stmts_(stmts), values_(values) {}

  void emit(const ir::Stmt& s);

 private:
  void emit(const ir::Block& s);
  void emit(const ir::For& s);
  void emit(const ir::If& s);
  void first_thread(const std::vector<ir::Stmt>& stmts);
  void barrier();
  void publish();

  llvm::IRBuilder<>& b_;
  StmtEmitter& stmts_;
  const TeamValues& values_;
};

}  // namespace solway::codegen::detail
