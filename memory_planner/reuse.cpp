#include "memory_planner/reuse.h"

#include <algorithm>
#include <set>

#include "memory_planner/vector_plan_cost.h"
#include "schedule/region.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::LoopId;

// Bytes per cycle, stored and loaded (docs/cpu_schedules.md).
constexpr double kFirst = 64;
constexpr double kSecond = 32;
constexpr double kBeyond = 10;

/// The loops around a statement on which an operand depends.
std::set<LoopId> loops_of(const schedule::State& state, const schedule::Statement& s,
                          std::size_t slot) {
  const schedule::Operand& operand = s.reads[slot];
  std::set<LoopId> out;
  for (std::set<LoopId>& dim :
       schedule::dependent_loops(state, {{s.name, false, slot, operand.relation, operand.index}})) {
    out.merge(dim);
  }
  return out;
}

bool is_product_statement(const schedule::State& state, const schedule::Statement& s) {
  if (s.kind != schedule::StatementKind::Update || s.writes.size() != 1) return false;
  std::vector<LoopId> spatial;
  std::vector<LoopId> terms;
  for (const LoopId id : state.order.placement_of(s.name).path) {
    const schedule::Loop& loop = state.order.loop(id);
    if (loop.extent() > 1) {
      (loop.kind == dsl::AxisKind::Reduce ? terms : spatial).push_back(id);
    }
  }
  for (std::size_t slot = 1; slot < s.reads.size(); ++slot) {  // 0 is the sum itself
    const std::set<LoopId> moving = loops_of(state, s, slot);
    const auto depends = [&](LoopId id) { return moving.count(id) != 0; };
    const bool is_of_terms = std::any_of(terms.begin(), terms.end(), depends);
    if (is_of_terms && !std::all_of(spatial.begin(), spatial.end(), depends)) return true;
  }
  return false;
}

}  // namespace

bool is_product(const schedule::State& state, const std::string& stage) {
  const std::vector<std::string> names = schedule::statements_of(state, stage);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return is_product_statement(state, state.program->statement(name));
  });
}

double cycles_of_pass(const schedule::State& state, const std::string& stage,
                      const Target& target) {
  const schedule::Array& array = state.program->array(stage);
  double bytes = size_bytes(array.type);
  for (const std::int64_t extent : array.shape) bytes *= static_cast<double>(extent);
  const CacheModel caches = caches_of(target);
  const double rate = bytes <= static_cast<double>(caches.first_bytes)    ? kFirst
                      : bytes <= static_cast<double>(caches.second_bytes) ? kSecond
                                                                          : kBeyond;
  return 2 * bytes / rate;
}

}  // namespace solway::memory_planner
