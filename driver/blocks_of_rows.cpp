#include "driver/blocks_of_rows.h"

#include <algorithm>
#include <map>
#include <vector>

#include "driver/needs_apart.h"
#include "memory_planner/vector_plan_cost.h"
#include "schedule/compute_root.h"
#include "schedule/region.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;

constexpr std::int64_t kLeastRows = 12;  ///< of a block; fewer make little use of what they share
/// The same of a block beside which the cache does not hold what all blocks read, so that each
/// brings that near again: fewer wait for it. Measured with attention of 2048 rows.
constexpr std::int64_t kLeastRowsOfMany = 24;

/// The divisor of an extent that is nearest to `most` in proportion, as loops over a smaller last
/// block would have bounds of their own; where none is within a half and twice of it, equal blocks
/// of which the last one is smaller.
std::int64_t near_divisor(std::int64_t extent, std::int64_t most) {
  std::int64_t best = 0;
  const auto ratio = [&](std::int64_t rows) {
    return static_cast<double>(std::max(rows, most)) / static_cast<double>(std::min(rows, most));
  };
  for (std::int64_t rows = (most + 1) / 2; rows <= std::min(extent - 1, 2 * most); ++rows) {
    if (extent % rows == 0 && (best == 0 || ratio(rows) < ratio(best))) best = rows;
  }
  if (best != 0) return best;
  const std::int64_t blocks = (extent + most - 1) / most;
  return (extent + blocks - 1) / blocks;
}

std::vector<LoopId> loops_to(const State& state, const std::string& host, LoopId last) {
  const std::vector<LoopId>& loops = state.stage_loops.at(host);
  return {loops.begin(), std::find(loops.begin(), loops.end(), last) + 1};
}

std::int64_t turns_of(const State& state, const std::vector<LoopId>& loops) {
  std::int64_t out = 1;
  for (const LoopId id : loops) out *= std::max<std::int64_t>(1, state.order.loop(id).extent());
  return out;
}

/// Which elements of which arrays iterations of some loops of a host need, through all stages
/// between.
class Needs {
 public:
  Needs(const State& state, const std::string& host, const std::vector<LoopId>& prefix)
      : state_(state) {
    for (const std::string& label : schedule::statements_of(state, host)) {
      const isl::map loops = schedule::values_of(state, label, prefix).as_map();
      add_operands(label, loops.intersect_domain(state.program->statement(label).domain).reverse());
    }
  }

  /// Goes on to what a stage reads.
  void follow(const std::string& stage) {
    const auto at = elements_.find(stage);
    if (at == elements_.end()) return;
    const isl::map elements = at->second;
    elements_.erase(at);
    for (const std::string& label : schedule::statements_of(state_, stage)) {
      const schedule::Statement& s = state_.program->statement(label);
      for (const schedule::Write& written : s.writes) {
        if (isl_ext::tuple_name(written.relation, isl_ext::Dim::Range) != stage) continue;
        const isl::map instances = written.relation.intersect_domain(s.domain).reverse();
        add_operands(label, elements.apply_range(instances));
      }
    }
  }

  /// By array; not those that were followed.
  const std::map<std::string, isl::map>& elements() const { return elements_; }

 private:
  void add_operands(const std::string& label, const isl::map& instances) {
    const schedule::Statement& s = state_.program->statement(label);
    for (const schedule::Operand& operand : s.reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
      if (array == s.stage) continue;
      if (schedule::is_placed(state_, array)) {
        go_on_in_place(label, instances, array);
        continue;
      }
      const isl::map found = instances.apply_range(operand.relation);
      const auto [at, is_new] = elements_.try_emplace(array, found);
      if (!is_new) at->second = at->second.unite(found);
    }
  }

  /// What a stage that runs in its reader's loops reads there: the places of what it computes are
  /// used again in each of their iterations.
  void go_on_in_place(const std::string& reader, const isl::map& instances,
                      const std::string& stage) {
    for (const std::string& label : schedule::statements_of(state_, stage)) {
      const std::vector<LoopId> loops = common_loops(reader, label);
      const isl::map to_loops = schedule::values_of(state_, reader, loops).as_map();
      const isl::map from_loops = schedule::values_of(state_, label, loops)
                                      .as_map()
                                      .intersect_domain(state_.program->statement(label).domain)
                                      .reverse();
      add_operands(label, instances.apply_range(to_loops).apply_range(from_loops));
    }
  }

  std::vector<LoopId> common_loops(const std::string& a, const std::string& b) const {
    const std::vector<LoopId>& of_a = state_.order.placement_of(a).path;
    const std::vector<LoopId>& of_b = state_.order.placement_of(b).path;
    const auto ends = std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end());
    return {of_a.begin(), ends.first};
  }

  const State& state_;
  std::map<std::string, isl::map> elements_;
};

}  // namespace

std::int64_t bytes_of_array(const State& state, const std::string& array) {
  const schedule::Array& found = state.program->array(array);
  std::int64_t bytes = size_bytes(found.type);
  for (const std::int64_t extent : found.shape) bytes *= extent;
  return bytes;
}

std::int64_t shared_bytes(const State& state, const std::string& host, LoopId rows,
                          const std::set<std::string>& stages) {
  const std::vector<LoopId> prefix = loops_to(state, host, rows);
  const std::vector<LoopId> around(prefix.begin(), prefix.end() - 1);
  std::int64_t out = 0;
  try {
    const IslBudget budget(state.program->ctx(), kNeedsBudget);
    Needs needs(state, host, prefix);
    Needs of_slices(state, host, around);
    const std::vector<dsl::Tensor>& all = state.program->stages;
    for (auto stage = all.rbegin(); stage != all.rend(); ++stage) {
      const std::string& name = (*stage)->name;
      if (stages.count(name) == 0) continue;
      needs.follow(name);
      of_slices.follow(name);
    }
    for (const auto& [array, elements] : needs.elements()) {
      if (elements.is_injective()) continue;
      const bool is_apart = of_slices.elements().at(array).is_injective();
      out += bytes_of_array(state, array) / (is_apart ? turns_of(state, around) : 1);
    }
  } catch (const isl::exception_quota&) {
    return 0;
  }
  return out;
}

std::int64_t rows_of_block(const State& state, const std::string& host, LoopId rows,
                           const std::set<std::string>& stages, const Target& target) {
  const std::int64_t turns = turns_of(state, loops_to(state, host, rows));
  const std::int64_t extent = state.order.loop(rows).extent();
  std::int64_t row_bytes = 0;
  std::int64_t largest = 1;
  for (const std::string& name : stages) {
    const std::int64_t bytes = bytes_of_array(state, name) / turns;
    row_bytes += bytes;
    largest = std::max(largest, bytes);
  }
  const std::int64_t cache = memory_planner::caches_of(target).second_bytes;
  if (extent * row_bytes <= cache || cache / std::max(row_bytes, 2 * largest) < kLeastRows) {
    return 0;
  }
  const std::int64_t room = cache - shared_bytes(state, host, rows, stages);
  return near_divisor(extent, std::max(kLeastRowsOfMany, room / std::max(row_bytes, 2 * largest)));
}

}  // namespace solway::driver
