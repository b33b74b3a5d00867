#include "driver/figures.h"

#include <algorithm>

#include "memory_planner/access_dims.h"
#include "schedule/broadcast.h"
#include "schedule/region.h"
#include "support/dtype.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::Array;
using schedule::LoopId;
using schedule::State;
using schedule::Statement;

/// Points of a box are the product of its sides; of anything else they are counted when few.
Count count_of(const isl::set& set) {
  if (set.is_empty()) return {0, true};
  const int dims = isl_ext::dim_count(set, isl_ext::Dim::Range);
  isl::set box = isl::set::universe(set.space());
  std::int64_t product = 1;
  for (int k = 0; k < dims; ++k) {
    const auto low = isl_ext::try_dim_min(set, k);
    const auto high = isl_ext::try_dim_max(set, k);
    if (!low || !high) return {0, false};
    box = isl_ext::bound(box, k, *low, *high + 1);
    product *= *high - *low + 1;
  }
  if (box.is_subset(set)) return {product, true};
  constexpr std::int64_t kCounted = 100'000;
  if (product > kCounted) return {product, false};
  const auto counted = isl_ext::try_count(set);
  return counted ? Count{*counted, true} : Count{product, false};
}

/// The set for one value of every size: the largest, by which memory is sized too.
isl::set at_largest_sizes(const State& state, isl::set set) {
  for (const dsl::Size& size : state.program->sizes) {
    const isl::aff value = set.space().add_param(size->name).param_aff_on_domain(size->name);
    const auto largest = isl_ext::try_int64(set.max_val(value));
    if (largest) set = isl_ext::fix_params(set, {{size->name, *largest}});
  }
  return set;
}

AccessFigures access_figures(const State& state, const schedule::Access& access) {
  const Array& array =
      state.program->array(isl_ext::tuple_name(access.relation, isl_ext::Dim::Range));
  AccessFigures out;
  out.array = array.name;
  out.is_write = access.is_write;
  out.is_near = array.kind == schedule::ArrayKind::Buffer;
  out.element_bytes = size_bytes(array.type);
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  out.strides_elems.assign(path.size(), 0);
  const auto dims = memory_planner::access_dims(state, {access}, path);
  std::int64_t row = 1;
  for (std::size_t k = dims.size(); k-- > 0;) {
    for (const memory_planner::IndexTerm& term : dims[k].terms) {
      out.strides_elems[static_cast<std::size_t>(term.loop)] += term.growth * row;
    }
    row *= array.shape[k];
  }
  return out;
}

/// The largest number of elements of one transfer, and whether all transfers move as many.
TransferFigures transfer_figures(const State& state, const Statement& s) {
  const schedule::Copy& copy = *s.copy;
  const Array& tensor =
      state.program->array(isl_ext::tuple_name(copy.elements, isl_ext::Dim::Range));
  const Array& buffer = state.program->array(copy.buffer);
  const std::int64_t bytes = size_bytes(tensor.type);
  TransferFigures out;
  out.buffer = copy.buffer;
  out.tensor = tensor.name;
  out.is_get = copy.direction == schedule::CopyDirection::Get;
  const isl::set counts = s.domain.apply(copy.count.as_map());
  out.element_bytes = bytes;
  std::vector<std::int64_t> sides;
  out.elements.value = 1;
  for (std::size_t k = 0; k < tensor.shape.size(); ++k) {
    const auto high = isl_ext::try_dim_max(counts, static_cast<int>(k));
    const auto low = isl_ext::try_dim_min(counts, static_cast<int>(k));
    sides.push_back(high.value_or(tensor.shape[k]));
    out.elements.value *= sides.back();
    out.elements.exact = out.elements.exact && low && high && *low == *high;
  }
  out.block_bytes = bytes;
  for (std::size_t k = sides.size(); k-- > 0;) {
    out.block_bytes *= sides[k];
    if (sides[k] != tensor.shape[k]) break;
  }
  out.buffer_bytes = size_bytes(buffer.type);
  for (const std::int64_t side : buffer.shape) out.buffer_bytes *= side;
  const schedule::Buffer& slots = state.program->buffers.at(copy.buffer);
  out.depth = slots.depth;
  out.distance = slots.distance;
  out.shared_by = schedule::to_string(slots.shared_by);
  return out;
}

StatementFigures statement_figures(const State& state, const Statement& s) {
  StatementFigures out;
  out.name = s.name;
  out.stage = s.stage;
  out.is_init = s.kind == schedule::StatementKind::Init;
  out.instances = count_of(at_largest_sizes(state, s.domain));
  for (const LoopId id : state.order.placement_of(s.name).path) {
    const schedule::Loop& loop = state.order.loop(id);
    out.loops.push_back({id, loop.name, loop.extent(), loop.mark, loop.hardware, loop.parts});
  }
  if (s.copy) {
    out.transfer = transfer_figures(state, s);
    return out;
  }
  for (std::size_t k = 0; k < s.reads.size(); ++k) {
    if (s.reads[k].relation.is_empty()) continue;  // what fills a border reads nothing
    out.accesses.push_back(
        access_figures(state, {s.name, false, k, s.reads[k].relation, s.reads[k].index}));
  }
  for (std::size_t k = 0; k < s.writes.size(); ++k) {
    out.accesses.push_back(
        access_figures(state, {s.name, true, k, s.writes[k].relation, s.writes[k].index}));
  }
  return out;
}

}  // namespace

std::vector<StatementFigures> figures_of(const State& state) {
  std::vector<StatementFigures> out;
  for (const schedule::Placement& p : state.order.placements) {
    const Statement& s = state.program->statement(p.statement);
    if (s.kind == schedule::StatementKind::Complete) continue;
    try {
      const IslBudget budget(state.program->ctx(), kOrderBudget);
      out.push_back(statement_figures(state, s));
    } catch (const isl::exception_quota&) {
      continue;
    } catch (const isl::exception_invalid&) {  // the budget ended within a text that isl parses
      continue;
    }
  }
  return out;
}

}  // namespace solway::driver
