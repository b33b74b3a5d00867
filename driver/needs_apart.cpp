#include "driver/needs_apart.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "memory_planner/reuse.h"
#include "schedule/region.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;

/// From iterations of these loops to the elements of a stage that they need; null where a reader
/// stands outside of them, or what it needs is not known.
isl::map needs(const State& state, const std::string& stage, const std::vector<LoopId>& prefix) {
  isl::map all;
  for (const auto& [label, s] : state.program->statements) {
    if (s.stage == stage || !s.reads_from(stage)) continue;
    if (s.is_transfer()) return {};
    const std::vector<LoopId>& path = state.order.placement_of(label).path;
    const bool is_inside =
        path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
    if (!is_inside) return {};
    const isl::map loops = schedule::values_of(state, label, prefix).as_map();
    for (const schedule::Operand& operand : s.reads) {
      if (isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) != stage) continue;
      if (!operand.is_exact) return {};
      const isl::map found =
          loops.intersect_domain(s.domain).reverse().apply_range(operand.relation);
      all = all.is_null() ? found : all.unite(found);
    }
  }
  return all;
}

/// Whether all that read a stage stand in these loops, and different iterations of them need
/// different elements.
bool differ(const State& state, const std::string& stage, const std::vector<LoopId>& prefix) {
  const isl::map all = needs(state, stage, prefix);
  return !all.is_null() && all.is_injective();
}

/// Whether these iterations use different elements of all that a product reads, also through sums
/// of its own that it computes with.
bool operands_differ(const State& state, const std::string& stage,
                     const std::vector<LoopId>& prefix) {
  if (!memory_planner::is_product(state, stage)) return true;
  std::map<std::string, isl::map> elements = {{stage, needs(state, stage, prefix)}};
  const std::vector<std::string> labels = schedule::statements_of(state, stage);
  const auto is_own = [&](const std::string& array) {
    return std::any_of(labels.begin(), labels.end(), [&](const std::string& label) {
      return state.program->statement(label).writes_to(array);
    });
  };
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {  // what reads, before
    const schedule::Statement& s = state.program->statement(*label);
    if (s.writes.size() != 1) return false;
    const schedule::Write& write = s.writes[0];
    const std::string written = isl_ext::tuple_name(write.relation, isl_ext::Dim::Range);
    if (elements.count(written) == 0) return false;
    const isl::map instances =
        elements.at(written).apply_range(write.relation.intersect_domain(s.domain).reverse());
    for (const schedule::Operand& operand : s.reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
      if (array == written) continue;
      const isl::map needed = instances.apply_range(operand.relation);
      if (!operand.is_exact || !needed.is_injective()) return false;
      if (!is_own(array)) continue;
      const auto [at, is_new] = elements.try_emplace(array, needed);
      if (!is_new) at->second = at->second.unite(needed);
    }
  }
  return true;
}

}  // namespace

bool needs_differ(const State& state, const std::string& stage, const std::string& host,
                  LoopId last) {
  const std::vector<LoopId>& loops = state.stage_loops.at(host);
  try {
    const IslBudget budget(state.program->ctx(), kNeedsBudget);
    return differ(state, stage, {loops.begin(), std::find(loops.begin(), loops.end(), last) + 1});
  } catch (const isl::exception_quota&) {
    return false;
  }
}

std::optional<LoopId> deepest_level(const State& state, const std::string& stage,
                                    const std::string& host, Sharing sharing) {
  const std::vector<LoopId>& loops = state.stage_loops.at(host);
  std::optional<LoopId> out;
  try {
    const IslBudget budget(state.program->ctx(), kNeedsBudget);
    for (std::size_t depth = 1; depth < loops.size(); ++depth) {
      const std::vector<LoopId> prefix(loops.begin(),
                                       loops.begin() + static_cast<std::ptrdiff_t>(depth));
      const schedule::Loop& innermost = state.order.loop(prefix.back());
      const bool is_spatial = innermost.kind == dsl::AxisKind::Spatial;
      if (!is_spatial || !differ(state, stage, prefix)) break;
      if (sharing == Sharing::OfNothing && !operands_differ(state, stage, prefix)) break;
      if (innermost.extent() > 1 || out) out = prefix.back();
    }
  } catch (const isl::exception_quota&) {
    return out;
  }
  return out;
}

}  // namespace solway::driver
