#pragma once

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Walks expressions and statements in program order. The base `visit` of each kind walks the
/// children; override those of interest and call the base to go on inside.
class Visitor {
 public:
  virtual ~Visitor() = default;
  /// Dispatches on the kind; an undefined one is skipped.
  void walk(const Expr& e);
  void walk(const Stmt& s);

 protected:
  virtual void visit(const IntImm& e);
  virtual void visit(const FloatImm& e);
  virtual void visit(const Var& e);
  virtual void visit(const Unary& e);
  virtual void visit(const Binary& e);
  virtual void visit(const Select& e);
  virtual void visit(const Cast& e);
  virtual void visit(const Load& e);
  virtual void visit(const Broadcast& e);
  virtual void visit(const Ramp& e);
  virtual void visit(const VectorLoad& e);
  virtual void visit(const ReduceLanes& e);
  virtual void visit(const Dot& e);
  virtual void visit(const VectorScale& e);

  virtual void visit(const For& s);
  virtual void visit(const If& s);
  virtual void visit(const Let& s);
  virtual void visit(const Store& s);
  virtual void visit(const VectorStore& s);
  virtual void visit(const Allocate& s);
  virtual void visit(const Block& s);
  virtual void visit(const TransferIssue& s);
  virtual void visit(const TransferWait& s);
  virtual void visit(const Barrier& s);
  virtual void visit(const Exchange& s);
  virtual void visit(const Prefetch& s);
  /// Visits a load of each operand, and a store to the first.
  virtual void visit(const Call& s);
};

}  // namespace solway::ir
