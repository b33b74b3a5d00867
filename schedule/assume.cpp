#include "schedule/assume.h"

#include <algorithm>
#include <optional>

#include "dsl/affine.h"
#include "schedule/region.h"
#include "schedule/rewrite_loops.h"
#include "schedule/sizes.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Expr;
using dsl::ExprKind;
using dsl::ExprNode;

/// A call computes the condition with 64 bits.
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 62;

const dsl::AffineScope kScope{"assume", {}};

void split_conjunctions(const Expr& condition, std::vector<Expr>& out) {
  if (condition->kind != ExprKind::Binary || condition->binary != BinaryOp::And) {
    return out.push_back(condition);
  }
  for (const Expr& operand : condition->operands) split_conjunctions(operand, out);
}

/// What a node names that is known only inside of loops: "axis 'i'"; empty for other nodes.
std::string inner_name(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::AxisRef:
      return "axis '" + node.axis->name + "'";
    case ExprKind::Read:
      return "an element of '" + node.tensor->name + "'";
    case ExprKind::Reduce:
    case ExprKind::Item:
      return "a reduction";
    case ExprKind::Bounded:
    case ExprKind::Param:
      return "data";
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::SizeRef:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Select:
    case ExprKind::Cast:
      return "";
  }
  return "";
}

std::string first_inner_name(const Expr& expr) {
  std::string out = inner_name(*expr);
  for (const Expr& operand : expr->operands) {
    if (out.empty()) out = first_inner_name(operand);
  }
  return out;
}

class Assumer {
 public:
  Assumer(const State& state, const std::vector<Expr>& conditions, const SourceLoc& where)
      : state_(state) {
    for (const Expr& condition : conditions) split_conjunctions(condition, conditions_);
    std::string text;
    for (const Expr& condition : conditions_) {
      text += (text.empty() ? "" : ", ") + dsl::to_string(condition);
    }
    request_ = {"assume(" + text + ")", where};
  }

  State run() {
    if (conditions_.empty()) {
      refuse("there is no condition", "it states what sizes may be",
             "pass a comparison of sizes, such as n % 16 == 0");
    }
    Program program = *state_.program;
    try {
      const IslBudget budget(program.ctx(), kProgramBudget);
      for (const Expr& condition : conditions_) add(program, condition);
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    State out = state_;
    out.program = bounded(std::move(program), out.order);
    Program original = *state_.original;
    original.assumptions = out.program->assumptions;
    bound_sizes(original);
    original.reference = original.reference.intersect_params(context_of(original));
    out.original = std::make_shared<const Program>(std::move(original));
    Step step{"assume", "", {}, {}, request_.where};
    for (const Expr& condition : conditions_) {
      step.arguments.emplace_back("", step_text(condition));
    }
    out.log.push_back(std::move(step));
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  void add(Program& program, const Expr& condition) const {
    require_condition(condition);
    const auto holds = dsl::try_condition(program.ctx(), condition, kScope);
    if (!holds) {
      throw UnsupportedError(
          {request_.where,
           request_.text + ": '" + dsl::to_string(condition) + "' is not affine in sizes",
           "sums of sizes with constant factors are compared, and their quotients and remainders "
           "by constants",
           "give a product or a quotient of sizes a size of its own"});
    }
    require_small(condition);
    const isl::set before = context_of(program);
    const isl::set left = before.intersect_params(holds->params());
    if (left.is_empty()) {
      refuse("'" + dsl::to_string(condition) + "' never holds", known_of(program, condition),
             "state what a call can meet, or give the sizes other bounds");
    }
    program.assumptions.push_back({condition, request_.where, !before.is_subset(left)});
  }

  void require_condition(const Expr& condition) const {
    const std::string text = "'" + dsl::to_string(condition) + "'";
    const std::string inner = first_inner_name(condition);
    if (!inner.empty()) {
      refuse(text + " is no condition on sizes", "it depends on " + inner,
             "compare sizes; specialize divides the loops of a stage by conditions on axes");
    }
    if (condition->type != DType::Bool) {
      refuse(text + " is no condition", "it is a number", "compare it: n % 16 == 0");
    }
    if (dsl::sizes_of(condition).empty()) {
      refuse(text + " is no condition on sizes", "it names no size",
             "compare what sw.size returned");
    }
    require_own_sizes(*state_.program, condition, request_.text, request_.where);
  }

  /// Throws unless every number in `expr` fits, for all sizes within their bounds.
  void require_small(const Expr& expr) const {
    for (const Expr& operand : expr->operands) require_small(operand);
    if (expr->type == DType::Bool) return;
    const isl::ctx ctx = state_.program->ctx();
    const isl::set bounds = dsl::context_of(ctx, dsl::sizes_of(expr));
    const isl::set values =
        dsl::try_affine(ctx, expr, kScope)->as_map().intersect_params(bounds).range();
    const auto low = isl_ext::try_int64(values.dim_min_val(0));
    const auto high = isl_ext::try_int64(values.dim_max_val(0));
    if (low && high && *low >= -kLargestNumber && *high <= kLargestNumber) return;
    refuse("'" + dsl::to_string(expr) + "' becomes too large",
           "at most 2^62 keeps its arithmetic within 64 bits",
           "use smaller factors, or sizes with a smaller max=");
  }

  /// What holds of the sizes in a condition.
  static std::string known_of(const Program& program, const Expr& condition) {
    std::string out;
    const std::vector<dsl::Size> sizes = dsl::sizes_of(condition);
    for (const dsl::Size& size : sizes) {
      out += (out.empty() ? "'" : ", '") + size->name + "' runs from " + std::to_string(size->min) +
             " to " + std::to_string(size->max);
    }
    for (const Assumption& known : program.assumptions) {
      const std::vector<dsl::Size> others = dsl::sizes_of(known.condition);
      if (std::find_first_of(sizes.begin(), sizes.end(), others.begin(), others.end()) ==
          sizes.end()) {
        continue;
      }
      out +=
          ", and " + dsl::to_string(known.condition) + " is assumed at " + known.where.to_string();
    }
    return out;
  }

  /// `program` within its assumptions, and the loops of `order` with what is left of their ranges.
  std::shared_ptr<const Program> bounded(Program program, Order& order) const {
    bound_sizes(program);
    const auto domains = program.domains();
    program.reference = program.reference.intersect_params(context_of(program));
    for (auto& [id, loop] : order.loops) {
      set_range(loop, domains);
      loop.depends_on_sizes = loop.depends_on_sizes && has_range_of_sizes(program, loop);
    }
    return std::make_shared<const Program>(std::move(program));
  }

  /// Whether a loop has values for some sizes that it does not have for all.
  static bool has_range_of_sizes(const Program& program, const Loop& loop) {
    std::optional<isl::set> all;
    for (const auto& [name, value] : loop.value) {
      const isl::set own = value.as_map().intersect_domain(program.statement(name).domain).range();
      all = all ? all->unite(own) : own;
    }
    if (!all) return false;
    const isl::set any = all->project_out_all_params().intersect_params(context_of(program));
    return !any.is_subset(*all);
  }

  const State& state_;
  std::vector<Expr> conditions_;
  Request request_;
};

}  // namespace

State assume(const State& state, const std::vector<Expr>& conditions, const SourceLoc& where) {
  return Assumer(state, conditions, where).run();
}

}  // namespace solway::schedule
