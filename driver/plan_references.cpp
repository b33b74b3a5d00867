#include "driver/plan_references.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::Decided;
using memory_planner::Decision;

/// Cycles of a stage that the search has planned; infinite where another planner had to.
double cycles_of(const AutoBufferResult& planned, const std::string& stage) {
  for (const StageChoice& choice : planned.choices) {
    if (choice.stage == stage && choice.planner == "optimal") return choice.cycles;
  }
  return std::numeric_limits<double>::infinity();
}

/// The same with the other choice of one tensor.
Decided turned_around(Decided decided, const std::string& stage, const std::string& tensor) {
  std::set<std::string>& apart = decided.apart[stage];
  if (apart.erase(tensor) == 0) apart.insert(tensor);
  return decided;
}

std::optional<AutoBufferResult> try_plan(const AutoBufferResult& before, const dsl::Tensor& stage,
                                         const memory_planner::Room& room, const StagePlanning& how,
                                         const Decided& decided) {
  try {
    AutoBufferResult out = before;
    plan_stage(out, stage, room,
               {how.target, how.is_optimal, how.plans, decided, how.undivided, how.where});
    return out;
  } catch (const CapacityError&) {
    return std::nullopt;
  }
}

/// Says what became of both sides.
void settle(Decision& decision, double now, double instead) {
  decision.cycles = now;
  decision.instead_cycles = std::isinf(instead) ? -1 : instead;
  if (std::isinf(instead)) decision.why_not = "its plan is refused";
}

}  // namespace

void plan_references(AutoBufferResult& out, const dsl::Tensor& stage,
                     const memory_planner::Room& room, const StagePlanning& how,
                     ReferenceChoice& choice) {
  if (choice.decisions.empty()) {
    plan_stage(out, stage, room, how);
    return;
  }
  const AutoBufferResult before = out;
  // Where the buffers are does not change what iterations depend on.
  if (plan_stage(out, stage, room, how) == LoopOrder::KeptByDependences) return;
  Decided decided = how.decided;
  for (std::size_t k = 0; k < choice.decisions.size(); ++k) {
    Decision& decision = choice.decisions[k];
    const double now = cycles_of(out, stage->name);
    if (decision.instead_cycles < 0 || now <= decision.instead_cycles) continue;
    Decided other = turned_around(decided, stage->name, choice.tensors[k]);
    auto planned = try_plan(before, stage, room, how, other);
    const double then =
        planned ? cycles_of(*planned, stage->name) : std::numeric_limits<double>::infinity();
    if (then >= now) {
      settle(decision, now, then);
      continue;
    }
    out = *std::move(planned);
    decided = std::move(other);
    std::swap(decision.chosen, decision.instead);
    settle(decision, then, now);
  }
}

}  // namespace solway::driver
