#include "memory_planner/access_dims.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "memory_planner/index_steps.h"
#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::LoopId;
using schedule::State;

/// An index of one dimension, over the loops around the statement.
struct LoopIndex {
  const Access* access;
  isl::map map;
  isl::pw_aff function;
  std::optional<std::vector<std::int64_t>> coefficients;  ///< where all pieces have the same
};

/// What the index moves by from one iteration of loop number `k` to the next.
std::int64_t growth_of(const LoopIndex& index, std::size_t k) {
  if (index.coefficients) {
    const std::int64_t step = std::abs((*index.coefficients)[k]);
    const bool moves =
        step != 0 && isl_ext::has_neighbours(index.map.domain(), static_cast<int>(k));
    return moves ? step : 0;
  }
  return steps_of(index.function, k).largest();
}

void add_growth(const State& state, const LoopIndex& index, const std::vector<LoopId>& loops,
                DimModel& out) {
  const std::vector<LoopId>& path = state.order.placement_of(index.access->statement).path;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto at = std::find(loops.begin(), loops.end(), path[k]);
    if (at == loops.end() || state.order.loop(path[k]).extent() <= 1) continue;
    const std::int64_t growth = growth_of(index, k);
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
std::int64_t box_of_one_iteration(const std::vector<LoopIndex>& indices) {
  std::int64_t out = 1;
  for (auto a = indices.begin(); a != indices.end(); ++a) {
    for (auto b = a + 1; b != indices.end(); ++b) {
      if (a->access->statement != b->access->statement) continue;
      out = std::max(out, 1 + values_of(b->function.sub(a->function)).largest());
    }
  }
  return out;
}

/// The first access of each statement with each index in a dimension: a stencil has many accesses
/// and few indices.
std::vector<const Access*> with_own_index(const std::vector<Access>& accesses, int dim) {
  std::vector<const Access*> out;
  for (const Access& one : accesses) {
    const bool is_known = std::any_of(out.begin(), out.end(), [&](const Access* other) {
      return other->statement == one.statement &&
             other->index.at(dim).plain_is_equal(one.index.at(dim));
    });
    if (!is_known) out.push_back(&one);
  }
  return out;
}

isl::set touched_elements(const std::vector<Access>& accesses) {
  isl::set out;
  for (const Access& access : accesses) {
    const isl::set touched = access.relation.range();
    out = out.is_null() ? touched : out.unite(touched);
  }
  return out;
}

void set_extent(DimModel& model, const isl::set& touched, int dim) {
  const auto low = isl_ext::try_dim_min(touched, dim);
  const auto high = isl_ext::try_dim_max(touched, dim);
  if (!low || !high) return;
  model.extent = *high - *low + 1;
  model.begin = *low;
}

}  // namespace

std::vector<DimModel> access_dims(const State& state, const std::vector<Access>& accesses,
                                  const std::vector<LoopId>& loops) {
  std::vector<DimModel> out;
  if (accesses.empty()) return out;
  const isl::set touched = touched_elements(accesses);
  std::map<std::string, isl::map> instances;
  std::map<std::string, isl::pw_multi_aff> functions;
  for (const Access& access : accesses) {
    isl::map& own = instances[access.statement];
    if (!own.is_null()) continue;
    own = instances_over_loops(state, access.statement);
    functions[access.statement] = own.as_pw_multi_aff();
  }
  for (int dim = 0; dim < static_cast<int>(accesses[0].index.size()); ++dim) {
    DimModel& model = out.emplace_back();
    std::vector<LoopIndex> indices;
    for (const Access* access : with_own_index(accesses, dim)) {
      LoopIndex& index = indices.emplace_back();
      index.access = access;
      index.map = index_over_loops(instances.at(access->statement), *access, dim);
      index.function = access->index.at(dim).pullback(functions.at(access->statement));
      index.coefficients = isl_ext::try_coefficients(index.map);
    }
    for (const LoopIndex& index : indices) add_growth(state, index, loops, model);
    std::sort(model.terms.begin(), model.terms.end(),
              [](const IndexTerm& a, const IndexTerm& b) { return a.loop < b.loop; });
    model.base = box_of_one_iteration(indices);
    set_extent(model, touched, dim);
  }
  return out;
}

}  // namespace solway::memory_planner
