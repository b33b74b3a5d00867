#include "lowering/ir/buffer_names.h"

#include "lowering/ir/visitor.h"

namespace solway::ir {
namespace {

class BufferNames final : public Visitor {
 public:
  std::set<std::string> found;

 private:
  void visit(const Load& e) override {
    found.insert(e.buffer->name);
    Visitor::visit(e);
  }
  void visit(const VectorLoad& e) override {
    found.insert(e.buffer->name);
    Visitor::visit(e);
  }
  void visit(const Store& s) override {
    found.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const VectorStore& s) override {
    found.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const Allocate& s) override {
    found.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const TransferIssue& s) override {
    found.insert({s.main->name, s.near->name});
    Visitor::visit(s);
  }
  void visit(const Exchange& s) override {
    found.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const Prefetch& s) override {
    found.insert(s.buffer->name);
    Visitor::visit(s);
  }
};

}  // namespace

std::set<std::string> buffer_names(const Stmt& s) {
  BufferNames names;
  names.walk(s);
  return std::move(names.found);
}

}  // namespace solway::ir
