#include "memory_planner/access_dims.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::LoopId;
using schedule::State;

/// { [loops around the statement] -> [index of dimension `dim`] }
isl::map index_over_loops(const State& state, const Access& access, int dim) {
  const isl::set& domain = state.program->statement(access.statement).domain;
  const isl::map loops =
      schedule::values_of(state, access.statement, state.order.placement_of(access.statement).path)
          .as_map();
  return loops.intersect_domain(domain).reverse().apply_range(access.index.at(dim).as_map());
}

/// { [l0, ..., lk, ...] -> [l0, ..., lk + 1, ...] }
isl::map next_iteration(const isl::ctx& ctx, std::size_t count, std::size_t k) {
  std::string from;
  std::string to;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "l" + std::to_string(i);
    from += (i == 0 ? "" : ", ") + name;
    to += (i == 0 ? "" : ", ") + name + (i == k ? " + 1" : "");
  }
  return isl::map(ctx, "{ [" + from + "] -> [" + to + "] }");
}

/// The largest absolute difference of the pairs of `map`, { [v] -> [w] }; 0 when it is empty.
std::int64_t largest_step(const isl::map& map) {
  const isl::set steps = map.deltas();
  const auto low = isl_ext::try_dim_min(steps, 0);
  const auto high = isl_ext::try_dim_max(steps, 0);
  return low && high ? std::max(std::abs(*low), std::abs(*high)) : 0;
}

void add_growth(const State& state, const Access& access, const std::vector<LoopId>& loops, int dim,
                DimModel& out) {
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  const isl::map index = index_over_loops(state, access, dim);
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto at = std::find(loops.begin(), loops.end(), path[k]);
    if (at == loops.end() || state.order.loop(path[k]).extent() <= 1) continue;
    const isl::map next = next_iteration(state.program->ctx(), path.size(), k);
    const std::int64_t growth = largest_step(index.reverse().apply_range(next).apply_range(index));
    if (growth == 0) continue;
    const int loop = static_cast<int>(at - loops.begin());
    const auto term = std::find_if(out.terms.begin(), out.terms.end(),
                                   [&](const IndexTerm& t) { return t.loop == loop; });
    if (term == out.terms.end()) {
      out.terms.push_back({loop, growth});
    } else {
      term->growth = std::max(term->growth, growth);
    }
  }
}

/// Elements between the first and the last that one iteration touches, both included.
std::int64_t box_of_one_iteration(const State& state, const std::vector<Access>& accesses,
                                  int dim) {
  std::int64_t out = 1;
  for (const Access& a : accesses) {
    for (const Access& b : accesses) {
      if (a.statement != b.statement) continue;
      const isl::map first = index_over_loops(state, a, dim);
      out = std::max(
          out, 1 + largest_step(first.reverse().apply_range(index_over_loops(state, b, dim))));
    }
  }
  return out;
}

std::int64_t touched_extent(const std::vector<Access>& accesses, int dim) {
  isl::set all;
  for (const Access& access : accesses) {
    const isl::set touched = access.relation.range();
    all = all.is_null() ? touched : all.unite(touched);
  }
  const auto low = isl_ext::try_dim_min(all, dim);
  const auto high = isl_ext::try_dim_max(all, dim);
  return low && high ? *high - *low + 1 : 1;
}

}  // namespace

std::vector<DimModel> access_dims(const State& state, const std::vector<Access>& accesses,
                                  const std::vector<LoopId>& loops) {
  std::vector<DimModel> out;
  if (accesses.empty()) return out;
  for (int dim = 0; dim < static_cast<int>(accesses[0].index.size()); ++dim) {
    DimModel& model = out.emplace_back();
    for (const Access& access : accesses) add_growth(state, access, loops, dim, model);
    std::sort(model.terms.begin(), model.terms.end(),
              [](const IndexTerm& a, const IndexTerm& b) { return a.loop < b.loop; });
    model.base = box_of_one_iteration(state, accesses, dim);
    model.extent = touched_extent(accesses, dim);
  }
  return out;
}

}  // namespace solway::memory_planner
