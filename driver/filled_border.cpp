#include "driver/filled_border.h"

#include <algorithm>
#include <vector>

#include "driver/expected_cycles.h"
#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "driver/reader_cycles.h"
#include "memory_planner/scratchpad.h"
#include "schedule/padded_copy.h"

namespace solway::driver {
std::optional<BorderChoice> choose_border(const schedule::State& state, const std::string& stage,
                                          const Target& target, const memory_planner::Room& room,
                                          memory_planner::PlanMemo& plans,
                                          const memory_planner::Decided& decided,
                                          const SourceLoc& where) {
  if (!state.original->sizes.empty() || !is_movable(state, stage)) return std::nullopt;
  const std::vector<std::string> readers = readers_of(state, stage);
  if (readers.size() != 1 || !schedule::is_padded_copy(state, stage)) return std::nullopt;
  BorderChoice out;
  out.reader = readers.front();
  const bool is_apart = !memory_planner::share_a_nest(state, stage, out.reader);
  if (!is_apart || !is_plannable(state, stage) || !is_plannable(state, out.reader))
    return std::nullopt;
  memory_planner::Decided with = decided;
  with.filled.insert(stage);
  const double filled = reader_cycles(state, out.reader, target, room, plans, with, where);
  const double stored = best_cycles(state, stage, target, room, plans) +
                        reader_cycles(state, out.reader, target, room, plans, decided, where);
  out.is_filled = filled < stored;
  const char* const in_buffers = "filled in near memory, where it is read";
  const char* const in_memory = "by itself, stored and loaded again";
  out.decision = {"the border of " + stage, out.is_filled ? in_buffers : in_memory,
                  std::min(filled, stored), out.is_filled ? in_memory : in_buffers,
                  std::max(filled, stored), ""};
  return out;
}

}  // namespace solway::driver
