#include "memory_planner/stage_memo.h"

#include <algorithm>

#include "schedule/same_state.h"

namespace solway::memory_planner {

StageMemo::Known& StageMemo::known(const schedule::State& state) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return schedule::is_same_schedule(one.state, state);
  });
  if (found != known_.end()) return *found;
  return known_.emplace_back(Known{state});
}

PlannedStage StageMemo::extract(const schedule::State& state, const std::string& stage,
                                const std::vector<std::string>& direct, const Decided& decided) {
  std::vector<Extracted>& all = known(state).stages;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Extracted& one) {
    return one.name == stage && one.direct == direct && one.decided == decided;
  });
  if (found != all.end()) return found->stage;
  all.push_back({stage, direct, decided, extract_stage(state, stage, direct, decided)});
  return all.back().stage;
}

std::optional<DividedLoops> StageMemo::divide(const schedule::State& state,
                                              const std::string& stage, const SourceLoc& where) {
  auto& all = known(state).divided;
  const auto found = all.find(stage);
  if (found != all.end()) return found->second;
  return all.emplace(stage, divide_loops(state, stage, where)).first->second;
}

std::size_t StageMemo::extractions() const {
  std::size_t out = 0;
  for (const Known& one : known_) out += one.stages.size();
  return out;
}

}  // namespace solway::memory_planner
