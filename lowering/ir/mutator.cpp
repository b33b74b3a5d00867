#include "lowering/ir/mutator.h"

#include <utility>

namespace solway::ir {

bool same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].same_as(b[i])) return false;
  }
  return true;
}

std::vector<Expr> Mutator::mutate(const std::vector<Expr>& exprs) {
  std::vector<Expr> out;
  out.reserve(exprs.size());
  for (const Expr& e : exprs) out.push_back(mutate(e));
  return out;
}

Expr Mutator::mutate(const Expr& e) {
  if (!e.defined()) return e;
  switch (e.kind()) {
    case ExprKind::IntImm:
      return rewrite(e.as<IntImm>(), e);
    case ExprKind::FloatImm:
      return rewrite(e.as<FloatImm>(), e);
    case ExprKind::Var:
      return rewrite(e.as<Var>(), e);
    case ExprKind::Unary:
      return rewrite(e.as<Unary>(), e);
    case ExprKind::Binary:
      return rewrite(e.as<Binary>(), e);
    case ExprKind::Select:
      return rewrite(e.as<Select>(), e);
    case ExprKind::Cast:
      return rewrite(e.as<Cast>(), e);
    case ExprKind::Load:
      return rewrite(e.as<Load>(), e);
    case ExprKind::Broadcast:
      return rewrite(e.as<Broadcast>(), e);
    case ExprKind::Ramp:
      return rewrite(e.as<Ramp>(), e);
    case ExprKind::VectorLoad:
      return rewrite(e.as<VectorLoad>(), e);
    case ExprKind::ReduceLanes:
      return rewrite(e.as<ReduceLanes>(), e);
    case ExprKind::Dot:
      return rewrite(e.as<Dot>(), e);
    case ExprKind::VectorScale:
      return rewrite(e.as<VectorScale>(), e);
  }
  return e;
}

Stmt Mutator::mutate(const Stmt& s) {
  if (!s.defined()) return s;
  switch (s.kind()) {
    case StmtKind::For:
      return rewrite(s.as<For>(), s);
    case StmtKind::If:
      return rewrite(s.as<If>(), s);
    case StmtKind::Let:
      return rewrite(s.as<Let>(), s);
    case StmtKind::Store:
      return rewrite(s.as<Store>(), s);
    case StmtKind::VectorStore:
      return rewrite(s.as<VectorStore>(), s);
    case StmtKind::Allocate:
      return rewrite(s.as<Allocate>(), s);
    case StmtKind::Block:
      return rewrite(s.as<Block>(), s);
    case StmtKind::TransferIssue:
      return rewrite(s.as<TransferIssue>(), s);
    case StmtKind::TransferWait:
      return rewrite(s.as<TransferWait>(), s);
    case StmtKind::Call:
      return rewrite(s.as<Call>(), s);
    case StmtKind::Barrier:
      return rewrite(s.as<Barrier>(), s);
    case StmtKind::Exchange:
      return rewrite(s.as<Exchange>(), s);
    case StmtKind::Prefetch:
      return rewrite(s.as<Prefetch>(), s);
  }
  return s;
}

Expr Mutator::rewrite(const IntImm&, const Expr& self) { return self; }

Expr Mutator::rewrite(const FloatImm&, const Expr& self) { return self; }

Expr Mutator::rewrite(const Var&, const Expr& self) { return self; }

Expr Mutator::rewrite(const VectorScale&, const Expr& self) { return self; }

Expr Mutator::rewrite(const Unary& e, const Expr& self) {
  Expr operand = mutate(e.operand);
  if (operand.same_as(e.operand)) return self;
  return Unary::make(e.op, std::move(operand));
}

Expr Mutator::rewrite(const Binary& e, const Expr& self) {
  Expr a = mutate(e.a);
  Expr b = mutate(e.b);
  if (a.same_as(e.a) && b.same_as(e.b)) return self;
  return Binary::make(e.op, std::move(a), std::move(b));
}

Expr Mutator::rewrite(const Select& e, const Expr& self) {
  Expr condition = mutate(e.condition);
  Expr if_true = mutate(e.if_true);
  Expr if_false = mutate(e.if_false);
  if (condition.same_as(e.condition) && if_true.same_as(e.if_true) &&
      if_false.same_as(e.if_false)) {
    return self;
  }
  return Select::make(std::move(condition), std::move(if_true), std::move(if_false));
}

Expr Mutator::rewrite(const Cast& e, const Expr& self) {
  Expr operand = mutate(e.operand);
  if (operand.same_as(e.operand)) return self;
  return Cast::make(std::move(operand), e.type.scalar);
}

Expr Mutator::rewrite(const Load& e, const Expr& self) {
  std::vector<Expr> indices = mutate(e.indices);
  if (same(indices, e.indices)) return self;
  return Load::make(e.buffer, std::move(indices));
}

Expr Mutator::rewrite(const Broadcast& e, const Expr& self) {
  Expr value = mutate(e.value);
  if (value.same_as(e.value)) return self;
  return Broadcast::make(std::move(value), e.type.lanes);
}

Expr Mutator::rewrite(const Ramp& e, const Expr& self) {
  Expr base = mutate(e.base);
  Expr stride = mutate(e.stride);
  if (base.same_as(e.base) && stride.same_as(e.stride)) return self;
  return Ramp::make(std::move(base), std::move(stride), e.type.lanes);
}

Expr Mutator::rewrite(const VectorLoad& e, const Expr& self) {
  std::vector<Expr> indices = mutate(e.indices);
  Expr stride = mutate(e.stride);
  Expr active = mutate(e.active);
  if (same(indices, e.indices) && stride.same_as(e.stride) && active.same_as(e.active)) return self;
  if (!stride.defined()) {
    return VectorLoad::make(e.buffer, std::move(indices), e.stride_elems, e.type.lanes,
                            std::move(active), e.first);
  }
  return VectorLoad::make(e.buffer, std::move(indices), stride, e.type.lanes, std::move(active),
                          e.first);
}

Expr Mutator::rewrite(const ReduceLanes& e, const Expr& self) {
  Expr vector = mutate(e.vector);
  if (vector.same_as(e.vector)) return self;
  return ReduceLanes::make(e.op, std::move(vector));
}

Expr Mutator::rewrite(const Dot& e, const Expr& self) {
  Expr acc = mutate(e.acc);
  Expr a = mutate(e.a);
  Expr b = mutate(e.b);
  if (acc.same_as(e.acc) && a.same_as(e.a) && b.same_as(e.b)) return self;
  return Dot::make(std::move(acc), std::move(a), std::move(b));
}

Stmt Mutator::rewrite(const For& s, const Stmt& self) {
  Expr begin = mutate(s.begin);
  Expr end = mutate(s.end);
  Stmt body = mutate(s.body);
  if (begin.same_as(s.begin) && end.same_as(s.end) && body.same_as(s.body)) return self;
  return For::make(s.var, std::move(begin), std::move(end), s.for_kind, std::move(body), s.where);
}

Stmt Mutator::rewrite(const If& s, const Stmt& self) {
  Expr condition = mutate(s.condition);
  Stmt then_body = mutate(s.then_body);
  Stmt else_body = mutate(s.else_body);
  if (condition.same_as(s.condition) && then_body.same_as(s.then_body) &&
      else_body.same_as(s.else_body)) {
    return self;
  }
  return If::make(std::move(condition), std::move(then_body), std::move(else_body), s.where);
}

Stmt Mutator::rewrite(const Let& s, const Stmt& self) {
  Expr value = mutate(s.value);
  Stmt body = mutate(s.body);
  if (value.same_as(s.value) && body.same_as(s.body)) return self;
  return Let::make(s.var, std::move(value), std::move(body), s.where);
}

Stmt Mutator::rewrite(const Store& s, const Stmt& self) {
  std::vector<Expr> indices = mutate(s.indices);
  Expr value = mutate(s.value);
  if (same(indices, s.indices) && value.same_as(s.value)) return self;
  return Store::make(s.buffer, std::move(indices), std::move(value), s.where);
}

Stmt Mutator::rewrite(const VectorStore& s, const Stmt& self) {
  std::vector<Expr> indices = mutate(s.indices);
  Expr value = mutate(s.value);
  Expr active = mutate(s.active);
  if (same(indices, s.indices) && value.same_as(s.value) && active.same_as(s.active)) return self;
  return VectorStore::make(s.buffer, std::move(indices), s.stride_elems, std::move(value),
                           std::move(active), s.where);
}

Stmt Mutator::rewrite(const Allocate& s, const Stmt& self) {
  Stmt body = mutate(s.body);
  if (body.same_as(s.body)) return self;
  return Allocate::make(s.buffer, std::move(body), s.where);
}

Stmt Mutator::rewrite(const Block& s, const Stmt& self) {
  std::vector<Stmt> stmts;
  bool changed = false;
  for (const Stmt& child : s.stmts) {
    stmts.push_back(mutate(child));
    changed = changed || !stmts.back().same_as(child);
  }
  return changed ? Block::make(std::move(stmts), s.where) : self;
}

Stmt Mutator::rewrite(const TransferIssue& s, const Stmt& self) {
  TransferIssue::Fields f{s.id,        s.direction,          s.main, mutate(s.main_index),
                          s.near,      mutate(s.near_index), s.dims, mutate(s.slot),
                          s.num_slots, s.unit_elems};
  bool changed = !same(f.main_index, s.main_index) || !same(f.near_index, s.near_index) ||
                 !f.slot.same_as(s.slot);
  for (std::size_t d = 0; d < s.dims.size(); ++d) {
    TransferDim& dim = f.dims[d];
    dim.count = mutate(dim.count);
    dim.main_stride_elems = mutate(dim.main_stride_elems);
    changed = changed || !dim.count.same_as(s.dims[d].count) ||
              !dim.main_stride_elems.same_as(s.dims[d].main_stride_elems);
  }
  return changed ? TransferIssue::make(std::move(f), s.where) : self;
}

Stmt Mutator::rewrite(const TransferWait& s, const Stmt& self) {
  Expr slot = mutate(s.slot);
  if (slot.same_as(s.slot)) return self;
  return TransferWait::make(s.id, std::move(slot), s.where);
}

Stmt Mutator::rewrite(const Barrier&, const Stmt& self) { return self; }

Stmt Mutator::rewrite(const Exchange& s, const Stmt& self) {
  Exchange::Fields f{s.buffer,     mutate(s.indices),  s.line, mutate(s.part), s.parts,
                     s.part_elems, mutate(s.num_elems)};
  if (same(f.indices, s.indices) && f.part.same_as(s.part) && f.num_elems.same_as(s.num_elems)) {
    return self;
  }
  return Exchange::make(std::move(f), s.where);
}

Stmt Mutator::rewrite(const Prefetch& s, const Stmt& self) {
  std::vector<Expr> indices = mutate(s.indices);
  if (same(indices, s.indices)) return self;
  return Prefetch::make(s.buffer, std::move(indices), s.where);
}

Stmt Mutator::rewrite(const Call& s, const Stmt& self) {
  std::vector<CallOperand> operands = s.operands;
  bool changed = false;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    operands[k].indices = mutate(s.operands[k].indices);
    changed = changed || !same(operands[k].indices, s.operands[k].indices);
  }
  return changed ? Call::make(s.name, std::move(operands), s.code, s.text, s.where, s.product)
                 : self;
}

}  // namespace solway::ir
