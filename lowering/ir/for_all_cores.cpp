#include "lowering/ir/for_all_cores.h"

#include "lowering/ir/visitor.h"

namespace solway::ir {
namespace {

class SharedFinder final : public Visitor {
 public:
  bool found = false;

 private:
  using Visitor::visit;
  void visit(const For& s) override {
    if (s.for_kind == ForKind::Parallel) found = true;
    if (!found) Visitor::visit(s);
  }
  void visit(const Barrier& /*s*/) override { found = true; }
};

}  // namespace

bool is_for_all_cores(const Stmt& s) {
  SharedFinder finder;
  if (s.defined()) finder.walk(s);
  return finder.found;
}

}  // namespace solway::ir
