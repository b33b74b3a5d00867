#include "lowering/ir/visitor.h"

namespace solway::ir {

void Visitor::walk(const Expr& e) {
  if (!e.defined()) return;
  switch (e.kind()) {
    case ExprKind::IntImm:
      return visit(e.as<IntImm>());
    case ExprKind::FloatImm:
      return visit(e.as<FloatImm>());
    case ExprKind::Var:
      return visit(e.as<Var>());
    case ExprKind::Unary:
      return visit(e.as<Unary>());
    case ExprKind::Binary:
      return visit(e.as<Binary>());
    case ExprKind::Select:
      return visit(e.as<Select>());
    case ExprKind::Cast:
      return visit(e.as<Cast>());
    case ExprKind::Load:
      return visit(e.as<Load>());
    case ExprKind::Broadcast:
      return visit(e.as<Broadcast>());
    case ExprKind::Ramp:
      return visit(e.as<Ramp>());
    case ExprKind::VectorLoad:
      return visit(e.as<VectorLoad>());
    case ExprKind::ReduceLanes:
      return visit(e.as<ReduceLanes>());
    case ExprKind::Dot:
      return visit(e.as<Dot>());
    case ExprKind::VectorScale:
      return visit(e.as<VectorScale>());
  }
}

void Visitor::walk(const Stmt& s) {
  if (!s.defined()) return;
  switch (s.kind()) {
    case StmtKind::For:
      return visit(s.as<For>());
    case StmtKind::If:
      return visit(s.as<If>());
    case StmtKind::Let:
      return visit(s.as<Let>());
    case StmtKind::Store:
      return visit(s.as<Store>());
    case StmtKind::VectorStore:
      return visit(s.as<VectorStore>());
    case StmtKind::Allocate:
      return visit(s.as<Allocate>());
    case StmtKind::Block:
      return visit(s.as<Block>());
    case StmtKind::TransferIssue:
      return visit(s.as<TransferIssue>());
    case StmtKind::TransferWait:
      return visit(s.as<TransferWait>());
    case StmtKind::Call:
      return visit(s.as<Call>());
    case StmtKind::Barrier:
      return visit(s.as<Barrier>());
    case StmtKind::Exchange:
      return visit(s.as<Exchange>());
    case StmtKind::Prefetch:
      return visit(s.as<Prefetch>());
  }
}

void Visitor::visit(const IntImm&) {}

void Visitor::visit(const FloatImm&) {}

void Visitor::visit(const Var&) {}

void Visitor::visit(const Unary& n) { walk(n.operand); }

void Visitor::visit(const Binary& n) {
  walk(n.a);
  walk(n.b);
}

void Visitor::visit(const Select& n) {
  walk(n.condition);
  walk(n.if_true);
  walk(n.if_false);
}

void Visitor::visit(const Cast& n) { walk(n.operand); }

void Visitor::visit(const Load& n) {
  for (const Expr& index : n.indices) walk(index);
}

void Visitor::visit(const Broadcast& n) { walk(n.value); }

void Visitor::visit(const Ramp& n) {
  walk(n.base);
  walk(n.stride);
}

void Visitor::visit(const VectorLoad& n) {
  for (const Expr& index : n.indices) walk(index);
  walk(n.stride);
  walk(n.active);
}

void Visitor::visit(const ReduceLanes& n) { walk(n.vector); }

void Visitor::visit(const Dot& n) {
  walk(n.acc);
  walk(n.a);
  walk(n.b);
}

void Visitor::visit(const VectorScale&) {}

void Visitor::visit(const For& n) {
  walk(n.begin);
  walk(n.end);
  walk(n.body);
}

void Visitor::visit(const If& n) {
  walk(n.condition);
  walk(n.then_body);
  walk(n.else_body);
}

void Visitor::visit(const Let& n) {
  walk(n.value);
  walk(n.body);
}

void Visitor::visit(const Store& n) {
  for (const Expr& index : n.indices) walk(index);
  walk(n.value);
}

void Visitor::visit(const VectorStore& n) {
  for (const Expr& index : n.indices) walk(index);
  walk(n.value);
  walk(n.active);
}

void Visitor::visit(const Allocate& n) { walk(n.body); }

void Visitor::visit(const Block& n) {
  for (const Stmt& child : n.stmts) walk(child);
}

void Visitor::visit(const TransferIssue& n) {
  for (const Expr& index : n.main_index) walk(index);
  for (const Expr& index : n.near_index) walk(index);
  for (const TransferDim& dim : n.dims) {
    walk(dim.count);
    walk(dim.main_stride_elems);
  }
  walk(n.slot);
}

void Visitor::visit(const TransferWait& n) { walk(n.slot); }

void Visitor::visit(const Barrier&) {}

void Visitor::visit(const Exchange& n) {
  for (const Expr& index : n.indices) walk(index);
  walk(n.part);
  walk(n.num_elems);
}

void Visitor::visit(const Prefetch& n) {
  for (const Expr& index : n.indices) walk(index);
}

void Visitor::visit(const Call& n) {
  for (std::size_t k = 0; k < n.operands.size(); ++k) {
    const CallOperand& operand = n.operands[k];
    const Expr element = Load::make(operand.buffer, operand.indices);
    if (k == 0) {
      walk(Store::make(operand.buffer, operand.indices, element, n.where));
    } else {
      walk(element);
    }
  }
}

}  // namespace solway::ir
