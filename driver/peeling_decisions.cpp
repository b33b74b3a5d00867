#include "driver/peeling_decisions.h"

#include <algorithm>

#include "driver/loop_names.h"
#include "driver/lower_kernel.h"

namespace solway::driver {

std::vector<memory_planner::Decision> peeling_decisions(const schedule::State& state,
                                                        const Target& target,
                                                        const SourceLoc& where) {
  const auto& placements = state.order.placements;
  const bool is_pipelined =
      std::any_of(placements.begin(), placements.end(),
                  [](const schedule::Placement& one) { return one.delay != 0; });
  if (!is_pipelined || !target.timing || !target.timing->instruction_cache) return {};
  BuildOptions options;
  options.machine = target;
  options.passes = {};
  options.passes.stop_after = "peel_pipelines";
  const LoweredKernel lowered =
      lower_kernel(state, all_arguments(*state.program), target, options, where);
  std::vector<memory_planner::Decision> out;
  for (const lowering::PeelChoice& choice : lowered.peelings) {
    if (choice.guarded_cycles < 0) continue;
    const auto known = lowered.loop_names.find(choice.loop);
    const std::string& loop = known == lowered.loop_names.end() ? choice.loop : known->second;
    const bool is_peeled = choice.is_peeled;
    out.push_back({"pipeline along " + loop, is_peeled ? "peeled" : "guarded",
                   is_peeled ? choice.peeled_cycles : choice.guarded_cycles,
                   is_peeled ? "guarded" : "peeled",
                   is_peeled ? choice.guarded_cycles : choice.peeled_cycles, choice.why_not});
  }
  return out;
}

}  // namespace solway::driver
