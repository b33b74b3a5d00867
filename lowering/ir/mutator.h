#pragma once

#include <vector>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Rebuilds expressions and statements bottom-up. A `rewrite` gets the node and its handle; the
/// base ones rewrite the children and give `self` when none changed, so that a pass which does
/// nothing keeps identity. Override those of the kinds that a pass changes.
class Mutator {
 public:
  virtual ~Mutator() = default;
  Expr operator()(const Expr& e) { return mutate(e); }
  Stmt operator()(const Stmt& s) { return mutate(s); }

 protected:
  /// Dispatches on the kind; an undefined one stays undefined.
  Expr mutate(const Expr& e);
  Stmt mutate(const Stmt& s);
  /// The same vector with each element rewritten.
  std::vector<Expr> mutate(const std::vector<Expr>& exprs);

  virtual Expr rewrite(const IntImm& e, const Expr& self);
  virtual Expr rewrite(const FloatImm& e, const Expr& self);
  virtual Expr rewrite(const Var& e, const Expr& self);
  virtual Expr rewrite(const Unary& e, const Expr& self);
  virtual Expr rewrite(const Binary& e, const Expr& self);
  virtual Expr rewrite(const Select& e, const Expr& self);
  virtual Expr rewrite(const Cast& e, const Expr& self);
  virtual Expr rewrite(const Load& e, const Expr& self);
  virtual Expr rewrite(const Broadcast& e, const Expr& self);
  virtual Expr rewrite(const Ramp& e, const Expr& self);
  virtual Expr rewrite(const VectorLoad& e, const Expr& self);
  virtual Expr rewrite(const ReduceLanes& e, const Expr& self);
  virtual Expr rewrite(const Dot& e, const Expr& self);
  virtual Expr rewrite(const VectorScale& e, const Expr& self);

  virtual Stmt rewrite(const For& s, const Stmt& self);
  virtual Stmt rewrite(const If& s, const Stmt& self);
  virtual Stmt rewrite(const Let& s, const Stmt& self);
  virtual Stmt rewrite(const Store& s, const Stmt& self);
  virtual Stmt rewrite(const VectorStore& s, const Stmt& self);
  virtual Stmt rewrite(const Allocate& s, const Stmt& self);
  virtual Stmt rewrite(const Block& s, const Stmt& self);
  virtual Stmt rewrite(const TransferIssue& s, const Stmt& self);
  virtual Stmt rewrite(const TransferWait& s, const Stmt& self);
  virtual Stmt rewrite(const Barrier& s, const Stmt& self);
  virtual Stmt rewrite(const Exchange& s, const Stmt& self);
  virtual Stmt rewrite(const Prefetch& s, const Stmt& self);
  virtual Stmt rewrite(const Call& s, const Stmt& self);
};

/// True when both have the same elements, by identity.
bool same(const std::vector<Expr>& a, const std::vector<Expr>& b);

}  // namespace solway::ir
