#include "schedule/state.h"

#include <algorithm>

#include "schedule/proof.h"
#include "support/error.h"

namespace solway::schedule {

State make_state(const std::vector<dsl::Tensor>& outputs, const SourceLoc& where,
                 const std::vector<dsl::Tensor>& given) {
  if (outputs.empty()) {
    throw DslError({where, "a schedule needs at least one output", "got an empty list",
                    "pass what sw.compute returned"});
  }
  for (const dsl::Tensor& output : outputs) {
    if (output->body == nullptr) {
      throw DslError(
          {where, "'" + output->name + "' has nothing to schedule",
           std::string(output->is_constant() ? "it is a constant" : "it is a placeholder") +
               ", defined at " + output->where.to_string(),
           "pass a tensor made by compute"});
    }
  }
  ProgramAndOrder made = make_program(outputs, where, given);
  State out;
  out.program = std::move(made.program);
  out.original = out.program;
  out.proved = proved_as_written(*out.program);
  out.order = std::move(made.order);
  for (const auto& [stage, loops] : made.axis_loops) {
    for (const auto& [axis, id] : loops) out.stage_loops[stage].push_back(id);
    if (loops.empty()) out.stage_loops[stage] = {};
  }
  out.axis_loops = std::move(made.axis_loops);
  return out;
}

const std::string& loop_name(const State& state, LoopId id) {
  const auto present = state.order.loops.find(id);
  return present != state.order.loops.end() ? present->second.name : state.removed.at(id).name;
}

void require_loop(const State& state, const std::string& stage, LoopId id,
                  const std::string& request, const SourceLoc& where) {
  const auto replaced = state.replaced.find(id);
  if (replaced != state.replaced.end()) {
    std::string names;
    for (const LoopId by : replaced->second.by) {
      names += (names.empty() ? "'" : ", '") + loop_name(state, by) + "'";
    }
    const bool is_gone = names.empty();
    throw ScheduleArgumentError(
        {where, request + ": axis '" + loop_name(state, id) + "' is no longer there",
         replaced->second.primitive + " at " + replaced->second.where.to_string() +
             (is_gone ? " took it away" : " replaced it by " + names),
         is_gone ? "apply it before that" : "use the axes that it returned"});
  }
  const std::vector<LoopId>& loops = state.stage_loops.at(stage);
  if (std::find(loops.begin(), loops.end(), id) != loops.end()) return;
  for (const auto& [other, ids] : state.stage_loops) {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      throw ScheduleArgumentError(
          {where,
           request + ": axis '" + loop_name(state, id) + "' is not a loop of '" + stage + "'",
           "it belongs to '" + other + "'", "use an axis of s[" + stage + "]"});
    }
  }
  throw ScheduleArgumentError({where, request + ": the axis is not a loop of this schedule",
                               "it was made for another schedule",
                               "use an axis of s[" + stage + "]"});
}

void require_distinct(const State& state, const std::vector<LoopId>& axes,
                      const std::string& request, const SourceLoc& where) {
  for (const LoopId id : axes) {
    if (std::count(axes.begin(), axes.end(), id) < 2) continue;
    throw ScheduleArgumentError({where,
                                 request + ": axis '" + loop_name(state, id) + "' is named twice",
                                 "each axis has one place", "name each axis once"});
  }
}

void replace_loop(State& state, LoopId id, const std::string& request, const SourceLoc& where,
                  const std::vector<LoopId>& by) {
  state.replaced[id] = {request, where, by};
  state.removed[id] = state.order.loop(id);
  state.order.loops.erase(id);
}

void remove_statement(State& state, const std::string& statement, const std::string& request,
                      const SourceLoc& where) {
  std::vector<Placement>& all = state.order.placements;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const Placement& p) { return p.statement == statement; }),
            all.end());
  for (Fusion& fusion : state.order.fusions) {
    for (Coordinate& coordinate : fusion) coordinate.value.erase(statement);
  }
  std::vector<LoopId> unused;
  for (auto& [id, loop] : state.order.loops) {
    if (loop.value.erase(statement) != 0 && loop.value.empty()) unused.push_back(id);
  }
  for (const LoopId id : unused) replace_loop(state, id, request, where, {});
}

std::vector<std::string> statements_of(const State& state, const std::string& stage) {
  std::vector<std::string> out;
  for (const Placement& p : state.order.placements) {
    if (state.program->statement(p.statement).stage == stage) out.push_back(p.statement);
  }
  return out;
}

}  // namespace solway::schedule
