#include "codegen/llvm/detail/stmt_emitter.h"

#include <string>
#include <utility>

#include <llvm/IR/Metadata.h>

#include "codegen/llvm/detail/interleaved_stores.h"
#include "codegen/llvm/detail/loop.h"
#include "codegen/llvm/detail/turned_square.h"
#include "codegen/llvm/detail/vector_engine/engine.h"
#include "lowering/ir/printer.h"
#include "support/error.h"

namespace solway::codegen::detail {

void StmtEmitter::emit(const ir::Stmt& s) {
  switch (s.kind()) {
    case ir::StmtKind::For:
      return emit(s.as<ir::For>());
    case ir::StmtKind::If: {
      const auto& choice = s.as<ir::If>();
      return branch(
          choice.condition, [&] { emit(choice.then_body); },
          [&] {
            if (choice.else_body.defined()) emit(choice.else_body);
          });
    }
    case ir::StmtKind::Let: {
      const auto& let = s.as<ir::Let>();
      return with(let.var, exprs_.value(let.value), [&] { emit(let.body); });
    }
    case ir::StmtKind::Store: {
      const auto& store = s.as<ir::Store>();
      return exprs_.store(store.buffer, store.indices, store.value);
    }
    case ir::StmtKind::VectorStore: {
      const auto& store = s.as<ir::VectorStore>();
      return exprs_.store_vector(store.buffer, store.indices, store.stride_elems, store.value,
                                 store.active);
    }
    case ir::StmtKind::Allocate:
      return emit(s.as<ir::Allocate>().body);  // its memory is there for the whole call
    case ir::StmtKind::Block:
      return emit(s.as<ir::Block>());
    case ir::StmtKind::TransferIssue:
      return transfers_.issue(s.as<ir::TransferIssue>());
    case ir::StmtKind::TransferWait:
      return transfers_.wait(s.as<ir::TransferWait>());
    case ir::StmtKind::Prefetch:
      return exprs_.prefetch(s.as<ir::Prefetch>().buffer, s.as<ir::Prefetch>().indices);
    case ir::StmtKind::Barrier:  // of one thread; TeamEmitter has those of a team
      return;
    case ir::StmtKind::Exchange:
      throw InternalError({s.where(), "an exchange between cores in LLVM IR",
                           "require_sharing() should have refused it", ""});
    case ir::StmtKind::Call:
      throw InternalError(
          {s.where(), "a call of C code in LLVM IR", "choose_code() should have refused it", ""});
  }
  throw InternalError({s.where(), "no such statement kind", "in code generation", ""});
}

void StmtEmitter::emit(const ir::Block& s) {
  if (on_vector_engine(b_)) {  // one instruction loads or stores lanes at any distance
    for (const ir::Stmt& child : s.stmts) emit(child);
    return;
  }
  const int masked_bytes = masked_bytes_of(*b_.GetInsertBlock()->getParent());
  for (std::size_t k = 0; k < s.stmts.size();) {
    const std::vector<SquareOfLoads> squares = turned_squares(s.stmts, k, masked_bytes);
    const std::size_t apart = squares.empty() ? interleaved_stores(s.stmts, k) : 0;
    if (apart > 0) {
      emit_interleaved_stores(b_, exprs_, s.stmts, k, apart);
      k += apart;
    } else if (squares.empty()) {
      emit(s.stmts[k++]);
    } else {
      k += emit_turned_squares(b_, exprs_, s.stmts, k, squares);
    }
  }
}

void StmtEmitter::emit(const ir::For& s) {
  llvm::Value* begin = exprs_.value(s.begin);
  llvm::Value* end = exprs_.value(s.end);
  llvm::BranchInst* back = emit_loop(
      b_, begin, end, s.var, [&](llvm::Value* iv) { with(s.var, iv, [&] { emit(s.body); }); });
  switch (s.for_kind) {
    case ir::ForKind::Serial:
      return;
    case ir::ForKind::Parallel:
      return remark(s, "runs on one thread",
                    parallel_ == ParallelForm::Team ? "a loop around it is shared out among threads"
                                                    : "the code for this target has no threads");
    case ir::ForKind::Vectorized:
      return remark(s, "runs one element at a time", "no pass made vector forms of it");
    case ir::ForKind::Unrolled:
      if (!llvm::isa<llvm::ConstantInt>(begin) || !llvm::isa<llvm::ConstantInt>(end)) {
        return remark(s, "stays a loop", "its bounds are not constant");
      }
      return unroll(back);
  }
}

void StmtEmitter::branch(const ir::Expr& condition, const std::function<void()>& then_body,
                         const std::function<void()>& else_body) {
  llvm::Function* function = b_.GetInsertBlock()->getParent();
  llvm::Value* holds = exprs_.value(condition);
  auto* then_block = llvm::BasicBlock::Create(b_.getContext(), "then", function);
  auto* else_block = llvm::BasicBlock::Create(b_.getContext(), "else", function);
  auto* end_block = llvm::BasicBlock::Create(b_.getContext(), "endif", function);
  b_.CreateCondBr(holds, then_block, else_block);
  b_.SetInsertPoint(then_block);
  then_body();
  b_.CreateBr(end_block);
  b_.SetInsertPoint(else_block);
  else_body();
  b_.CreateBr(end_block);
  b_.SetInsertPoint(end_block);
}

void StmtEmitter::with(const std::string& var, llvm::Value* value,
                       const std::function<void()>& body) {
  std::optional<llvm::Value*> shadowed;
  if (const auto it = bindings_.vars.find(var); it != bindings_.vars.end()) shadowed = it->second;
  bindings_.vars[var] = value;
  body();
  if (shadowed.has_value()) {
    bindings_.vars[var] = *shadowed;
  } else {
    bindings_.vars.erase(var);
  }
}

void StmtEmitter::unroll(llvm::BranchInst* back) {
  llvm::LLVMContext& context = b_.getContext();
  llvm::Metadata* full =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
  // The first operand of a loop's metadata is the node itself, so that no two loops share one.
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, full});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void StmtEmitter::remark(const ir::For& s, const char* verdict, const char* why) {
  remarks_.push_back(
      {"for " + s.var + " " + std::string(ir::to_string(s.for_kind)), verdict, why, s.where});
}

}  // namespace solway::codegen::detail
