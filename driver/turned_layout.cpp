#include "driver/turned_layout.h"

#include "memory_planner/turning.h"

namespace solway::driver {

std::optional<CopyChoice> choose_turning(const schedule::State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans,
                                         const memory_planner::Decided& decided,
                                         const SourceLoc& where) {
  const std::optional<std::string> reader = only_reader(state, stage);
  if (!reader || !memory_planner::turning_of(state, stage)) return std::nullopt;
  memory_planner::Decided with = decided;
  with.turned.insert(stage);
  return compare_copy(state, stage, *reader, target, room, plans, decided, with,
                      "the layout " + stage, "turned in near memory, where it is read", 0, where);
}

}  // namespace solway::driver
