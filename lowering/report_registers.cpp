#include "lowering/report_registers.h"

#include <set>
#include <string>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

class Reporter final : public ir::Visitor {
 public:
  explicit Reporter(Remarks& remarks) : remarks_(remarks) {}

 private:
  void visit(const ir::Allocate& s) override {
    where_ = s.where;
    Visitor::visit(s);
  }
  void visit(const ir::Load& e) override {
    access(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    access(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    access(s.buffer, s.indices);
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    access(s.buffer, s.indices);
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    if (s.near->scope == "register") report(s.near, "transfer '" + s.id + "' needs its address");
    Visitor::visit(s);
  }

  void access(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
    if (buffer->scope != "register") return;
    for (const ir::Expr& index : indices) {
      if (ir::try_constant(index)) continue;
      return report(buffer, "its index " + ir::to_string(index) +
                                " is no constant: unroll or vectorize the loop");
    }
  }

  void report(const ir::Buffer& buffer, const std::string& why) {
    if (!reported_.insert(buffer->name).second) return;
    remarks_.push_back({"scope register of " + buffer->name, "stays in memory", why, where_});
  }

  Remarks& remarks_;
  std::set<std::string> reported_;
  SourceLoc where_;  ///< of the innermost allocation
};

}  // namespace

ir::Stmt report_registers(const ir::Stmt& s, Remarks& remarks) {
  Reporter(remarks).walk(s);
  return s;
}

}  // namespace solway::lowering
