#include "lowering/ir/uses_buffer.h"

#include "lowering/ir/visitor.h"

namespace solway::ir {
namespace {

class UseFinder final : public Visitor {
 public:
  explicit UseFinder(const Buffer& buffer) : buffer_(buffer) {}
  bool found = false;

 private:
  void visit(const Load& e) override {
    found = found || e.buffer == buffer_;
    Visitor::visit(e);
  }
  void visit(const VectorLoad& e) override {
    found = found || e.buffer == buffer_;
    Visitor::visit(e);
  }
  void visit(const VectorStore& s) override {
    found = found || s.buffer == buffer_;
    Visitor::visit(s);
  }
  void visit(const Store& s) override {
    found = found || s.buffer == buffer_;
    Visitor::visit(s);
  }
  void visit(const TransferIssue& s) override {
    found = found || s.near == buffer_ || s.main == buffer_;
    Visitor::visit(s);
  }

  const Buffer& buffer_;
};

template <typename Node>
bool is_used_in(const Node& node, const Buffer& buffer) {
  UseFinder finder(buffer);
  finder.walk(node);
  return finder.found;
}

class ReadTypes final : public Visitor {
 public:
  std::set<DType> types;

 private:
  using Visitor::visit;
  void visit(const Load& e) override {
    types.insert(e.buffer->type);
    Visitor::visit(e);
  }
};

}  // namespace

bool uses(const Expr& e, const Buffer& buffer) { return is_used_in(e, buffer); }
bool uses(const Stmt& s, const Buffer& buffer) { return is_used_in(s, buffer); }

std::set<DType> types_read(const Expr& e) {
  ReadTypes read;
  read.walk(e);
  return read.types;
}

}  // namespace solway::ir
