#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dsl/reducer.h"
#include "memory_planner/body_model.h"
#include "memory_planner/iteration_samples.h"
#include "schedule/statement.h"

/// What the operations of an expression take.
namespace solway::memory_planner {

using dsl::ExprKind;
using schedule::Statement;
using schedule::StatementKind;

/// Cycles of one operation: how long it keeps its pipe, and until its result can be used.
struct Cost {
  double issue = 0;
  double latency = 0;
  double number = -1;  ///< issue of one number, where that differs
  double of_number() const { return number < 0 ? issue : number; }
};

/// Of a number the code for a minimum or maximum has branches, as NaN must come through.
constexpr double kExtremeOfNumber = 13;

/// Functions of float32 in vectors of a computing core (codegen/athread), by the emulator's clock:
/// of a vector among several, of one alone, and of a number, which is computed as a vector.
inline std::optional<Cost> function_cost(UnaryOp op, double divide) {
  if (op == UnaryOp::Exp) return Cost{48, 139, 141};
  if (op == UnaryOp::Exp2) return Cost{50, 146, 148};
  if (op == UnaryOp::Expm1) return Cost{157, 246, 238};
  if (op == UnaryOp::Sigmoid) return Cost{50 + divide, 146 + divide, 155 + divide};
  if (op == UnaryOp::Tanh) return Cost{140 + divide, 225 + divide, 217 + divide};
  if (op == UnaryOp::Erf) return Cost{173, 269, 258};
  if (op == UnaryOp::Log || op == UnaryOp::Log2) return Cost{171, 315, 350};
  if (op == UnaryOp::Log10) return Cost{173, 323, 357};
  if (op == UnaryOp::Log1p) return Cost{216, 366, 400};
  return std::nullopt;
}

/// Whether a number is a sum of constants and of multiples of axes, which are added to `axes`.
inline bool is_linear(const dsl::Expr& e, std::set<const dsl::AxisNode*>& axes) {
  if (e->kind == ExprKind::Int) return true;
  if (e->kind == ExprKind::AxisRef) {
    axes.insert(e->axis.get());
    return true;
  }
  if (e->kind != ExprKind::Binary) return false;
  const bool is_scaled = e->binary == BinaryOp::Mul && (e->operands[0]->kind == ExprKind::Int ||
                                                        e->operands[1]->kind == ExprKind::Int);
  if (e->binary != BinaryOp::Add && e->binary != BinaryOp::Sub && !is_scaled) return false;
  return is_linear(e->operands[0], axes) && is_linear(e->operands[1], axes);
}

/// Whether a condition is one or several comparisons of numbers of iterations that all have to
/// hold, each of one axis at most.
inline bool is_by_axes(const dsl::Expr& condition) {
  if (condition->kind != ExprKind::Binary) return false;
  if (condition->binary == BinaryOp::And) {
    return is_by_axes(condition->operands[0]) && is_by_axes(condition->operands[1]);
  }
  const bool is_order = condition->binary == BinaryOp::Le || condition->binary == BinaryOp::Lt ||
                        condition->binary == BinaryOp::Ge || condition->binary == BinaryOp::Gt;
  std::set<const dsl::AxisNode*> axes;
  return is_order && condition->operands[0]->type == DType::Int64 &&
         is_linear(condition->operands[0], axes) && is_linear(condition->operands[1], axes) &&
         axes.size() <= 1;
}

/// Whether a statement stores one of two values by such a condition.
inline bool stores_by_axes(const Statement& s) {
  if (s.kind != StatementKind::Compute || s.writes.size() != 1) return false;
  const dsl::Expr& value = s.writes[0].value;
  return value->kind == ExprKind::Select && is_by_axes(value->operands[0]);
}

/// Sums the cycles of an expression.
class Walk {
 public:
  Walk(const Target& target, DType type, BodyModel& out)
      : timing_(*target.timing),
        type_(type),
        has_functions_(target.dialect == "athread"),
        out_(out) {
    if (target.vector) fma_ = target.vector->fma_latency_cycles;
  }

  /// The same, with sums of its own.
  Walk(const Walk& other, BodyModel& out)
      : timing_(other.timing_),
        type_(other.type_),
        has_functions_(other.has_functions_),
        out_(out),
        fma_(other.fma_) {}

  /// Counts what each iteration of a loop takes: what is the same for all of them is computed
  /// before it.
  void within(const dsl::AxisNode* axis) { within_ = axis; }

  /// Counts what numbers of these iterations take: a core computes the side of a select that it
  /// stores.
  void weigh(const Statement& statement, const Iterations& iterations) {
    statement_ = &statement;
    iterations_ = iterations;
  }

  /// How often a read happens in an iteration, where that was weighed.
  const std::map<const dsl::ExprNode*, double>& read_shares() const { return read_shares_; }

  /// Returns the cycles until the value is there, its loads not counted.
  double value(const dsl::Expr& e) {
    if (within_ != nullptr && !moves_with(*e, within_)) return 0;
    // Loops count the numbers of their iterations.
    std::set<const dsl::AxisNode*> axes;
    if (statement_ != nullptr && e->type == DType::Int64 && is_linear(e, axes)) return 0;
    if (e->kind == ExprKind::Read) read_shares_[e.get()] += weight_;
    if (e->kind == ExprKind::Int || e->kind == ExprKind::Float || e->kind == ExprKind::SizeRef ||
        e->kind == ExprKind::Read || e->kind == ExprKind::Param) {
      return 0;
    }
    const auto known = shared_.find(e.get());
    if (known != shared_.end()) return known->second;
    const double ready = operation(e);
    if (shares_) shared_.emplace(e.get(), ready);
    return ready;
  }

  /// Of a combine function of the user's: what its results have in common is computed once. Each
  /// further value is loaded and stored.
  Cost combine(const dsl::Combiner& combiner) {
    refuse("a reduction of the user's");
    shares_ = true;
    double ready = 0;
    for (const dsl::Expr& result : combiner.results) ready = std::max(ready, value(result));
    shares_ = false;
    shared_.clear();
    return {2.0 * static_cast<double>(combiner.results.size() - 1), ready};
  }

  /// The same of a select of which a vector has one side; a number looks for its own.
  double either(const dsl::Expr& select) {
    BodyModel aside;
    aside.issue_cycles = aside.number_cycles = 0;
    const double decided = Walk(*this, aside).value(select->operands[0]);
    out_.number_cycles += aside.number_cycles + 1;
    return std::max({decided, value(select->operands[1]), value(select->operands[2])});
  }

  Cost combine(ReduceOp op) {
    if (op == ReduceOp::Sum || op == ReduceOp::Prod) return {1, fma_};
    if (op == ReduceOp::Min || op == ReduceOp::Max) return extreme();
    refuse("a reduction without a vector form");
    return {4, fma_};
  }

  void refuse(const std::string& why) {
    if (out_.no_vector.empty()) out_.no_vector = why;
  }

 private:
  static bool moves_with(const dsl::ExprNode& e, const dsl::AxisNode* axis) {
    if (e.kind == ExprKind::AxisRef) return e.axis.get() == axis;
    return std::any_of(e.operands.begin(), e.operands.end(),
                       [&](const dsl::Expr& operand) { return moves_with(*operand, axis); });
  }

  double operation(const dsl::Expr& e) {
    if (e->kind == ExprKind::Unary) return apply(unary(*e), e);
    if (e->kind == ExprKind::Binary) return apply(binary(*e), e);
    if (e->kind == ExprKind::Select) {
      require_vector_condition(*e);
      if (statement_ != nullptr) return chosen(*e);
      return apply({1, static_cast<double>(timing_.vector_latency_cycles)}, e);
    }
    refuse("an operation without a vector form: " + dsl::to_string(e));
    return apply({1, 1}, e);
  }

  double apply(const Cost& cost, const dsl::Expr& e) {
    double ready = 0;
    for (const dsl::Expr& operand : e->operands) ready = std::max(ready, value(operand));
    out_.issue_cycles += weight_ * cost.issue;
    out_.number_cycles += weight_ * cost.of_number();
    return ready + cost.latency;
  }

  /// A select by a branch. What its condition says of data holds every second time.
  double chosen(const dsl::ExprNode& e) {
    const double decided = value(e.operands[0]) + 1;
    out_.number_cycles += weight_;
    const Iterations here = iterations_;
    const auto first = iterations_where(*statement_, e.operands[0], here);
    double out = decided;
    for (const bool is_first : {true, false}) {
      double part = 0.5;
      if (first) {
        iterations_ = is_first ? *first : others(here, *first);
        const double count = static_cast<double>(std::max<std::size_t>(1, here.size()));
        part = static_cast<double>(iterations_.size()) / count;
      }
      if (part == 0) continue;
      const double whole = weight_;
      weight_ *= part;
      out += part * value(e.operands[is_first ? 1 : 2]);
      weight_ = whole;
      iterations_ = here;
    }
    return out;
  }

  /// `some` is a part of `all`, in the same order.
  static Iterations others(const Iterations& all, const Iterations& some) {
    Iterations out;
    std::size_t next = 0;
    for (const auto& one : all) {
      if (next < some.size() && one == some[next]) {
        ++next;
      } else {
        out.push_back(one);
      }
    }
    return out;
  }

  /// Two comparisons and two selections: no number where an operand is none. Of integers one each.
  Cost extreme() const {
    if (!is_float(type_)) return {2, 1.0 + timing_.vector_latency_cycles};
    return {4, 4.0 + 2 * timing_.vector_latency_cycles, kExtremeOfNumber};
  }

  Cost unary(const dsl::ExprNode& e) {
    if (e.unary == UnaryOp::Neg || e.unary == UnaryOp::Abs) {
      return {1, static_cast<double>(timing_.vector_latency_cycles)};
    }
    if (e.unary == UnaryOp::Not || e.unary == UnaryOp::IsNan) {
      refuse("an operation without a vector form");
      const double issue = e.unary == UnaryOp::Not ? 0 : 1;  // a comparison is turned around
      return {issue, issue * timing_.vector_latency_cycles};
    }
    if (e.unary == UnaryOp::Sqrt) return slow(timing_.float_divide_cycles);
    if (e.unary == UnaryOp::Rsqrt) return slow(2 * timing_.float_divide_cycles);
    const auto function = function_cost(e.unary, timing_.float_divide_cycles);
    if (function && e.type == DType::Float32 && has_functions_) return *function;
    refuse("a function without a vector form");
    return slow(timing_.library_call_cycles);
  }

  Cost binary(const dsl::ExprNode& e) {
    if (is_comparison(e.binary)) return {1, static_cast<double>(timing_.vector_latency_cycles)};
    if (!is_float(e.type)) {
      if (e.type != DType::Bool) refuse("values of a type without a vector form");
      return {1, static_cast<double>(timing_.vector_latency_cycles)};
    }
    if (e.binary == BinaryOp::Add || e.binary == BinaryOp::Sub) {
      const bool is_fused = is_product(e.operands[0]) || is_product(e.operands[1]);
      return is_fused ? Cost{0, 0} : Cost{1, fma_};
    }
    if (e.binary == BinaryOp::Mul) return {1, fma_};
    if (e.binary == BinaryOp::Div) return slow(timing_.float_divide_cycles);
    if (e.binary == BinaryOp::Min || e.binary == BinaryOp::Max) return extreme();
    refuse("an operation without a vector form");
    return slow(timing_.library_call_cycles);
  }

  static bool is_product(const dsl::Expr& e) {
    return e->kind == ExprKind::Binary && e->binary == BinaryOp::Mul;
  }

  static Cost slow(int cycles) {
    return {static_cast<double>(cycles), static_cast<double>(cycles)};
  }

  /// A vector selects by a comparison of its own type only.
  void require_vector_condition(const dsl::ExprNode& e) {
    const dsl::ExprNode& condition = *e.operands[0];
    const bool fits = condition.kind == ExprKind::Binary && is_comparison(condition.binary) &&
                      condition.operands[0]->type == type_;
    if (!fits) refuse("a condition that is no comparison of its values");
  }

  const Timing& timing_;
  DType type_;
  bool has_functions_;  ///< in vectors
  BodyModel& out_;
  double fma_ = 1;
  const dsl::AxisNode* within_ = nullptr;
  const Statement* statement_ = nullptr;  ///< whose selects are weighed
  Iterations iterations_;                 ///< that compute what is looked at
  double weight_ = 1;                     ///< of its operations, how often they are computed
  std::map<const dsl::ExprNode*, double> read_shares_;
  bool shares_ = false;  ///< an expression that stands at two places is computed once
  std::map<const dsl::ExprNode*, double> shared_;
};

}  // namespace solway::memory_planner
