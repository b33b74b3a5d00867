#include "lowering/ir/substitute.h"

#include "lowering/ir/mutator.h"
#include "lowering/ir/visitor.h"

namespace solway::ir {
namespace {

class Substituter final : public Mutator {
 public:
  explicit Substituter(const std::map<std::string, Expr>& values) : values_(values) {}

 private:
  Expr rewrite(const Var& e, const Expr& self) override {
    const auto it = values_.find(e.name);
    return it == values_.end() ? self : it->second;
  }

  const std::map<std::string, Expr>& values_;
};

class Finder final : public Visitor {
 public:
  explicit Finder(std::string var) : var_(std::move(var)) {}
  bool has_var = false;
  bool has_load = false;

 private:
  void visit(const Var& e) override { has_var = has_var || e.name == var_; }
  void visit(const Load& e) override {
    has_load = true;
    Visitor::visit(e);
  }
  void visit(const VectorLoad& e) override {
    has_load = true;
    Visitor::visit(e);
  }

  std::string var_;
};

}  // namespace

Expr substitute(const Expr& e, const std::map<std::string, Expr>& values) {
  return Substituter(values)(e);
}

Stmt substitute(const Stmt& s, const std::map<std::string, Expr>& values) {
  return Substituter(values)(s);
}

bool mentions(const Expr& e, const std::string& var) {
  Finder finder(var);
  finder.walk(e);
  return finder.has_var;
}

bool has_load(const Expr& e) {
  Finder finder("");
  finder.walk(e);
  return finder.has_load;
}

}  // namespace solway::ir
