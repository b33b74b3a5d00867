#include "driver/filled_border.h"

#include "schedule/padded_copy.h"

namespace solway::driver {
namespace {

/// Near the same cycles the model sees too little of the requests that rows of such a region are.
constexpr double kWorthwhile = 0.02;

}  // namespace

std::optional<CopyChoice> choose_border(const schedule::State& state, const std::string& stage,
                                        const Target& target, const memory_planner::Room& room,
                                        memory_planner::PlanMemo& plans,
                                        const memory_planner::Decided& decided,
                                        const SourceLoc& where) {
  const std::optional<std::string> reader = only_reader(state, stage);
  if (!reader || !schedule::is_padded_copy(state, stage)) return std::nullopt;
  memory_planner::Decided with = decided;
  with.filled.insert(stage);
  return compare_copy(state, stage, *reader, target, room, plans, decided, with,
                      "the border of " + stage, "filled in near memory, where it is read",
                      kWorthwhile, where);
}

}  // namespace solway::driver
