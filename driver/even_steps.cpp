#include "driver/even_steps.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "memory_planner/vector_stage.h"
#include "schedule/region.h"
#include "schedule/split.h"
#include "schedule/unroll.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using memory_planner::VectorStage;
using schedule::LoopId;
using schedule::State;

/// Operations of isl to see whether each iteration of a loop has the same terms.
constexpr unsigned long kTermsBudget = 200'000;
constexpr std::int64_t kMostWrittenOut = 4;  ///< iterations of an inner loop

/// Constants by which an expression divides, those in its indices, too.
void add_divisors(const dsl::Expr& e, std::set<std::int64_t>& out) {
  const bool divides = e->kind == dsl::ExprKind::Binary &&
                       (e->binary == BinaryOp::FloorDiv || e->binary == BinaryOp::Mod);
  if (divides && e->operands[1]->kind == dsl::ExprKind::Int) out.insert(e->operands[1]->int_value);
  for (const dsl::Expr& operand : e->operands) add_divisors(operand, out);
}

/// Whether all iterations of a loop run wherever the others stand, but for its last ones.
bool has_same_terms(const State& state, const std::string& statement, LoopId loop) {
  const std::vector<LoopId>& around = state.order.placement_of(statement).path;
  const auto at = std::find(around.begin(), around.end(), loop);
  if (at == around.end()) return true;
  const int position = static_cast<int>(at - around.begin());
  const IslBudget budget(state.program->ctx(), kTermsBudget);
  try {
    const schedule::Statement& s = state.program->statement(statement);
    const isl::set iterations =
        schedule::values_of(state, s.name, around).as_map().intersect_domain(s.domain).range();
    const auto others = [&](std::int64_t value) {
      return isl_ext::project_out(isl_ext::fix(iterations, position, value), position, 1);
    };
    return others(1).is_subset(others(0));
  } catch (const isl::exception_quota&) {
    return true;
  }
}

class Cutter {
 public:
  Cutter(const State& state, const std::string& stage, const Target& target, const SourceLoc& where)
      : state_(state), name_(stage), target_(target), where_(where) {}

  std::optional<State> run() {
    const VectorStage stage = memory_planner::describe_stage(state_, name_, target_);
    const schedule::Statement& s = state_.program->statement(stage.statement);
    for (const schedule::Write& write : s.writes) add_divisors(write.value, divisors_);
    if (divisors_.empty()) return std::nullopt;
    bool is_cut = false;
    const std::vector<LoopId> loops = state_.stage_loops.at(name_);
    for (const LoopId loop : loops) {
      const auto at = std::find(stage.ids.begin(), stage.ids.end(), loop);
      const auto& model = stage.loops[static_cast<std::size_t>(at - stage.ids.begin())];
      const bool may =
          model.kind == dsl::AxisKind::Spatial && model.tiling == memory_planner::Tiling::Free;
      if (may && cut(loop, model.extent, s.name)) is_cut = true;
    }
    return is_cut ? std::optional(state_) : std::nullopt;
  }

 private:
  bool is_even(const State& state, LoopId loop) const {
    return memory_planner::reads_evenly(state, name_, loop);
  }

  bool cut(LoopId loop, std::int64_t extent, const std::string& statement) {
    if (is_even(state_, loop)) return false;
    for (const std::int64_t divisor : divisors_) {
      if (divisor < 2 || divisor >= extent) continue;
      const schedule::SplitResult made = schedule::split(state_, name_, loop, divisor, where_);
      if (!is_even(made.state, made.outer)) continue;
      if (has_same_terms(made.state, statement, made.inner)) {
        if (!is_even(made.state, made.inner)) continue;
        state_ = made.state;
        return true;
      }
      if (divisor > kMostWrittenOut) continue;
      state_ = schedule::unroll(made.state, name_, made.inner, where_);
      return true;
    }
    return false;
  }

  State state_;
  const std::string& name_;
  const Target& target_;
  const SourceLoc& where_;
  std::set<std::int64_t> divisors_;
};

}  // namespace

std::optional<State> cut_to_even_steps(const State& state, const std::string& stage,
                                       const Target& target, const SourceLoc& where) {
  return Cutter(state, stage, target, where).run();
}

}  // namespace solway::driver
