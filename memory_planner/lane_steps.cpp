#include "memory_planner/lane_steps.h"

#include <algorithm>
#include <string>

#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::Array;
using schedule::LoopId;
using schedule::State;

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

}  // namespace

std::optional<std::int64_t> step_of(const State& state, const Access& access, LoopId loop,
                                    std::int64_t block) {
  const schedule::Statement& s = state.program->statement(access.statement);
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  const auto at = std::find(path.begin(), path.end(), loop);
  if (at == path.end() || state.order.loop(loop).extent() <= 1) return 0;
  const bool is_exact = access.is_write || s.reads.at(access.slot).is_exact;
  if (!is_exact) return std::nullopt;
  const std::string name = isl_ext::tuple_name(access.relation, isl_ext::Dim::Range);
  const Array& array = state.program->array(name);
  if (array.layout) return std::nullopt;  // its values do not lie row-major
  if (array.shape.empty()) return 0;
  const isl::ctx ctx = state.program->ctx();
  const isl::map address = address_of(ctx, array, name);
  const isl::map next =
      next_in_block(ctx, path.size(), static_cast<std::size_t>(at - path.begin()), block);
  try {
    const IslBudget budget(ctx, kStepBudget);
    const isl::map loops = schedule::values_of(state, access.statement, path).as_map();
    const isl::map places = loops.intersect_domain(s.domain)
                                .reverse()
                                .apply_range(access.index.as_map())
                                .apply_range(address);
    const isl::set steps = places.reverse().apply_range(next).apply_range(places).deltas();
    const auto low = isl_ext::try_dim_min(steps, 0);
    const auto high = isl_ext::try_dim_max(steps, 0);
    if (!low) return steps.is_empty() ? std::optional<std::int64_t>(0) : std::nullopt;
    return low == high ? low : std::nullopt;
  } catch (const isl::exception_quota&) {
    return std::nullopt;
  }
}

}  // namespace solway::memory_planner
