#include "memory_planner/vector_decisions.h"

#include <algorithm>

#include "memory_planner/vector_plan_cost.h"

namespace solway::memory_planner {
namespace {

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

std::string with_unit(const VectorStage& stage, const VectorPlan& plan, int loop) {
  const std::int64_t lanes = loop == plan.vector ? stage.lanes : 1;
  const std::int64_t held = plan.held[index(loop)] * lanes;
  const bool is_least = loop == plan.vector && stage.is_scalable;
  return std::to_string(std::min(held, stage.loops[index(loop)].extent)) +
         (is_least ? " or more of " : " of ") + stage.loops[index(loop)].name;
}

/// Of terms that are written out together, and of groups of tiles.
void add_parts(const VectorStage& stage, const CacheModel& caches, const VectorPlan& plan,
               std::vector<Decision>& out) {
  if (plan.together.loop >= 0) {
    VectorPlan apart = plan;
    apart.together = {};
    out.push_back({"turns of " + stage.loops[index(plan.together.loop)].name,
                   std::to_string(plan.together.size) + " terms written out", plan.cycles,
                   "one term", cycles_of(stage, apart, caches), ""});
  }
  if (plan.groups.loop >= 0) {
    VectorPlan all = plan;
    all.groups = {};
    out.push_back({"groups of " + stage.loops[index(plan.groups.loop)].name,
                   std::to_string(plan.groups.size) + " tiles", plan.cycles, "all at once",
                   cycles_of(stage, all, caches), ""});
  }
}

}  // namespace

std::string describe_tile(const VectorStage& stage, const VectorPlan& plan) {
  std::string out;
  for (int k = 0; k < static_cast<int>(stage.loops.size()); ++k) {
    if (plan.held[index(k)] == 1 && k != plan.vector) continue;
    out += (out.empty() ? "" : " x ") + with_unit(stage, plan, k);
  }
  return out.empty() ? "one element" : out;
}

std::vector<Decision> vector_decisions(const VectorStage& stage, const Target& target,
                                       const VectorPlan& plan) {
  const CacheModel caches = caches_of(target);
  std::vector<Decision> out;
  VectorPlan scalar = plan;
  scalar.vector = -1;
  scalar.in_blocks = false;
  scalar.held.assign(stage.loops.size(), 1);
  scalar.written_out.assign(stage.loops.size(), false);
  scalar.blocked = -1;
  scalar.dot = scalar.turned = scalar.interleaved = -1;
  scalar.panels.clear();
  scalar.early.clear();
  scalar.groups = scalar.together = {};
  scalar.in_registers = false;
  if (plan.vector < 0) {
    out.push_back({"lanes of " + stage.name, "one by one", plan.cycles, "vectors", -1,
                   stage.no_vector.empty() ? "no loop whose neighbours lie side by side costs less"
                                           : stage.no_vector});
    return out;
  }
  const std::string& lanes = stage.loops[index(plan.vector)].name;
  const std::string number = std::to_string(stage.lanes) + (stage.is_scalable ? " or more" : "");
  out.push_back({"lanes of " + stage.name, number + " along " + lanes, plan.cycles, "one by one",
                 cycles_of(stage, scalar, caches), ""});
  if (plan.dot >= 0) {
    VectorPlan apart = plan;
    apart.dot = -1;
    out.push_back(
        {"terms of " + stage.loops[index(plan.dot)].name,
         stage.dot_terms == 4 ? "4 products of bytes at once" : "2 products of bfloat16 at once",
         plan.cycles, "one by one", cycles_of(stage, apart, caches), ""});
  }
  if (plan.in_registers) {
    VectorPlan thin = plan;
    thin.held.assign(stage.loops.size(), 1);
    thin.written_out.assign(stage.loops.size(), false);
    out.push_back({"what registers hold of " + stage.name, describe_tile(stage, plan), plan.cycles,
                   "one vector", cycles_of(stage, thin, caches), ""});
  }
  if (plan.turned >= 0) {
    VectorPlan apart = plan;
    apart.turned = -1;
    out.push_back({"lanes that lie apart in " + stage.name,
                   "squares of " + describe_tile(stage, plan) + ", turned in registers",
                   plan.cycles, "gathered", cycles_of(stage, apart, caches), ""});
  }
  if (plan.blocked >= 0) {
    VectorPlan whole = plan;
    whole.blocked = -1;
    out.push_back({"blocks of " + stage.loops[index(plan.blocked)].name,
                   std::to_string(plan.block) + " iterations", plan.cycles, "all at once",
                   cycles_of(stage, whole, caches), ""});
  }
  add_parts(stage, caches, plan, out);
  for (const Panel& panel : plan.panels) {
    VectorPlan direct = plan;
    std::erase_if(direct.panels, [&](const Panel& one) {
      return one.array == panel.array && one.references == panel.references;
    });
    const char* const chosen =
        panel.lanes < 0 ? "copied before they are used" : "copied and turned before they are used";
    out.push_back({"panels of " + panel.array, chosen, plan.cycles, "read in place",
                   cycles_of(stage, direct, caches), ""});
  }
  for (const EarlyLines& lines : plan.early) {
    VectorPlan late = plan;
    std::erase_if(late.early, [&](const EarlyLines& one) { return one.array == lines.array; });
    const std::string spread =
        lines.inside < 0 ? "" : ", spread over " + stage.loops[index(lines.inside)].name;
    out.push_back({"lines of " + lines.array,
                   "asked for " + std::to_string(lines.distance) + " iterations of " +
                       stage.loops[index(lines.loop)].name + " early" + spread,
                   plan.cycles, "fetched when they are read", cycles_of(stage, late, caches), ""});
  }
  return out;
}

}  // namespace solway::memory_planner
