#include "memory_planner/index_steps.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::State;

std::size_t loops_of(const isl::map& index) {
  return static_cast<std::size_t>(isl_ext::dim_count(index, isl_ext::Dim::Domain));
}

std::string tuple(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "l" : ", l") + std::to_string(i);
  return "[" + out + "]";
}

/// The least and the greatest of { [v] }; none when it is empty.
IndexSteps range_of(const isl::set& values) {
  const auto low = isl_ext::try_dim_min(values, 0);
  const auto high = isl_ext::try_dim_max(values, 0);
  return low && high ? IndexSteps{*low, *high} : IndexSteps{};
}

/// Those of `index` from whose iterations `next` goes on.
IndexSteps steps_along(const isl::map& index, const isl::map& next) {
  return range_of(index.reverse().apply_range(next).apply_range(index).deltas());
}

/// The first value of loop `k` at which the index takes a step of `size`.
std::optional<std::int64_t> first_step(const isl::map& index, const isl::map& next, std::size_t k,
                                       std::int64_t size) {
  const isl::map difference(index.ctx(), "{ [[v] -> [w]] -> [w - v] }");
  const isl::map sizes = index.range_product(next.apply_range(index)).apply_range(difference);
  const isl::set one(index.ctx(), "{ [" + std::to_string(size) + "] }");
  return isl_ext::try_dim_min(sizes.intersect_range(one).domain(), static_cast<int>(k));
}

}  // namespace

std::int64_t IndexSteps::largest() const { return std::max(std::abs(low), std::abs(high)); }

isl::map next_iteration(const isl::map& index, std::size_t k) {
  return isl_ext::next_along(index.space().domain(), static_cast<int>(k)).as_map();
}

isl::map instances_over_loops(const State& state, const std::string& statement) {
  const isl::set& domain = state.program->statement(statement).domain;
  const isl::map loops =
      schedule::values_of(state, statement, state.order.placement_of(statement).path).as_map();
  return loops.intersect_domain(domain).reverse();
}

isl::map index_over_loops(const State& state, const Access& access, int dim) {
  return index_over_loops(instances_over_loops(state, access.statement), access, dim);
}

isl::map index_over_loops(const isl::map& instances, const Access& access, int dim) {
  return instances.apply_range(access.index.at(dim).as_map());
}

IndexSteps values_of(const isl::pw_aff& function) { return range_of(function.as_map().range()); }

IndexSteps steps_of(const isl::map& index, std::size_t k) {
  return steps_along(index, next_iteration(index, k));
}

IndexSteps steps_of(const isl::pw_aff& index, std::size_t k) {
  const isl::multi_aff next = isl_ext::next_along(index.space().domain(), static_cast<int>(k));
  return values_of(index.pullback(next).sub(index));
}

std::optional<std::int64_t> block_of(const isl::map& index, std::size_t k, std::int64_t begin) {
  const IndexSteps all = steps_of(index, k);
  if (all.low == all.high) return std::nullopt;
  const isl::ctx ctx = index.ctx();
  const std::size_t count = loops_of(index);
  const isl::map next = next_iteration(index, k);
  const auto first_low = first_step(index, next, k, all.low);
  const auto first_high = first_step(index, next, k, all.high);
  if (!first_low || !first_high) return std::nullopt;
  // The step that comes later is the first one out of a block.
  const std::int64_t block = std::max(*first_low, *first_high) - begin + 1;
  if (block < 2) return std::nullopt;
  const std::string last = "(l" + std::to_string(k) + " - " + std::to_string(begin) + ") mod " +
                           std::to_string(block) + " = " + std::to_string(block - 1);
  const isl::set ends(ctx, "{ " + tuple(count) + " : " + last + " }");
  const IndexSteps across = steps_along(index, next.intersect_domain(ends));
  const IndexSteps within = steps_along(index, next.subtract(next.intersect_domain(ends)));
  if (across.low != across.high || within.low != within.high) return std::nullopt;
  return block;
}

}  // namespace solway::memory_planner
