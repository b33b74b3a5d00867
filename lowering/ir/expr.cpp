#include "lowering/ir/expr.h"

#include <bit>
#include <cmath>
#include <limits>

#include "lowering/ir/detail/invariant.h"

namespace solway::ir {
namespace {

using detail::fail;

void require_defined(const Expr& e, const char* node, const char* field) {
  if (!e.defined()) fail(node, std::string("its ") + field + " is undefined");
}

void require_scalar_int64(const Expr& e, const char* node, const char* field) {
  require_defined(e, node, field);
  if (e.type() != kInt64) {
    fail(node,
         std::string("its ") + field + " has type " + to_string(e.type()) + ", expected int64");
  }
}

void require_indices(const Buffer& buffer, const std::vector<Expr>& indices, const char* node) {
  if (!buffer) fail(node, "its buffer is undefined");
  if (indices.size() != buffer->shape.size()) {
    fail(node, "got " + std::to_string(indices.size()) + " indices, buffer '" + buffer->name +
                   "' has rank " + std::to_string(buffer->shape.size()));
  }
  for (const Expr& index : indices) require_scalar_int64(index, node, "index");
}

void require_vector_lanes(const Lanes& lanes, const char* node) {
  if (lanes.count < 1 || (lanes.count == 1 && !lanes.scalable)) {
    fail(node, "lanes " + to_string(lanes) + ", expected at least 2");
  }
}

bool fits(std::int64_t value, DType type) {
  return !is_float(type) && value >= lowest(type) && value <= largest(type);
}

template <class Op>
[[noreturn]] void fail_operands(Op op, const Type& type) {
  fail("operation '" + std::string(to_string(op)) + "'", "it takes no " + to_string(type));
}

}  // namespace

Expr IntImm::make(std::int64_t value, DType type) {
  if (!fits(value, type)) {
    fail("integer literal",
         std::to_string(value) + " does not fit " + std::string(to_string(type)));
  }
  std::shared_ptr<IntImm> node(new IntImm);
  node->type = {type, {}};
  node->value = value;
  return Expr(node);
}

Expr FloatImm::make(double value, DType type) {
  if (!is_float(type)) fail("float literal", "of type " + std::string(to_string(type)));
  std::shared_ptr<FloatImm> node(new FloatImm);
  node->type = {type, {}};
  node->value = rounded(value, type);
  if (std::isnan(value)) node->value = std::numeric_limits<double>::quiet_NaN();
  return Expr(node);
}

Expr Var::make(std::string name, Type type) {
  if (!is_identifier(name)) fail("variable '" + name + "'", "its name is no identifier");
  std::shared_ptr<Var> node(new Var);
  node->type = type;
  node->name = std::move(name);
  return Expr(node);
}

Expr Unary::make(UnaryOp op, Expr operand) {
  require_defined(operand, "unary operation", "operand");
  if (!takes(op, operand.type().scalar)) fail_operands(op, operand.type());
  std::shared_ptr<Unary> node(new Unary);
  node->type = {result_type(op, operand.type().scalar), operand.type().lanes};
  node->op = op;
  node->operand = std::move(operand);
  return Expr(node);
}

Expr Binary::make(BinaryOp op, Expr a, Expr b) {
  require_defined(a, "binary operation", "first operand");
  require_defined(b, "binary operation", "second operand");
  if (a.type() != b.type()) {
    fail("operation '" + std::string(to_string(op)) + "'",
         "operands of types " + to_string(a.type()) + " and " + to_string(b.type()));
  }
  if (!takes(op, a.type().scalar)) fail_operands(op, a.type());
  std::shared_ptr<Binary> node(new Binary);
  node->type = {result_type(op, a.type().scalar), a.type().lanes};
  node->op = op;
  node->a = std::move(a);
  node->b = std::move(b);
  return Expr(node);
}

Expr Select::make(Expr condition, Expr if_true, Expr if_false) {
  require_defined(condition, "select", "condition");
  require_defined(if_true, "select", "true side");
  require_defined(if_false, "select", "false side");
  if (condition.type().scalar != DType::Bool) {
    fail("select", "its condition has type " + to_string(condition.type()));
  }
  if (if_true.type() != if_false.type()) {
    fail("select",
         "sides of types " + to_string(if_true.type()) + " and " + to_string(if_false.type()));
  }
  if (condition.type().is_vector() && condition.type().lanes != if_true.type().lanes) {
    fail("select", "a condition of type " + to_string(condition.type()) + " over sides of type " +
                       to_string(if_true.type()));
  }
  std::shared_ptr<Select> node(new Select);
  node->type = if_true.type();
  node->condition = std::move(condition);
  node->if_true = std::move(if_true);
  node->if_false = std::move(if_false);
  return Expr(node);
}

Expr Cast::make(Expr operand, DType type) {
  require_defined(operand, "cast", "operand");
  std::shared_ptr<Cast> node(new Cast);
  node->type = {type, operand.type().lanes};
  node->operand = std::move(operand);
  return Expr(node);
}

Expr Load::make(Buffer buffer, std::vector<Expr> indices) {
  require_indices(buffer, indices, "load");
  std::shared_ptr<Load> node(new Load);
  node->type = {buffer->type, {}};
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  return Expr(node);
}

Expr Broadcast::make(Expr value, Lanes lanes) {
  require_defined(value, "broadcast", "value");
  require_vector_lanes(lanes, "broadcast");
  const Lanes& own = value.type().lanes;
  const bool repeats = !own.scalable && !lanes.scalable && lanes.count % own.count == 0;
  if (value.type().is_vector() && !repeats) {
    fail("broadcast", "of type " + to_string(value.type()) + " to lanes " + to_string(lanes));
  }
  std::shared_ptr<Broadcast> node(new Broadcast);
  node->type = {value.type().scalar, lanes};
  node->value = std::move(value);
  return Expr(node);
}

Expr Ramp::make(Expr base, Expr stride, Lanes lanes) {
  require_defined(base, "ramp", "base");
  require_defined(stride, "ramp", "stride");
  require_vector_lanes(lanes, "ramp");
  if (base.type() != stride.type() || base.type().is_vector() || !is_integer(base.type().scalar)) {
    fail("ramp",
         "base and stride of types " + to_string(base.type()) + " and " + to_string(stride.type()));
  }
  std::shared_ptr<Ramp> node(new Ramp);
  node->type = {base.type().scalar, lanes};
  node->base = std::move(base);
  node->stride = std::move(stride);
  return Expr(node);
}

Expr VectorLoad::make(Buffer buffer, std::vector<Expr> indices, std::int64_t stride_elems,
                      Lanes lanes, Expr active, int first) {
  const Expr stride = IntImm::make(stride_elems, DType::Int64);
  return make(std::move(buffer), std::move(indices), stride, lanes, std::move(active), first);
}

Expr VectorLoad::make(Buffer buffer, std::vector<Expr> indices, const Expr& stride, Lanes lanes,
                      Expr active, int first) {
  require_indices(buffer, indices, "vector load");
  require_vector_lanes(lanes, "vector load");
  require_scalar_int64(stride, "vector load", "stride");
  const auto* constant = stride.as_or_null<IntImm>();
  if (constant != nullptr && constant->value == 0) fail("vector load", "stride 0");
  if (active.defined()) require_scalar_int64(active, "vector load", "active length");
  const bool is_lane = first == 0 || (first > 0 && first < lanes.count && !lanes.scalable);
  if (!is_lane) fail("vector load", "first lane " + std::to_string(first));
  std::shared_ptr<VectorLoad> node(new VectorLoad);
  node->type = {buffer->type, lanes};
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  node->stride_elems = constant != nullptr ? constant->value : 0;
  if (constant == nullptr) node->stride = stride;
  node->active = std::move(active);
  node->first = first;
  return Expr(node);
}

Expr ReduceLanes::make(ReduceOp op, Expr vector) {
  require_defined(vector, "lane reduction", "vector");
  const Type& type = vector.type();
  if (!type.is_vector() || !takes(combine_op(op), type.scalar)) fail_operands(op, type);
  std::shared_ptr<ReduceLanes> node(new ReduceLanes);
  node->type = {type.scalar, {}};
  node->op = op;
  node->vector = std::move(vector);
  return Expr(node);
}

Expr VectorScale::make() {
  std::shared_ptr<VectorScale> node(new VectorScale);
  node->type = kInt64;
  return Expr(node);
}

Expr Dot::make(Expr acc, Expr a, Expr b) {
  require_defined(acc, "dot", "sum");
  require_defined(a, "dot", "first operand");
  require_defined(b, "dot", "second operand");
  const auto is_byte = [](const Expr& e) {
    return size_bytes(e.type().scalar) == 1 && e.type().scalar != DType::Bool;
  };
  const bool is_of_bytes = acc.type().scalar == DType::Int32 && is_byte(a) && is_byte(b);
  const bool is_of_halves = acc.type().scalar == DType::Float32 &&
                            a.type().scalar == DType::BFloat16 &&
                            b.type().scalar == DType::BFloat16;
  const Lanes& sums = acc.type().lanes;
  const Lanes& terms = a.type().lanes;
  const bool fit = terms == b.type().lanes && !terms.scalable && !sums.scalable &&
                   terms.count > sums.count && terms.count % sums.count == 0;
  if (!fit || (!is_of_bytes && !is_of_halves)) {
    fail("dot", "of types " + to_string(acc.type()) + ", " + to_string(a.type()) + " and " +
                    to_string(b.type()));
  }
  std::shared_ptr<Dot> node(new Dot);
  node->type = acc.type();
  node->acc = std::move(acc);
  node->a = std::move(a);
  node->b = std::move(b);
  return Expr(node);
}

namespace {

bool equal_all(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

bool equal_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

bool equal(const Expr& a, const Expr& b) {
  if (a.same_as(b)) return true;
  if (!a.defined() || !b.defined() || a.kind() != b.kind() || a.type() != b.type()) return false;
  switch (a.kind()) {
    case ExprKind::IntImm:
      return a.as<IntImm>().value == b.as<IntImm>().value;
    case ExprKind::FloatImm:
      return equal_bits(a.as<FloatImm>().value, b.as<FloatImm>().value);
    case ExprKind::Var:
      return a.as<Var>().name == b.as<Var>().name;
    case ExprKind::Unary:
      return a.as<Unary>().op == b.as<Unary>().op &&
             equal(a.as<Unary>().operand, b.as<Unary>().operand);
    case ExprKind::Binary:
      return a.as<Binary>().op == b.as<Binary>().op && equal(a.as<Binary>().a, b.as<Binary>().a) &&
             equal(a.as<Binary>().b, b.as<Binary>().b);
    case ExprKind::Select:
      return equal(a.as<Select>().condition, b.as<Select>().condition) &&
             equal(a.as<Select>().if_true, b.as<Select>().if_true) &&
             equal(a.as<Select>().if_false, b.as<Select>().if_false);
    case ExprKind::Cast:
      return equal(a.as<Cast>().operand, b.as<Cast>().operand);
    case ExprKind::Load:
      return a.as<Load>().buffer == b.as<Load>().buffer &&
             equal_all(a.as<Load>().indices, b.as<Load>().indices);
    case ExprKind::Broadcast:
      return equal(a.as<Broadcast>().value, b.as<Broadcast>().value);
    case ExprKind::Ramp:
      return equal(a.as<Ramp>().base, b.as<Ramp>().base) &&
             equal(a.as<Ramp>().stride, b.as<Ramp>().stride);
    case ExprKind::VectorLoad: {
      const VectorLoad& x = a.as<VectorLoad>();
      const VectorLoad& y = b.as<VectorLoad>();
      return x.buffer == y.buffer && x.stride_elems == y.stride_elems && x.first == y.first &&
             equal_all(x.indices, y.indices) && equal(x.stride, y.stride) &&
             equal(x.active, y.active);
    }
    case ExprKind::ReduceLanes:
      return a.as<ReduceLanes>().op == b.as<ReduceLanes>().op &&
             equal(a.as<ReduceLanes>().vector, b.as<ReduceLanes>().vector);
    case ExprKind::Dot:
      return equal(a.as<Dot>().acc, b.as<Dot>().acc) && equal(a.as<Dot>().a, b.as<Dot>().a) &&
             equal(a.as<Dot>().b, b.as<Dot>().b);
    case ExprKind::VectorScale:
      return true;
  }
  return false;
}

}  // namespace solway::ir
