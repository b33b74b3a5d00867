#include "lowering/peel_pipelines.h"

#include <algorithm>
#include <set>
#include <utility>

#include "lowering/code_size.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/simplify_bounds.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

constexpr std::int64_t kInstructionBytes = 4;

class TransferFinder final : public ir::Visitor {
 public:
  bool found = false;

 private:
  void visit(const ir::TransferIssue& s) override { found = s.num_slots > 1 || found; }
  void visit(const ir::TransferWait& s) override { found = s.slot.defined() || found; }
};

bool moves_ahead(const Stmt& s) {
  TransferFinder finder;
  finder.walk(s);
  return finder.found;
}

/// The comparison that holds where `op` holds of the negated sides.
BinaryOp turned(BinaryOp op) {
  if (op == BinaryOp::Lt) return BinaryOp::Gt;
  if (op == BinaryOp::Le) return BinaryOp::Ge;
  if (op == BinaryOp::Gt) return BinaryOp::Lt;
  return op == BinaryOp::Ge ? BinaryOp::Le : op;
}

/// The conditions of transfers in the iterations of one loop, and the values of its variable at
/// which one of them changes.
class GuardFinder final : public ir::Visitor {
 public:
  explicit GuardFinder(const ir::For& loop) : var_(loop.var) { walk(loop.body); }

  std::set<std::int64_t> cuts;  ///< the first value of each new outcome
  int guards = 0;

 private:
  /// What loops inside ask for is theirs.
  void visit(const ir::For&) override {}

  void visit(const ir::If& s) override {
    const bool is_guard = moves_ahead(s.then_body) || moves_ahead(s.else_body);
    if (is_guard && ir::mentions(s.condition, var_)) {
      ++guards;
      is_in_condition_ = true;
      walk(s.condition);
      is_in_condition_ = false;
    }
    walk(s.then_body);
    walk(s.else_body);
  }

  void visit(const ir::Binary& e) override {
    Visitor::visit(e);
    if (!is_in_condition_ || e.a.type() != ir::kInt64 || !is_comparison(e.op)) return;
    const ir::Linear d = ir::linear_of(e.a) - ir::linear_of(e.b);
    if (d.terms.size() != 1 || d.terms.begin()->first != var_) return;
    std::int64_t c = d.terms.begin()->second.coefficient;
    std::int64_t k = d.constant;
    if (c == INT64_MIN || k == INT64_MIN) return;
    BinaryOp op = e.op;
    if (c < 0) {
      c = -c;
      k = -k;
      op = turned(op);
    }
    const auto first = [&](std::int64_t rest) {  // with c * v + rest >= 0
      return -*ir::try_evaluate(BinaryOp::FloorDiv, rest, c, DType::Int64);
    };
    if (op != BinaryOp::Le && op != BinaryOp::Gt) cuts.insert(first(k));
    if (op != BinaryOp::Lt && op != BinaryOp::Ge) cuts.insert(first(k - 1));
  }

  const std::string& var_;
  bool is_in_condition_ = false;
};

class Peeler final : public ir::Mutator {
 public:
  Peeler(PipelineForm form, const std::optional<PeelCosts>& costs, std::int64_t instructions,
         std::vector<PeelChoice>& choices)
      : form_(form),
        costs_(costs),
        code_bytes_(instructions * kInstructionBytes),
        choices_(choices) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto begin = ir::try_constant(s.begin);
    const auto end = ir::try_constant(s.end);
    const double outside = runs_;
    if (begin && end) {
      const auto extent = static_cast<double>(std::max<std::int64_t>(0, *end - *begin));
      const double cores = costs_ ? static_cast<double>(costs_->cores) : 1;
      runs_ *= s.for_kind == ir::ForKind::Parallel ? std::max(1.0, extent / cores) : extent;
    }
    const Stmt inside = Mutator::rewrite(s, self);
    const double iterations = std::exchange(runs_, outside);
    if (s.for_kind != ir::ForKind::Serial) return inside;
    const auto& loop = inside.as<ir::For>();
    GuardFinder finder(loop);
    if (finder.guards == 0) return inside;
    PeelChoice choice{s.var, false, -1, -1, "", s.where};
    std::vector<std::int64_t> ends;
    for (const std::int64_t cut : finder.cuts) {
      if (begin && end && cut > *begin && cut < *end) ends.push_back(cut);
    }
    if (ends.empty()) {
      choice.why_not = begin && end ? "its conditions change with another loop, too"
                                    : "how often it runs is not constant";
      choices_.push_back(std::move(choice));
      return inside;
    }
    ends.push_back(*end);
    const Stmt parts = cut(loop, *begin, ends);
    decide(inside, parts, iterations * finder.guards, ends.size(), choice);
    choices_.push_back(choice);
    return choice.is_peeled ? parts : inside;
  }

  static Stmt cut(const ir::For& s, std::int64_t begin, const std::vector<std::int64_t>& ends) {
    std::vector<Stmt> parts;
    for (const std::int64_t end : ends) {
      const Stmt part = end - begin == 1 ? ir::substitute(s.body, {{s.var, ir::index(begin)}})
                                         : ir::For::make(s.var, ir::index(begin), ir::index(end),
                                                         s.for_kind, s.body, s.where);
      parts.push_back(simplify_bounds(part));
      begin = end;
    }
    return ir::Block::make(std::move(parts), s.where);
  }

  void decide(const Stmt& whole, const Stmt& parts, double conditions, std::size_t count,
              PeelChoice& choice) {
    const std::int64_t more =
        (instruction_count(parts) - instruction_count(whole)) * kInstructionBytes;
    if (costs_) {
      const std::int64_t lines = (more + costs_->line_bytes - 1) / costs_->line_bytes;
      choice.guarded_cycles = conditions * costs_->guard_cycles;
      choice.peeled_cycles = static_cast<double>(lines) * costs_->line_cycles;
    } else {
      choice.why_not = "the target has no figures of its instruction cache";
    }
    // Who asks for this form gets it, whatever has room.
    if (costs_ && form_ != PipelineForm::Peeled && code_bytes_ + more > costs_->cache_bytes) {
      choice.peeled_cycles = -1;
      choice.why_not = "about " + std::to_string(code_bytes_ + more) +
                       " bytes of code have no room in the instruction cache of " +
                       std::to_string(costs_->cache_bytes);
    }
    const bool may = count <= kMostParts;
    if (!may) {
      choice.peeled_cycles = -1;
      choice.why_not = "it would be " + std::to_string(count) + " parts";
    }
    const bool pays =
        costs_ && choice.peeled_cycles >= 0 && choice.peeled_cycles < choice.guarded_cycles;
    choice.is_peeled =
        may && (form_ == PipelineForm::Peeled || (form_ == PipelineForm::ByCost && pays));
    if (choice.is_peeled) code_bytes_ += more;
  }

  PipelineForm form_;
  const std::optional<PeelCosts>& costs_;
  std::int64_t code_bytes_;  ///< of the kernel so far
  std::vector<PeelChoice>& choices_;
  double runs_ = 1;  ///< of the present statement, by one core
};

}  // namespace

std::optional<PipelineForm> try_pipeline_form(const std::string& name) {
  if (name == "auto") return PipelineForm::ByCost;
  if (name == "guarded") return PipelineForm::Guarded;
  if (name == "peeled") return PipelineForm::Peeled;
  return std::nullopt;
}

Stmt peel_pipelines(const Stmt& s, PipelineForm form, const std::optional<PeelCosts>& costs,
                    std::vector<PeelChoice>& choices) {
  return Peeler(form, costs, instruction_count(s), choices)(s);
}

}  // namespace solway::lowering
