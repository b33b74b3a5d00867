#include "driver/fuse_neighbours.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory_planner/vector_stage.h"
#include "schedule/fuse.h"
#include "support/isl_box.h"
#include "support/isl_context.h"

namespace solway::driver {
namespace {

using memory_planner::VectorStage;
using schedule::LoopId;
using schedule::State;

/// Operations of isl to see whether all iterations of the loops run.
constexpr unsigned long kBoxBudget = 200'000;
constexpr std::int64_t kShort = 8;  ///< vectors of a row

std::size_t position_of(const VectorStage& stage, LoopId loop) {
  const auto at = std::find(stage.ids.begin(), stage.ids.end(), loop);
  return static_cast<std::size_t>(at - stage.ids.begin());
}

/// Whether a value depends on where loops stand but for what it reads there.
bool names_axes(const dsl::Expr& e) {
  if (e->kind == dsl::ExprKind::AxisRef) return true;
  if (e->kind == dsl::ExprKind::Read) return false;
  return std::any_of(e->operands.begin(), e->operands.end(), names_axes);
}

bool is_box(const State& state, const schedule::Statement& s) {
  try {
    const IslBudget budget(state.program->ctx(), kBoxBudget);
    return isl_ext::bounding_box(s.domain).is_subset(s.domain);
  } catch (const isl::exception_quota&) {
    return false;
  }
}

/// Whether `outer` goes on everywhere where `inner` ends, along neighbours of something.
bool continues(const VectorStage& stage, std::size_t outer, std::size_t inner) {
  const std::int64_t extent = stage.loops[inner].extent;
  const auto& accesses = stage.accesses;
  return std::all_of(accesses.begin(), accesses.end(),
                     [&](const auto& access) {
                       const auto& step = access.steps[inner];
                       return (step == 0 || step == 1) &&
                              access.goes_on(static_cast<int>(outer), static_cast<int>(inner),
                                             extent);
                     }) &&
         std::any_of(accesses.begin(), accesses.end(),
                     [&](const auto& access) { return access.steps[inner] == 1; });
}

bool may_fuse(const VectorStage& stage, LoopId outer, LoopId inner) {
  const std::size_t o = position_of(stage, outer);
  const std::size_t i = position_of(stage, inner);
  const bool are_free = stage.loops[o].tiling == memory_planner::Tiling::Free &&
                        stage.loops[i].tiling == memory_planner::Tiling::Free;
  const bool are_alike =
      stage.loops[o].kind == stage.loops[i].kind && stage.around[o] == stage.around[i];
  const bool is_sum = stage.loops[i].kind == dsl::AxisKind::Reduce;
  const bool is_plain = is_sum ? stage.has_free_order : !stage.is_update && stage.statements == 1;
  const std::int64_t extent = stage.loops[i].extent;
  const bool is_short = extent > 1 && extent < kShort * stage.lanes && extent % stage.lanes != 0;
  return are_free && are_alike && is_plain && is_short && continues(stage, o, i);
}

}  // namespace

std::optional<State> fuse_neighbours(const State& state, const std::string& stage,
                                     const Target& target, const SourceLoc& where) {
  std::optional<State> out;
  for (bool is_found = true; is_found;) {
    is_found = false;
    const State& now = out ? *out : state;
    const VectorStage described = memory_planner::describe_stage(now, stage, target);
    if (described.statement.empty() || described.lanes < 2 || described.has_sizes()) return out;
    const schedule::Statement& s = now.program->statement(described.statement);
    const bool is_named = std::any_of(s.writes.begin(), s.writes.end(),
                                      [](const auto& write) { return names_axes(write.value); });
    if (is_named || !is_box(now, s)) return out;
    const std::vector<LoopId>& loops = now.stage_loops.at(stage);
    for (std::size_t k = loops.size(); k-- > 1 && !is_found;) {
      if (!may_fuse(described, loops[k - 1], loops[k])) continue;
      out = schedule::fuse(now, stage, {loops[k - 1], loops[k]}, where).state;
      is_found = true;
    }
  }
  return out;
}

}  // namespace solway::driver
