#include "codegen/athread/vector_forms.h"

#include "codegen/athread/detail/vector_functions.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

bool has_form(UnaryOp op, DType type) {
  if (type == DType::Float32 && has_vector_function(op)) return true;
  return op == UnaryOp::Neg || op == UnaryOp::Abs || op == UnaryOp::Sqrt || op == UnaryOp::Rsqrt;
}

bool has_form(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::Div ||
         op == BinaryOp::Min || op == BinaryOp::Max;
}

bool has_form(ReduceOp op) {
  return op == ReduceOp::Sum || op == ReduceOp::Prod || op == ReduceOp::Min || op == ReduceOp::Max;
}

/// Looks at the vectors of an expression; what is scalar has a form.
class LackFinder final : public ir::Visitor {
 public:
  explicit LackFinder(const std::string& machine) : machine_(machine) {}

  std::string lack;  ///< the first that was found

  void value(const ir::Expr& e) {
    if (!lack.empty() || !e.defined() || !e.type().is_vector()) return;
    if (!try_vector_type(e.type(), machine_)) {
      lack = "there are no vectors of " + std::to_string(e.type().lanes.count) + " " +
             std::string(to_string(e.type().scalar)) + " for computing cores";
      return;
    }
    walk(e);
  }

 private:
  void no(const std::string& what) {
    if (lack.empty()) lack = "computing cores have no vector form of " + what;
  }

  void visit(const ir::Unary& e) override {
    if (!has_form(e.op, e.operand.type().scalar)) {
      return no("'" + std::string(to_string(e.op)) + "'");
    }
    value(e.operand);
  }
  void visit(const ir::Binary& e) override {
    if (!has_form(e.op)) return no("'" + std::string(to_string(e.op)) + "'");
    value(e.a);
    value(e.b);
  }
  void visit(const ir::Select& e) override {
    const auto* condition = e.condition.as_or_null<ir::Binary>();
    if (condition == nullptr || !is_comparison(condition->op) ||
        condition->a.type() != e.if_true.type()) {
      return no("a choice by " + ir::to_string(e.condition));
    }
    value(condition->a);
    value(condition->b);
    value(e.if_true);
    value(e.if_false);
  }
  void visit(const ir::Cast& e) override {
    no("a cast to " + std::string(to_string(e.type.scalar)));
  }
  void visit(const ir::Ramp& /*e*/) override { no("numbers of iterations"); }
  void visit(const ir::Broadcast& /*e*/) override {}  // of a scalar
  void visit(const ir::VectorLoad& e) override {
    if (e.is_partial()) no("a vector in part");
  }

  const std::string& machine_;
};

/// Looks at the lanes that a scalar expression combines.
class LaneFinder final : public ir::Visitor {
 public:
  explicit LaneFinder(const std::string& machine) : machine_(machine) {}

  std::string lack;  ///< the first that was found

 private:
  void visit(const ir::ReduceLanes& e) override {
    if (!lack.empty()) return;
    if (!has_form(e.op)) {
      lack = "computing cores do not combine lanes by '" + std::string(to_string(e.op)) + "'";
      return;
    }
    LackFinder finder(machine_);
    finder.value(e.vector);
    lack = finder.lack;
  }

  const std::string& machine_;
};

}  // namespace

std::optional<VectorType> vector_type_of(DType scalar, const std::string& machine) {
  if (machine == "generic") return std::nullopt;
  const int lanes = machine == "sw26010pro" ? 8 : 4;
  if (scalar == DType::Float32) return VectorType{"floatv" + std::to_string(lanes), scalar, lanes};
  if (scalar == DType::Float64) return VectorType{"doublev" + std::to_string(lanes), scalar, lanes};
  return std::nullopt;
}

std::optional<VectorType> try_vector_type(const ir::Type& type, const std::string& machine) {
  const auto out = vector_type_of(type.scalar, machine);
  if (!out || type.lanes.scalable || type.lanes.count != out->lanes) return std::nullopt;
  return out;
}

std::string vector_lack(const ir::StmtNode& s, const std::string& machine) {
  LackFinder finder(machine);
  if (s.kind == ir::StmtKind::VectorStore) {
    const auto& store = static_cast<const ir::VectorStore&>(s);
    if (store.active.defined()) return "computing cores have no vector form of a vector in part";
    finder.value(store.value);
  } else if (s.kind == ir::StmtKind::Let) {
    finder.value(static_cast<const ir::Let&>(s).value);
  } else if (s.kind == ir::StmtKind::Store) {
    LaneFinder lanes(machine);
    lanes.walk(static_cast<const ir::Store&>(s).value);
    return lanes.lack;
  }
  return finder.lack;
}

}  // namespace solway::codegen
