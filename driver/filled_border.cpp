#include "driver/filled_border.h"

#include <algorithm>
#include <vector>

#include "driver/divided_stage.h"
#include "driver/expected_cycles.h"
#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "memory_planner/scratchpad.h"
#include "schedule/padded_copy.h"

namespace solway::driver {
namespace {

using schedule::State;

/// Cycles of a stage that reads a padded copy, less what is saved where its tiles are used up in
/// the loops of its own reader.
double reader_cycles(const State& state, const std::string& stage, const Target& target,
                     const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                     const memory_planner::Decided& decided, const SourceLoc& where) {
  const double alone = least_cycles(state, stage, target, room, plans, decided, where);
  const auto fused = product_epilogue(state, stage, target, decided);
  if (!fused) return alone;
  const auto together = plan_together(*fused, target, room, plans);
  if (!together) return alone;
  const double apart = cycles_apart(state, *fused, target, room, plans, decided);
  return alone - std::max(0.0, apart - together->cost.total());
}

}  // namespace

std::optional<BorderChoice> choose_border(const State& state, const std::string& stage,
                                          const Target& target, const memory_planner::Room& room,
                                          memory_planner::PlanMemo& plans, const SourceLoc& where) {
  if (!state.original->sizes.empty() || !is_movable(state, stage)) return std::nullopt;
  const std::vector<std::string> readers = readers_of(state, stage);
  if (readers.size() != 1 || !schedule::is_padded_copy(state, stage)) return std::nullopt;
  BorderChoice out;
  out.reader = readers.front();
  const bool is_apart = !memory_planner::share_a_nest(state, stage, out.reader);
  if (!is_apart || !is_plannable(state, stage) || !is_plannable(state, out.reader))
    return std::nullopt;
  const double filled = reader_cycles(state, out.reader, target, room, plans, {{stage}, {}}, where);
  const double stored = best_cycles(state, stage, target, room, plans) +
                        reader_cycles(state, out.reader, target, room, plans, {}, where);
  out.is_filled = filled < stored;
  const char* const in_buffers = "filled in near memory, where it is read";
  const char* const in_memory = "by itself, stored and loaded again";
  out.decision = {"the border of " + stage, out.is_filled ? in_buffers : in_memory,
                  std::min(filled, stored), out.is_filled ? in_memory : in_buffers,
                  std::max(filled, stored), ""};
  return out;
}

}  // namespace solway::driver
