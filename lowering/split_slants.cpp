#include "lowering/split_slants.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/range.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/visitor.h"
#include "lowering/sums_inside.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

bool is_short(const ir::For& s) {
  return s.for_kind == ir::ForKind::Vectorized || s.for_kind == ir::ForKind::Unrolled;
}

/// A minimum or maximum in a bound, and what has to be 0 or more for it to be its constant operand.
struct Choice {
  const ir::ExprNode* node = nullptr;
  Expr constant;
  ir::Linear slack;
};

/// The constant that a bound is, or that it goes to and not beyond.
std::optional<std::int64_t> constant_end_of(const Expr& bound, BinaryOp op) {
  if (const auto* choice = bound.as_or_null<ir::Binary>(); choice != nullptr && choice->op == op) {
    const auto first = ir::try_constant(choice->a);
    return first ? first : ir::try_constant(choice->b);
  }
  return ir::try_constant(bound);
}

/// What the bounds of the unrolled and vectorized loops of a nest choose from.
class ChoiceFinder final : public ir::Visitor {
 public:
  std::vector<Choice> choices;
  std::map<std::string, std::optional<ir::Range>> inside;  ///< nullopt: of a loop that is long
  bool may_be_copied = true;

 private:
  void visit(const ir::For& s) override {
    if (is_short(s)) {
      is_in_bounds_ = true;
      walk(s.begin);
      walk(s.end);
      is_in_bounds_ = false;
    }
    const auto begin = constant_end_of(s.begin, BinaryOp::Max);
    const auto end = constant_end_of(s.end, BinaryOp::Min);
    const bool is_known = is_short(s) && begin && end && *begin < *end;
    inside[s.var] = is_known ? std::optional(ir::Range{*begin, *end - 1, 1}) : std::nullopt;
    walk(s.body);
  }
  void visit(const ir::Let& s) override {
    inside[s.var] = std::nullopt;
    Visitor::visit(s);
  }
  void visit(const ir::Binary& e) override {
    Visitor::visit(e);
    const bool is_min = e.op == BinaryOp::Min;
    if (!is_in_bounds_ || (!is_min && e.op != BinaryOp::Max) || e.a.type() != ir::kInt64) return;
    const bool is_first = ir::try_constant(e.a).has_value();
    if (is_first == ir::try_constant(e.b).has_value()) return;
    const Expr& constant = is_first ? e.a : e.b;
    const ir::Linear of_constant = ir::linear_of(constant);
    const ir::Linear other = ir::linear_of(is_first ? e.b : e.a);
    choices.push_back({&e, constant, is_min ? other - of_constant : of_constant - other});
  }
  void visit(const ir::TransferIssue&) override { may_be_copied = false; }
  void visit(const ir::TransferWait&) override { may_be_copied = false; }
  void visit(const ir::Exchange&) override { may_be_copied = false; }
  void visit(const ir::Allocate& s) override {
    may_be_copied = false;
    Visitor::visit(s);
  }

  bool is_in_bounds_ = false;
};

/// The nest with the choices made.
class Chooser final : public ir::Mutator {
 public:
  explicit Chooser(const std::vector<Choice>& choices) : choices_(choices) {}

 private:
  Expr rewrite(const ir::Binary& e, const Expr& self) override {
    const auto at = std::find_if(choices_.begin(), choices_.end(),
                                 [&](const Choice& choice) { return choice.node == &e; });
    return at == choices_.end() ? Mutator::rewrite(e, self) : at->constant;
  }

  const std::vector<Choice>& choices_;
};

/// Whether the sum changes with several variables, and with nothing else.
bool is_slanted(const ir::Linear& slack) {
  return slack.terms.size() > 1 &&
         std::all_of(slack.terms.begin(), slack.terms.end(), [](const auto& named) {
           return named.second.atom.template as_or_null<ir::Var>() != nullptr;
         });
}

/// What is left of the least value of a sum over the variables inside; nullopt where one of them is
/// not known to have few values.
std::optional<ir::Linear> least_inside(const ir::Linear& slack, const ChoiceFinder& nest) {
  ir::Linear out;
  out.constant = slack.constant;
  for (const auto& [name, term] : slack.terms) {
    const auto at = nest.inside.find(name);
    if (at == nest.inside.end()) {
      out.terms.emplace(name, term);
    } else if (!at->second) {
      return std::nullopt;
    } else {
      out.constant += term.coefficient * (term.coefficient > 0 ? at->second->lo : at->second->hi);
    }
  }
  return out;
}

class SlantSplitter final : public ir::Mutator {
 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind == ir::ForKind::Vectorized) return self;
    ChoiceFinder nest;
    nest.walk(self);
    std::vector<Choice> made;
    std::set<std::string> texts;
    Expr condition;
    for (const Choice& choice : nest.choices) {
      if (!is_slanted(choice.slack)) continue;
      const auto least = least_inside(choice.slack, nest);
      const bool is_here = least && !least->terms.empty() && nest.may_be_copied &&
                           s.for_kind != ir::ForKind::Parallel;
      if (!is_here) return Mutator::rewrite(s, self);
      made.push_back(choice);
      const Expr holds = ir::simplify(ir::fold(BinaryOp::Ge, ir::to_expr(*least), ir::index(0)));
      if (!texts.insert(ir::to_string(holds)).second) continue;
      condition = condition.defined() ? ir::fold(BinaryOp::And, condition, holds) : holds;
    }
    if (!condition.defined()) return self;
    return ir::If::make(condition, Chooser(made)(self), sums_inside(self), s.where);
  }
};

}  // namespace

Stmt split_slants(const Stmt& s) { return SlantSplitter()(s); }

}  // namespace solway::lowering
