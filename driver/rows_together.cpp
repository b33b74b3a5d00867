#include "driver/rows_together.h"

#include <algorithm>
#include <set>
#include <vector>

#include "driver/fuse_stages.h"
#include "memory_planner/reuse.h"
#include "memory_planner/vector_plan_cost.h"
#include "schedule/compute_root.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;
using schedule::Statement;

/// Measured with softmax and layer norm of 64 to 4000 columns: on Intel server processors more rows
/// lose where they come from beyond the second-level cache, as these fetch only some lines ahead.
/// On Zen 5 four rows of 64 and 128 columns take 0.8 of the time of two, wherever they come from.
constexpr std::int64_t kUsualRows = 2;
/// Of what the program itself computed, in slices that this cache holds, too; measured with
/// attention of 128 rows.
constexpr std::int64_t kMostRows = 4;

/// Parts of the first-level cache that the rows may read. Of longer rows a core may not look ahead
/// as far as the next one, and loads no longer run beside arithmetic: two of 1000 columns took 0.93
/// of the time of one after the other on Zen 5, of 2048 0.98, of 4096 1.07.
constexpr double kUsualRoom = 0.4;
constexpr double kMostRoom = 0.8;

bool has_reduction(const State& state, const std::string& stage) {
  const std::vector<std::string> names = schedule::statements_of(state, stage);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const Statement& s = state.program->statement(name);
    return s.kind == schedule::StatementKind::Update && s.reduce.has_value();
  });
}

/// What a row needs: stages that may run in it, as only such ones and the host read them, and the
/// arrays that all of these read.
class RowNeeds {
 public:
  RowNeeds(const State& state, const std::string& host) : state_(state) {
    inside_.insert(host);
    read_by(host);
    const std::vector<dsl::Tensor>& stages = state.program->stages;
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
      const std::string& name = (*stage)->name;
      if (!may_run_inside(name)) continue;
      inside_.insert(name);
      waits_ = waits_ || has_reduction(state, name);
      read_by(name);
    }
  }

  bool waits() const { return waits_; }

  /// Whether stages of the program compute all that rows read, and a cache of so many bytes holds
  /// that of one of `slices`.
  bool are_near(std::int64_t slices, std::int64_t cache_bytes) const {
    const auto is_computed = [&](const std::string& name) {
      return !schedule::statements_of(state_, name).empty();
    };
    return std::all_of(arrays_.begin(), arrays_.end(), is_computed) && bytes(slices) <= cache_bytes;
  }

  /// Of one row of so many.
  std::int64_t bytes(std::int64_t rows) const {
    std::int64_t out = 0;
    for (const std::string& name : arrays_) {
      const schedule::Array& array = state_.program->array(name);
      std::int64_t all = size_bytes(array.type);
      for (const std::int64_t extent : array.shape) all *= extent;
      out += all / rows;
    }
    return out;
  }

 private:
  bool may_run_inside(const std::string& stage) const {
    if (inside_.count(stage) != 0 || !is_movable(state_, stage)) return false;
    if (memory_planner::is_product(state_, stage)) return false;
    const std::vector<std::string> readers = readers_of(state_, stage);
    return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const auto& name) {
      return inside_.count(name) != 0;
    });
  }

  void read_by(const std::string& stage) {
    for (const std::string& label : schedule::statements_of(state_, stage)) {
      const Statement& s = state_.program->statement(label);
      for (const schedule::Operand& operand : s.reads) {
        const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
        if (!s.writes_to(array)) arrays_.insert(array);
      }
    }
  }

  const State& state_;
  std::set<std::string> inside_;
  std::set<std::string> arrays_;
  bool waits_ = false;
};

}  // namespace

RowsTogether rows_together(const State& state, const std::string& host, LoopId rows,
                           const Target& target) {
  if (target.dialect != "host" || target.foreign || !target.pragmas.empty()) return {};
  if (state.order.loop(rows).depends_on_sizes) return {};
  const RowNeeds needs(state, host);
  if (!needs.waits()) return {};
  std::int64_t turns = 1;
  for (const LoopId id : state.stage_loops.at(host)) {
    turns *= std::max<std::int64_t>(1, state.order.loop(id).extent());
    if (id == rows) break;
  }
  const std::int64_t row_bytes = std::max<std::int64_t>(1, needs.bytes(turns));
  const std::int64_t slices = turns / std::max<std::int64_t>(1, state.order.loop(rows).extent());
  const bool are_near = needs.are_near(slices, memory_planner::caches_of(target).second_bytes);
  // Two blocks at least; what is left of the last one runs by itself.
  const auto of_room = [&](std::int64_t most, double part) {
    const double bytes = part * static_cast<double>(memory_planner::caches_of(target).first_bytes);
    std::int64_t out = most;
    while (out > 1 && (static_cast<double>(out * row_bytes) > bytes ||
                       2 * out > state.order.loop(rows).extent())) {
      out /= 2;
    }
    return out;
  };
  return {of_room(are_near ? kMostRows : kUsualRows, kUsualRoom), of_room(kMostRows, kMostRoom)};
}

}  // namespace solway::driver
