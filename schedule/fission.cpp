#include "schedule/fission.h"

#include <algorithm>
#include <set>

#include "schedule/loop_paths.h"
#include "schedule/rewrite_loops.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using Unit = std::vector<std::string>;  ///< statements that stay together

/// The buffers that a statement accesses.
std::set<std::string> buffers_of(const Program& program, const Statement& s) {
  std::set<std::string> out;
  const auto add = [&](const isl::map& access) {
    const std::string array = isl_ext::tuple_name(access, isl_ext::Dim::Range);
    if (program.buffers.count(array) != 0) out.insert(array);
  };
  for (const Write& write : s.writes) add(write.relation);
  for (const Operand& operand : s.reads) add(operand.relation);
  return out;
}

/// The statements under a loop in textual order, those between two uses of a buffer together.
std::vector<Unit> units_of(const State& state, LoopId axis) {
  std::vector<std::string> names;
  for (const Placement& p : state.order.placements) {
    if (contains(p.path, axis)) names.push_back(p.statement);
  }
  std::map<std::string, std::size_t> last_use;
  for (std::size_t k = 0; k < names.size(); ++k) {
    for (const std::string& b : buffers_of(*state.program, state.program->statement(names[k]))) {
      last_use[b] = k;
    }
  }
  std::vector<Unit> out;
  std::size_t end = 0;  // the present unit goes at least to here
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k >= end) out.emplace_back();
    out.back().push_back(names[k]);
    for (const std::string& b : buffers_of(*state.program, state.program->statement(names[k]))) {
      end = std::max(end, last_use.at(b) + 1);
    }
    end = std::max(end, k + 1);
  }
  return out;
}

/// The loops of a stage such that each path is in order and what shares a path stands together.
std::vector<LoopId> loops_of_paths(const State& state, const std::string& stage) {
  std::vector<std::string> names = statements_of(state, stage);
  std::vector<LoopId> out;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    auto after = out.begin();
    for (const LoopId id : state.order.placement_of(*name).path) {
      const auto at = std::find(out.begin(), out.end(), id);
      after = (at == out.end() ? out.insert(after, id) : at) + 1;
    }
  }
  return out;
}

}  // namespace

FissionResult fission(const State& state, const std::string& stage, LoopId axis,
                      const SourceLoc& where) {
  require_loop(state, stage, axis, "fission", where);
  const std::string request = "fission(" + loop_name(state, axis) + ")";
  const std::vector<Unit> units = units_of(state, axis);
  FissionResult out{state, {}};
  if (units.size() < 2) {
    out.loops = {axis};
  } else {
    const Loop whole = state.order.loop(axis);
    for (const Unit& unit : units) {
      Loop part = whole;
      part.name += "." + std::to_string(out.loops.size());
      part.where = where;
      part.value.clear();
      for (const std::string& name : unit) part.value.emplace(name, whole.value.at(name));
      set_range(part, state.program->domains());
      out.loops.push_back(out.state.order.add(std::move(part)));
      for (Placement& p : out.state.order.placements) {
        if (std::find(unit.begin(), unit.end(), p.statement) == unit.end()) continue;
        std::replace(p.path.begin(), p.path.end(), axis, out.loops.back());
      }
    }
    for (auto& [name, loops] : out.state.stage_loops) {
      if (contains(loops, axis)) loops = loops_of_paths(out.state, name);
    }
    replace_loop(out.state, axis, request, where, out.loops);
  }
  out.state = proved(std::move(out.state), {"fission", stage, {{"", axis}}, out.loops, where},
                     {request, where});
  return out;
}

}  // namespace solway::schedule
