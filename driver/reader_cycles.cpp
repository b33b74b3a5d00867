#include "driver/reader_cycles.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "driver/divided_stage.h"
#include "driver/expected_cycles.h"
#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "memory_planner/scratchpad.h"

namespace solway::driver {

ReaderCycles reader_cycles(const schedule::State& state, const std::string& stage,
                           const Target& target, const memory_planner::Room& room,
                           memory_planner::PlanMemo& plans, const memory_planner::Decided& decided,
                           const SourceLoc& where) {
  ReaderCycles out;
  out.alone = least_cycles(state, stage, target, room, plans, decided, where);
  const auto fused = product_epilogue(state, stage, target, plans, decided);
  if (!fused) return out;
  out.own_reader = best_cycles(state, fused->nest.reader, target, room, plans);
  const auto together = plan_together(*fused, target, room, plans);
  if (together) out.together = together->drained_cycles;
  return out;
}

std::optional<std::string> only_reader(const schedule::State& state, const std::string& copy) {
  if (!state.original->sizes.empty() || !is_movable(state, copy)) return std::nullopt;
  const std::vector<std::string> readers = readers_of(state, copy);
  return readers.size() == 1 ? std::optional(readers.front()) : std::nullopt;
}

std::optional<CopyChoice> compare_copy(
    const schedule::State& state, const std::string& copy, const std::string& reader,
    const Target& target, const memory_planner::Room& room, memory_planner::PlanMemo& plans,
    const memory_planner::Decided& decided, const memory_planner::Decided& near,
    const std::string& what, const std::string& in_buffers, double gain, const SourceLoc& where) {
  const bool is_apart = !memory_planner::share_a_nest(state, copy, reader);
  if (!is_apart || !is_plannable(state, copy, plans) || !is_plannable(state, reader, plans))
    return std::nullopt;
  const ReaderCycles near_cycles = reader_cycles(state, reader, target, room, plans, near, where);
  const ReaderCycles far_cycles = reader_cycles(state, reader, target, room, plans, decided, where);
  const double own = std::max(near_cycles.own_reader, far_cycles.own_reader);
  const double kept = near_cycles.with(own);
  const double stored = best_cycles(state, copy, target, room, plans) + far_cycles.with(own);
  const bool is_near = std::isinf(stored) ? kept < stored : stored - kept > gain * stored;
  const std::string in_memory = "by itself, stored and loaded again";
  return CopyChoice{reader,
                    is_near,
                    {what, is_near ? in_buffers : in_memory, is_near ? kept : stored,
                     is_near ? in_memory : in_buffers, is_near ? stored : kept, ""}};
}

}  // namespace solway::driver
