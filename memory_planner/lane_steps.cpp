#include "memory_planner/lane_steps.h"

#include <algorithm>
#include <set>
#include <string>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::Array;
using schedule::LoopId;
using schedule::State;

constexpr std::int64_t kFewIterations = 16;  ///< have no usual step

/// { [e0, e1, ...] -> [address] } of an array, row-major in its own layout.
isl::map address_of(const isl::ctx& ctx, const Array& array, const std::string& tuple) {
  std::string from;
  std::string sum = "0";
  std::int64_t stride = 1;
  for (std::size_t d = array.shape.size(); d-- > 0;) {
    sum += " + " + std::to_string(stride) + "*e" + std::to_string(d);
    stride *= std::max<std::int64_t>(1, array.shape[d]);
  }
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    from += (d == 0 ? "e" : ", e") + std::to_string(d);
  }
  return isl::map(ctx, "{ " + tuple + "[" + from + "] -> [" + sum + "] }");
}

/// { [l0, ..., lk, ...] -> [l0, ..., lk + 1, ...] } within blocks of `block` values of lk.
isl::map next_in_block(const isl::ctx& ctx, std::size_t count, std::size_t k, std::int64_t block) {
  std::string from;
  std::string to;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "l" + std::to_string(i);
    from += (i == 0 ? "" : ", ") + name;
    to += (i == 0 ? "" : ", ") + name + (i == k ? " + 1" : "");
  }
  const std::string own = "l" + std::to_string(k);
  const std::string condition = block == 0 ? ""
                                           : " : " + own + " mod " + std::to_string(block) + " < " +
                                                 std::to_string(block - 1);
  return isl::map(ctx, "{ [" + from + "] -> [" + to + "]" + condition + " }");
}

/// Where an access lies in memory when the loops around it stand where they do.
struct Places {
  isl::map addresses;  ///< { [loops] -> [address] }
  int loop = 0;        ///< the position of one of these
  int count = 0;       ///< of them
};

/// Whether an expression reads an array.
bool has_read(const dsl::Expr& e) {
  return e->kind == dsl::ExprKind::Read ||
         std::any_of(e->operands.begin(), e->operands.end(), has_read);
}

/// Adds the axes of which an expression uses the values, also to find what it reads.
void add_axes(const dsl::Expr& e, std::set<dsl::Axis>& out) {
  if (e->kind == dsl::ExprKind::AxisRef) out.insert(e->axis);
  for (const dsl::Expr& operand : e->operands) add_axes(operand, out);
}

/// Whether an index that is read from an array is another one when the loop moves. Of T[I[i], j] it
/// is with i, and T moves by one with j.
bool may_move_data(const State& state, const schedule::Statement& s,
                   const schedule::Operand& operand, LoopId loop) {
  if (operand.is_exact) return false;
  if (operand.owner != 0 || !operand.read) return true;  // axes of another statement
  std::set<dsl::Axis> axes;
  for (const dsl::Expr& index : operand.read->operands) {
    if (has_read(index)) add_axes(index, axes);
  }
  const isl::multi_aff instance = isl::multi_aff::identity_on_domain(s.domain.space());
  return std::any_of(axes.begin(), axes.end(), [&](const dsl::Axis& axis) {
    const auto at = std::find(s.axes.begin(), s.axes.end(), axis);
    if (at == s.axes.end()) return true;
    const int k = static_cast<int>(at - s.axes.begin());
    return schedule::dependent_loops(state, s.name, isl::pw_aff(instance.at(k))).count(loop) != 0;
  });
}

/// nullopt: it depends on data that the loop changes, or its values do not lie row-major. Throws
/// isl::exception_quota.
std::optional<Places> places_of(const State& state, const Access& access, LoopId loop) {
  const schedule::Statement& s = state.program->statement(access.statement);
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  const std::string name = isl_ext::tuple_name(access.relation, isl_ext::Dim::Range);
  const Array& array = state.program->array(name);
  if (array.layout) return std::nullopt;
  if (!access.is_write && may_move_data(state, s, s.reads.at(access.slot), loop)) {
    return std::nullopt;
  }
  const isl::map loops = schedule::values_of(state, access.statement, path).as_map();
  const auto at = std::find(path.begin(), path.end(), loop);
  return Places{loops.intersect_domain(s.domain)
                    .reverse()
                    .apply_range(access.index.as_map())
                    .apply_range(address_of(state.program->ctx(), array, name)),
                static_cast<int>(at - path.begin()), static_cast<int>(path.size())};
}

/// Whether the loop stands around the access and has two iterations, and the array two elements.
bool may_move(const State& state, const Access& access, LoopId loop) {
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  const std::string name = isl_ext::tuple_name(access.relation, isl_ext::Dim::Range);
  return std::find(path.begin(), path.end(), loop) != path.end() &&
         state.order.loop(loop).extent() > 1 && !state.program->array(name).shape.empty();
}

/// Whether the address takes steps of several sizes where the other loops stand at their first
/// values, or at their last ones: that costs little to see, where a proof that all are one costs
/// much.
bool differs_in_a_row(const State& state, const Access& access, const Places& places,
                      const isl::map& next) {
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  for (const bool at_end : {false, true}) {
    isl::set row = places.addresses.domain();
    for (int k = 0; k < places.count; ++k) {
      const schedule::Loop& loop = state.order.loop(path[static_cast<std::size_t>(k)]);
      if (k != places.loop) row = isl_ext::fix(row, k, at_end ? loop.end - 1 : loop.begin);
    }
    const isl::map along = places.addresses.intersect_domain(row);
    const isl::set steps = along.reverse().apply_range(next).apply_range(along).deltas();
    const auto low = isl_ext::try_dim_min(steps, 0);
    if (low && low != isl_ext::try_dim_max(steps, 0)) return true;
  }
  return false;
}

/// Values of the loop after which the address does not move by `step`, up to one more than `most`.
std::int64_t turns_of(const Places& places, std::int64_t step, std::int64_t most) {
  const isl::map& addresses = places.addresses;
  const isl::map next = next_in_block(addresses.ctx(), static_cast<std::size_t>(places.count),
                                      static_cast<std::size_t>(places.loop), 0);
  const isl::map moved(addresses.ctx(), "{ [a] -> [a + " + std::to_string(step) + "] }");
  const isl::map following = next.apply_range(addresses).intersect_domain(addresses.domain());
  const isl::set others =
      following.domain().subtract(following.intersect(addresses.apply_range(moved)).domain());
  const isl::set after =
      isl_ext::project_out(others, places.loop + 1, places.count - places.loop - 1);
  return isl_ext::count_up_to(isl_ext::project_out(after, 0, places.loop), most + 1);
}

}  // namespace

std::optional<std::int64_t> step_of(const State& state, const Access& access, LoopId loop,
                                    std::int64_t block) {
  if (!may_move(state, access, loop)) return 0;
  const isl::ctx ctx = state.program->ctx();
  try {
    const IslBudget budget(ctx, kStepBudget);
    const auto places = places_of(state, access, loop);
    if (!places) return std::nullopt;
    const isl::map& addresses = places->addresses;
    const isl::map next = next_in_block(ctx, static_cast<std::size_t>(places->count),
                                        static_cast<std::size_t>(places->loop), block);
    if (differs_in_a_row(state, access, *places, next)) return std::nullopt;
    const isl::set steps = addresses.reverse().apply_range(next).apply_range(addresses).deltas();
    const auto low = isl_ext::try_dim_min(steps, 0);
    const auto high = isl_ext::try_dim_max(steps, 0);
    // No two iterations follow each other where others lie between them: that is no even step.
    if (!low) return addresses.is_empty() ? std::optional<std::int64_t>(0) : std::nullopt;
    return low == high ? low : std::nullopt;
  } catch (const isl::exception_quota&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> usual_step_of(const State& state, const Access& access, LoopId loop) {
  if (!may_move(state, access, loop)) return 0;
  const std::int64_t extent = state.order.loop(loop).extent();
  if (extent <= kFewIterations) return std::nullopt;
  const std::int64_t most = std::min(kMostTurns, (extent - 1) / 4);
  try {
    const IslBudget budget(state.program->ctx(), kStepBudget);
    const auto places = places_of(state, access, loop);
    if (!places || places->addresses.is_empty()) return std::nullopt;
    for (const std::int64_t step : {1, -1}) {
      if (turns_of(*places, step, most) <= most) return step;
    }
  } catch (const isl::exception_quota&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace solway::memory_planner
