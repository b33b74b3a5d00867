#include "driver/expected_cycles.h"

#include <algorithm>
#include <set>

#include "driver/divided_stage.h"
#include "driver/filled_border.h"
#include "driver/fuse_stages.h"
#include "driver/product_epilogue.h"
#include "driver/turned_layout.h"
#include "memory_planner/extract_stage.h"

namespace solway::driver {

bool is_plannable(const schedule::State& state, const std::string& stage,
                  memory_planner::PlanMemo& plans) {
  return !is_scheduled(state, stage) &&
         memory_planner::is_free(plans.stages().extract(state, stage));
}

double least_computing(const memory_planner::StageModel& stage, int lanes, const Target& target) {
  double terms = 1;
  for (const memory_planner::LoopModel& loop : stage.loops) {
    terms *= static_cast<double>(loop.extent);
  }
  return terms / lanes / target.cores.count;
}

double expected_cycles(const schedule::State& state, const std::vector<std::string>& stages,
                       const Target& target, const memory_planner::Room& room,
                       memory_planner::PlanMemo& plans, const SourceLoc& where) {
  const auto is_counted = [&](const std::string& name) {
    return std::find(stages.begin(), stages.end(), name) != stages.end();
  };
  memory_planner::Decided decided;
  std::set<std::string> done;
  double out = 0;
  for (const std::string& stage : stages) {
    if (done.count(stage) != 0) continue;
    const auto turning = choose_turning(state, stage, target, room, plans, decided, where);
    if (turning && turning->is_near && is_counted(turning->reader)) {
      decided.turned.insert(stage);
      continue;
    }
    const auto border = choose_border(state, stage, target, room, plans, decided, where);
    if (border && border->is_near && is_counted(border->reader)) {
      decided.filled.insert(stage);
      continue;
    }
    const auto choice = divide_stage(state, stage, target, room, plans, decided, where);
    const schedule::State& now = choice ? choice->divided.state : state;
    memory_planner::Decided then = decided;
    if (choice) then.divided.insert(choice->divided.loops.begin(), choice->divided.loops.end());
    const auto fused = product_epilogue(now, stage, target, plans, then);
    if (fused && is_counted(fused->nest.reader)) {
      const auto together = plan_together(*fused, target, room, plans);
      if (together &&
          together->drained_cycles < cycles_apart(now, *fused, target, room, plans, then)) {
        out += together->drained_cycles;
        done.insert(fused->nest.reader);
        continue;
      }
    }
    out += best_cycles(now, stage, target, room, plans, then);
  }
  return out;
}

}  // namespace solway::driver
