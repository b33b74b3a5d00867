#include "codegen/llvm/vector_lack.h"

#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

/// Finds the first form that is not there.
class Lack final : public ir::Visitor {
 public:
  std::string why;

 private:
  using Visitor::visit;

  void found(const std::string& form) {
    if (why.empty()) why = "LLVM's code for the vector engine has no vector form of " + form;
  }

  void require_float(DType type) {
    if (type != DType::Float64 && type != DType::Float32) found(std::string(to_string(type)));
  }

  void visit(const ir::VectorStore& s) override {
    require_float(s.buffer->type);
    if (s.active.defined()) found("a part of a vector");
    if (s.stride_elems != 1) found("elements with a stride");
    Visitor::visit(s);
  }
  void visit(const ir::VectorLoad& e) override {
    require_float(e.type.scalar);
    if (e.is_partial()) found("a part of a vector");
    if (e.stride_elems != 1) found("elements with a stride");
    Visitor::visit(e);
  }
  void visit(const ir::Binary& e) override {
    if (e.type.is_vector()) {
      const bool is_there = e.op == BinaryOp::Add || e.op == BinaryOp::Sub ||
                            e.op == BinaryOp::Mul || e.op == BinaryOp::Div;
      if (!is_there) found("'" + std::string(to_string(e.op)) + "'");
      require_float(e.type.scalar);
    }
    Visitor::visit(e);
  }
  void visit(const ir::Unary& e) override {
    if (e.operand.type().is_vector()) found("functions");
    Visitor::visit(e);
  }
  void visit(const ir::Select& e) override {
    if (e.type.is_vector()) found("a choice");
    Visitor::visit(e);
  }
  void visit(const ir::Cast& e) override {
    if (e.operand.type().is_vector()) found("conversions");
    Visitor::visit(e);
  }
  void visit(const ir::Ramp&) override { found("positions"); }
  void visit(const ir::ReduceLanes&) override { found("combined lanes"); }
};

class ScalableLanes final : public ir::Visitor {
 public:
  bool found = false;

 private:
  using Visitor::visit;

  void note(const ir::Type& type) { found = found || type.lanes.scalable; }
  void visit(const ir::Broadcast& e) override {
    note(e.type);
    Visitor::visit(e);
  }
  void visit(const ir::Ramp& e) override {
    note(e.type);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    note(e.type);
    Visitor::visit(e);
  }
  void visit(const ir::VectorScale&) override { found = true; }
  void visit(const ir::Allocate& s) override {
    found = found || s.buffer->is_scalable;
    Visitor::visit(s);
  }
};

}  // namespace

bool has_scalable_lanes(const ir::Stmt& s) {
  ScalableLanes scalable;
  scalable.walk(s);
  return scalable.found;
}

bool is_vector_engine(const std::string& triple) { return triple.rfind("ve-", 0) == 0; }

std::string ve_vector_lack(const ir::Stmt& s) {
  Lack lack;
  lack.walk(s);
  return lack.why;
}

}  // namespace solway::codegen
