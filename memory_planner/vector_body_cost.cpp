#include "memory_planner/vector_body_cost.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <set>

#include "support/half_type.h"

namespace solway::memory_planner {
namespace {

using dsl::ExprKind;

constexpr double kSimple = 0.5;   ///< two pipes: add, multiply, multiply-add, compare, select
constexpr double kExtreme = 1.5;  ///< minimum and maximum, through which NaN must come
constexpr double kDivide = 3;     ///< one vector of quotients
constexpr double kRoot = 5;
constexpr double kToFloat16 = 1;  ///< one vector of float32, rounded
constexpr double kToBFloat16 = 4;
constexpr double kCall = 12;  ///< of the C library, for one lane
constexpr double kIntegerDivide = 20;
constexpr double kStates = 20;  ///< several values that are combined, from a store to the next one

/// One instruction, or a few, and no polynomial.
bool is_rounding(UnaryOp op) {
  return op == UnaryOp::Floor || op == UnaryOp::Ceil || op == UnaryOp::Round ||
         op == UnaryOp::Trunc || op == UnaryOp::Sign || op == UnaryOp::BitNot ||
         op == UnaryOp::IsNan || op == UnaryOp::IsInf || op == UnaryOp::IsFinite;
}

bool is_product(const dsl::Expr& e) {
  return e->kind == ExprKind::Binary && e->binary == BinaryOp::Mul;
}

int lanes_of(DType type, const Target& target) {
  return target.vector ? std::max(target.lanes(arithmetic_type(type)), 1) : 1;
}

/// Of one vector; 0: the C library's is called for each lane.
struct FunctionCycles {
  UnaryOp op;
  double of_float;
  double of_double;
};

/// The functions that code generation writes in vectors (docs/math_functions.md).
constexpr FunctionCycles kInVectors[] = {
    {UnaryOp::Exp, 9, 16},     {UnaryOp::Exp2, 9, 0},   {UnaryOp::Expm1, 9, 0},
    {UnaryOp::Log2, 11, 0},    {UnaryOp::Log, 13, 24},  {UnaryOp::Log10, 13, 0},
    {UnaryOp::Log1p, 13, 0},   {UnaryOp::Tanh, 14, 32}, {UnaryOp::Erf, 16, 70},
    {UnaryOp::Sin, 29, 0},     {UnaryOp::Cos, 29, 0},   {UnaryOp::Tan, 40, 0},
    {UnaryOp::Asin, 83, 0},    {UnaryOp::Acos, 83, 0},  {UnaryOp::Atan, 46, 0},
    {UnaryOp::Sinh, 60, 0},    {UnaryOp::Cosh, 46, 0},  {UnaryOp::Asinh, 89, 0},
    {UnaryOp::Acosh, 95, 0},   {UnaryOp::Atanh, 83, 0}, {UnaryOp::Cbrt, 94, 0},
    {UnaryOp::Sigmoid, 11, 22}};

/// Those of float32 of two operands.
double cycles_of_two(BinaryOp op) { return op == BinaryOp::Pow ? 123 : 50; }

double function_cycles(const dsl::ExprNode& e, const Target& target) {
  const auto* found = std::find_if(std::begin(kInVectors), std::end(kInVectors),
                                   [&](const FunctionCycles& f) { return f.op == e.unary; });
  if (found != std::end(kInVectors)) {
    const double cycles = e.type == DType::Float32   ? found->of_float
                          : e.type == DType::Float64 ? found->of_double
                                                     : 0;
    if (cycles > 0) return cycles;
  }
  return kCall * lanes_of(e.type, target);
}

double cast_cycles(const dsl::ExprNode& e) {
  // What is loaded is widened once for all that use it: VectorAccess::is_half.
  if (e.operands[0]->kind == ExprKind::Read && is_half(e.operands[0]->type)) return 0;
  if (e.type == DType::Float16) return kToFloat16;
  return e.type == DType::BFloat16 ? kToBFloat16 : kSimple;
}

double own_cycles(const dsl::ExprNode& e, const Target& target) {
  if (e.kind == ExprKind::Cast) return cast_cycles(e);
  if (e.kind == ExprKind::Select) return kSimple;
  if (e.kind == ExprKind::Unary) {
    if (e.unary == UnaryOp::Neg || e.unary == UnaryOp::Not || e.unary == UnaryOp::Abs) {
      return kSimple;
    }
    if (e.unary == UnaryOp::Sqrt || e.unary == UnaryOp::Rsqrt) return kRoot;
    return is_rounding(e.unary) ? kSimple : function_cycles(e, target);
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
  if (is({BinaryOp::Pow, BinaryOp::Atan2, BinaryOp::Hypot})) {
    return e.type == DType::Float32 ? cycles_of_two(e.binary)
                                    : 2 * kCall * lanes_of(e.type, target);
  }
  return kSimple;
}

double cycles_of(const dsl::Expr& e, const Target& target) {
  if (e->kind == ExprKind::Read) return 0;  // its indices are addresses
  double out = own_cycles(*e, target);
  for (const dsl::Expr& operand : e->operands) out += cycles_of(operand, target);
  return out;
}

/// Whether it takes the largest or the smallest of floats, of which NaN is both.
bool is_extreme(const schedule::Statement& s, bool is_of_floats) {
  return is_of_floats && s.reduce && (*s.reduce == ReduceOp::Min || *s.reduce == ReduceOp::Max);
}

/// Operations of several results, of which those that they share count once.
double combiner_cycles(const dsl::Combiner& combiner, const Target& target) {
  std::set<const dsl::ExprNode*> known;
  double out = 0;
  const std::function<void(const dsl::Expr&)> add = [&](const dsl::Expr& e) {
    if (!known.insert(e.get()).second) return;
    out += own_cycles(*e, target);
    for (const dsl::Expr& operand : e->operands) add(operand);
  };
  for (const dsl::Expr& result : combiner.results) add(result);
  return out;
}

double combine_cycles(const schedule::Statement& s, bool is_of_floats, const Target& target) {
  if (s.combiner) return combiner_cycles(*s.combiner, target);
  if (!s.reduce) return 4 * kSimple;
  return is_extreme(s, is_of_floats) ? kExtreme : kSimple;
}

}  // namespace

VectorBodyCost cost_of_body(const schedule::Statement& s, const Target& target) {
  VectorBodyCost out{0, 0};
  for (const schedule::Write& write : s.writes) out.cycles += cycles_of(write.value, target);
  if (s.kind == schedule::StatementKind::Update && !s.writes.empty()) {
    const dsl::Expr& term = s.writes[0].value;
    const bool is_of_floats = is_float(term->type);
    const bool is_fused = s.reduce == ReduceOp::Sum && is_of_floats && is_product(term);
    if (!is_fused) out.cycles += combine_cycles(s, is_of_floats, target);
    // Where NaN was is carried beside the numbers, in registers of its own where there are any.
    const bool has_masks = target.vector && target.vector->registers > 16;
    if (is_extreme(s, is_of_floats) && !has_masks) out.carried = 2;
    out.chain_cycles = is_of_floats && target.vector ? target.vector->fma_latency_cycles : 1;
    if (s.combiner) out.chain_cycles = kStates;
  }
  out.cycles = std::max(out.cycles, kSimple);
  return out;
}

}  // namespace solway::memory_planner
