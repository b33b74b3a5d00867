#include "codegen/llvm/detail/team_emitter.h"

#include <cstddef>
#include <utility>

#include <llvm/IR/InlineAsm.h>

#include "codegen/llvm/detail/loop.h"
#include "lowering/ir/for_all_cores.h"
#include "runtime/team.h"
#include "support/error.h"

namespace solway::codegen::detail {

void TeamEmitter::emit(const ir::Stmt& s) {
  if (!is_for_all_cores(s)) return first_thread({s});
  switch (s.kind()) {
    case ir::StmtKind::For:
      return emit(s.as<ir::For>());
    case ir::StmtKind::If:
      return emit(s.as<ir::If>());
    case ir::StmtKind::Let: {
      const auto& let = s.as<ir::Let>();
      return stmts_.with(let.var, stmts_.exprs().value(let.value), [&] { emit(let.body); });
    }
    case ir::StmtKind::Allocate:
      return emit(s.as<ir::Allocate>().body);  // its memory is there for the whole call
    case ir::StmtKind::Block:
      return emit(s.as<ir::Block>());
    case ir::StmtKind::Barrier:
      return barrier();
    case ir::StmtKind::Store:
    case ir::StmtKind::VectorStore:
    case ir::StmtKind::TransferIssue:
    case ir::StmtKind::TransferWait:
    case ir::StmtKind::Exchange:
    case ir::StmtKind::Call:
    case ir::StmtKind::Prefetch:
      break;
  }
  throw InternalError({s.where(), "a parallel loop inside a statement", "", ""});
}

void TeamEmitter::emit(const ir::Block& s) {
  // Neighbours that thread 0 runs stand in one branch.
  std::vector<ir::Stmt> alone;
  for (const ir::Stmt& child : s.stmts) {
    if (!is_for_all_cores(child)) {
      alone.push_back(child);
      continue;
    }
    first_thread(std::exchange(alone, {}));
    emit(child);
  }
  first_thread(alone);
}

void TeamEmitter::emit(const ir::For& s) {
  llvm::Value* begin = stmts_.exprs().value(s.begin);
  llvm::Value* end = stmts_.exprs().value(s.end);
  if (s.for_kind != ir::ForKind::Parallel) {
    emit_loop(b_, begin, end, s.var,
              [&](llvm::Value* iv) { stmts_.with(s.var, iv, [&] { emit(s.body); }); });
    return;
  }
  // An empty loop has a negative extent here, and chunks that are no larger than 0.
  llvm::Value* const extent = b_.CreateNSWSub(end, begin);
  llvm::Value* const one = b_.getInt64(1);
  llvm::Value* const chunk = b_.CreateSDiv(
      b_.CreateNSWAdd(extent, b_.CreateNSWSub(values_.threads, one)), values_.threads, "chunk");
  llvm::Value* const from =
      b_.CreateNSWAdd(begin, b_.CreateNSWMul(values_.thread, chunk), s.var + ".begin");
  llvm::Value* const to = b_.CreateNSWAdd(from, chunk);
  llvm::Value* const last = b_.CreateSelect(b_.CreateICmpSLT(to, end), to, end, s.var + ".end");
  emit_loop(b_, from, last, s.var,
            [&](llvm::Value* iv) { stmts_.with(s.var, iv, [&] { stmts_.emit(s.body); }); });
}

void TeamEmitter::emit(const ir::If& s) {
  stmts_.branch(
      s.condition, [&] { emit(s.then_body); },
      [&] {
        if (s.else_body.defined()) emit(s.else_body);
      });
}

void TeamEmitter::first_thread(const std::vector<ir::Stmt>& stmts) {
  if (stmts.empty()) return;
  llvm::Function* const function = b_.GetInsertBlock()->getParent();
  auto* const first = llvm::BasicBlock::Create(b_.getContext(), "first", function);
  auto* const all = llvm::BasicBlock::Create(b_.getContext(), "all", function);
  b_.CreateCondBr(b_.CreateICmpEQ(values_.thread, b_.getInt64(0)), first, all);
  b_.SetInsertPoint(first);
  for (const ir::Stmt& s : stmts) stmts_.emit(s);
  b_.CreateBr(all);
  b_.SetInsertPoint(all);
}

void TeamEmitter::barrier() {
  publish();
  llvm::Value* const address =
      b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), values_.team, offsetof(runtime::Team, barrier));
  llvm::Value* const function = b_.CreateLoad(b_.getPtrTy(), address);
  auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, /*isVarArg=*/false);
  b_.CreateCall(type, function, {values_.team});
  publish();
}

/// Lets each pointer escape into code that LLVM cannot look into: it is noalias, so that of a call
/// alone LLVM would take it that nothing there changes.
void TeamEmitter::publish() {
  auto* const type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, /*isVarArg=*/false);
  llvm::InlineAsm* const escape =
      llvm::InlineAsm::get(type, "", "r,~{memory}", /*hasSideEffects=*/true);
  for (llvm::Value* const pointer : values_.common) b_.CreateCall(type, escape, {pointer});
}

}  // namespace solway::codegen::detail
