#include "driver/divided_stage.h"

#include <utility>

#include "driver/plans_in_order.h"
#include "driver/product_epilogue.h"
#include "driver/refusal.h"

namespace solway::driver {
namespace {

using memory_planner::DividedLoops;
using schedule::LoopId;
using schedule::State;

/// "f.o, f.i"
std::string names(const DividedLoops& divided, const std::string& stage) {
  std::string out;
  for (const LoopId id : divided.state.stage_loops.at(stage)) {
    if (divided.loops.count(id) == 0) continue;
    out += (out.empty() ? "" : ", ") + schedule::loop_name(divided.state, id);
  }
  return out;
}

}  // namespace

std::optional<DividedStage> divide_stage(const State& state, const std::string& stage,
                                         const Target& target, const memory_planner::Room& room,
                                         memory_planner::PlanMemo& plans,
                                         const memory_planner::Decided& decided,
                                         const SourceLoc& where) {
  if (!state.original->sizes.empty() || loops_inside_buffers(state, stage)) return std::nullopt;
  if (!memory_planner::is_free(plans.stages().extract(state, stage, {}, decided))) {
    return std::nullopt;
  }
  auto divided = unless_refused([&] { return plans.stages().divide(state, stage, where); },
                                [](const Error&) { return std::optional<DividedLoops>(); });
  if (!divided) return std::nullopt;
  memory_planner::Decided after = decided;
  after.divided.insert(divided->loops.begin(), divided->loops.end());
  const double whole = best_cycles(state, stage, target, room, plans, decided);
  const double parts = best_cycles(divided->state, stage, target, room, plans, after);
  if (parts >= whole) return std::nullopt;
  const std::string loops = names(*divided, stage);
  return DividedStage{*std::move(divided),
                      {"loops of " + stage, "divided where an index has a quotient: " + loops,
                       parts, "as they are", whole, ""}};
}

double least_cycles(const State& state, const std::string& stage, const Target& target,
                    const memory_planner::Room& room, memory_planner::PlanMemo& plans,
                    const memory_planner::Decided& decided, const SourceLoc& where) {
  const auto divided = divide_stage(state, stage, target, room, plans, decided, where);
  return divided ? divided->decision.cycles
                 : best_cycles(state, stage, target, room, plans, decided);
}

}  // namespace solway::driver
