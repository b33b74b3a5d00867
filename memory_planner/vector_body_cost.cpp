#include "memory_planner/vector_body_cost.h"

#include <algorithm>
#include <initializer_list>

namespace solway::memory_planner {
namespace {

using dsl::ExprKind;

constexpr double kSimple = 0.5;   ///< two pipes: add, multiply, multiply-add, compare, select
constexpr double kExtreme = 1.5;  ///< minimum and maximum, through which NaN must come
constexpr double kDivide = 3;     ///< one vector of quotients
constexpr double kRoot = 5;
constexpr double kFunction = 20;  ///< a polynomial with its reduction of the range
constexpr double kIntegerDivide = 20;

bool is_product(const dsl::Expr& e) {
  return e->kind == ExprKind::Binary && e->binary == BinaryOp::Mul;
}

double own_cycles(const dsl::ExprNode& e) {
  if (e.kind == ExprKind::Select || e.kind == ExprKind::Cast) return kSimple;
  if (e.kind == ExprKind::Unary) {
    if (e.unary == UnaryOp::Neg || e.unary == UnaryOp::Not || e.unary == UnaryOp::Abs) {
      return kSimple;
    }
    if (e.unary == UnaryOp::Sqrt || e.unary == UnaryOp::Rsqrt) return kRoot;
    return kFunction;
  }
  if (e.kind != ExprKind::Binary) return 0;
  const auto is = [&](std::initializer_list<BinaryOp> ops) {
    return std::find(ops.begin(), ops.end(), e.binary) != ops.end();
  };
  if (is({BinaryOp::Add, BinaryOp::Sub})) {
    const bool is_fused = is_product(e.operands[0]) || is_product(e.operands[1]);
    return is_float(e.type) && is_fused ? 0 : kSimple;  // one operation with the product
  }
  if (is({BinaryOp::Min, BinaryOp::Max})) return is_float(e.type) ? kExtreme : kSimple;
  if (is({BinaryOp::Div})) return kDivide;
  if (is({BinaryOp::FloorDiv, BinaryOp::Mod, BinaryOp::Fmod})) return kIntegerDivide;
  if (is({BinaryOp::Pow, BinaryOp::Atan2, BinaryOp::Hypot})) return 2 * kFunction;
  return kSimple;
}

double cycles_of(const dsl::Expr& e) {
  if (e->kind == ExprKind::Read) return 0;  // its indices are addresses
  double out = own_cycles(*e);
  for (const dsl::Expr& operand : e->operands) out += cycles_of(operand);
  return out;
}

double combine_cycles(const schedule::Statement& s, bool is_of_floats) {
  if (!s.reduce) return 4 * kSimple;
  const bool is_extreme = *s.reduce == ReduceOp::Min || *s.reduce == ReduceOp::Max;
  return is_extreme && is_of_floats ? kExtreme : kSimple;
}

}  // namespace

VectorBodyCost cost_of_body(const schedule::Statement& s, const Target& target) {
  VectorBodyCost out{0, 0};
  for (const schedule::Write& write : s.writes) out.cycles += cycles_of(write.value);
  if (s.kind == schedule::StatementKind::Update && !s.writes.empty()) {
    const dsl::Expr& term = s.writes[0].value;
    const bool is_of_floats = is_float(term->type);
    const bool is_fused = s.reduce == ReduceOp::Sum && is_of_floats && is_product(term);
    if (!is_fused) out.cycles += combine_cycles(s, is_of_floats);
    out.chain_cycles = is_of_floats && target.vector ? target.vector->fma_latency_cycles : 1;
  }
  out.cycles = std::max(out.cycles, kSimple);
  return out;
}

}  // namespace solway::memory_planner
