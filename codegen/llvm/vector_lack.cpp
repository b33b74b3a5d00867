#include "codegen/llvm/vector_lack.h"

#include <optional>

#include "codegen/llvm/detail/arith.h"
#include "codegen/llvm/detail/constant_power.h"
#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_math/float_functions.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

/// Whether a function of floats, or an operation of theirs that others call a function for, has
/// vector code.
bool has_function(UnaryOp op, DType type) {
  return !detail::is_call(op) || detail::float_function_or_null(op, type) != nullptr;
}

/// The number in all lanes, where it is known.
std::optional<double> number_of(const ir::Expr& e) {
  const auto* repeated = e.as_or_null<ir::Broadcast>();
  if (repeated == nullptr) return std::nullopt;
  if (const auto* number = repeated->value.as_or_null<ir::FloatImm>()) return number->value;
  if (const auto* number = repeated->value.as_or_null<ir::IntImm>()) {
    return static_cast<double>(number->value);
  }
  return std::nullopt;
}

bool has_operation(const ir::Binary& e) {
  const DType type = e.a.type().scalar;
  if (detail::float_function_or_null(e.op, type) != nullptr) return true;
  if (e.op == BinaryOp::Pow) {
    const auto power = number_of(e.b);
    return power && detail::has_constant_power(type, *power);
  }
  const bool is_division =
      e.op == BinaryOp::FloorDiv || e.op == BinaryOp::Mod || e.op == BinaryOp::Fmod;
  return is_division || !detail::is_call(e.op, type);
}

/// Finds the first form that is not there.
class Lack final : public ir::Visitor {
 public:
  std::string why;

 private:
  using Visitor::visit;

  void found(const std::string& form) {
    if (why.empty()) why = "the code for the vector engine has no vector form of " + form;
  }

  void require_type(const ir::Type& type) {
    if (!type.is_vector()) return;
    const bool is_whole = type.lanes.count == static_cast<int>(detail::kEngineLanes);
    if (type.lanes.scalable || !is_whole) found(to_string(type.lanes) + " lanes");
  }
  void visit(const ir::VectorStore& s) override {
    if (s.stride_elems != 1 && size_bytes(s.buffer->type) < 4) {
      found("stores of " + std::string(to_string(s.buffer->type)) +
            " that do not lie side by side");
    }
    require_type(s.value.type());
    Visitor::visit(s);
  }
  void visit(const ir::VectorLoad& e) override {
    require_type(e.type);
    if (e.first > 0) found("a vector that begins late");
    Visitor::visit(e);
  }
  void visit(const ir::Binary& e) override {
    require_type(e.a.type());
    if (e.type.is_vector() && !has_operation(e)) {
      found("'" + std::string(to_string(e.op)) + "' of " +
            std::string(to_string(e.a.type().scalar)));
    }
    Visitor::visit(e);
  }
  void visit(const ir::Unary& e) override {
    require_type(e.type);
    if (e.type.is_vector() && !has_function(e.op, e.operand.type().scalar)) {
      found("'" + std::string(to_string(e.op)) + "' of " +
            std::string(to_string(e.operand.type().scalar)));
    }
    Visitor::visit(e);
  }
  void visit(const ir::Cast& e) override {
    require_type(e.type);
    require_type(e.operand.type());
    Visitor::visit(e);
  }
  void visit(const ir::Broadcast& e) override {
    require_type(e.type);
    if (e.value.type().is_vector()) found("lanes that are repeated");
    Visitor::visit(e);
  }
  void visit(const ir::Ramp& e) override {
    require_type(e.type);
    Visitor::visit(e);
  }
  void visit(const ir::ReduceLanes& e) override {
    require_type(e.vector.type());
    Visitor::visit(e);
  }
  void visit(const ir::Dot& e) override {
    found("dots");
    Visitor::visit(e);
  }
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
