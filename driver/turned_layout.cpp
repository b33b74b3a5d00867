#include "driver/turned_layout.h"

#include <algorithm>
#include <vector>

#include "driver/expected_cycles.h"
#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "driver/reader_cycles.h"
#include "memory_planner/landing.h"
#include "memory_planner/scratchpad.h"

namespace solway::driver {

std::optional<TurningChoice> choose_turning(const schedule::State& state, const std::string& stage,
                                            const Target& target, const memory_planner::Room& room,
                                            memory_planner::PlanMemo& plans,
                                            const memory_planner::Decided& decided,
                                            const SourceLoc& where) {
  if (!state.original->sizes.empty() || !is_movable(state, stage)) return std::nullopt;
  const std::vector<std::string> readers = readers_of(state, stage);
  if (readers.size() != 1 || !memory_planner::landing_of(state, stage)) return std::nullopt;
  TurningChoice out;
  out.reader = readers.front();
  const bool is_apart = !memory_planner::share_a_nest(state, stage, out.reader);
  if (!is_apart || !is_plannable(state, stage) || !is_plannable(state, out.reader)) {
    return std::nullopt;
  }
  memory_planner::Decided with = decided;
  with.turned.insert(stage);
  const double turned = reader_cycles(state, out.reader, target, room, plans, with, where);
  const double stored = best_cycles(state, stage, target, room, plans) +
                        reader_cycles(state, out.reader, target, room, plans, decided, where);
  out.is_turned = turned < stored;
  const char* const in_buffers = "turned in near memory, where it is read";
  const char* const in_memory = "by itself, stored and loaded again";
  out.decision = {"the layout " + stage,    out.is_turned ? in_buffers : in_memory,
                  std::min(turned, stored), out.is_turned ? in_memory : in_buffers,
                  std::max(turned, stored), ""};
  return out;
}

}  // namespace solway::driver
