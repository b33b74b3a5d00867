#include "driver/figures.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "memory_planner/access_dims.h"
#include "schedule/broadcast.h"
#include "schedule/region.h"
#include "schedule/shared_scope.h"
#include "support/dtype.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::Array;
using schedule::LoopId;
using schedule::State;
using schedule::Statement;

/// The set without what it says of the dimensions that are not `kept`.
isl::set about(isl::set set, const std::vector<bool>& kept) {
  for (int k = 0; k < static_cast<int>(kept.size()); ++k) {
    if (kept[static_cast<std::size_t>(k)]) continue;
    set = isl_ext::insert_dims(isl_ext::project_out(set, k, 1), k, 1);
  }
  return set;
}

/// Groups of dimensions, by pairs of which one depends on the other.
std::vector<std::vector<bool>> dependent_dims(const isl::set& set, std::size_t dims) {
  std::vector<std::size_t> group(dims);
  std::iota(group.begin(), group.end(), 0);
  const auto only = [&](std::size_t a, std::size_t b) {
    std::vector<bool> out(dims, false);
    out[a] = out[b] = true;
    return about(set, out);
  };
  for (std::size_t a = 0; a < dims; ++a) {
    for (std::size_t b = a + 1; b < dims; ++b) {
      if (only(a, a).intersect(only(b, b)).is_subset(only(a, b))) continue;
      const std::size_t old = group[b];
      std::replace(group.begin(), group.end(), old, group[a]);
    }
  }
  std::vector<std::vector<bool>> out;
  for (std::size_t first = 0; first < dims; ++first) {
    std::vector<bool> members(dims, false);
    for (std::size_t k = 0; k < dims; ++k) members[k] = group[k] == first;
    if (std::count(members.begin(), members.end(), true) > 0) out.push_back(std::move(members));
  }
  return out;
}

/// Points of a box are the product of its sides; of what is none they are counted when few, in
/// those dimensions that depend on each other.
class PointCounter {
 public:
  explicit PointCounter(const isl::set& set) : set_(set) {}

  Count run() {
    if (set_.is_empty()) return {0, true};
    if (!find_sides()) return {0, false};
    const std::vector<bool> all(extents_.size(), true);
    const std::int64_t whole = product_of(all);
    if (box(set_.space(), all).is_subset(set_)) return {whole, true};
    if (whole <= kCounted) {
      const auto counted = isl_ext::try_count(set_);
      return counted ? Count{*counted, true} : Count{whole, false};
    }
    const auto counted = try_count_by_groups();
    return counted ? Count{*counted, true} : Count{whole, false};
  }

 private:
  static constexpr std::int64_t kCounted = 100'000;

  bool find_sides() {
    const int dims = isl_ext::dim_count(set_, isl_ext::Dim::Range);
    for (int k = 0; k < dims; ++k) {
      const auto low = isl_ext::try_dim_min(set_, k);
      const auto high = isl_ext::try_dim_max(set_, k);
      if (!low || !high) return false;
      begins_.push_back(*low);
      extents_.push_back(*high - *low + 1);
    }
    return true;
  }

  std::int64_t product_of(const std::vector<bool>& dims) const {
    std::int64_t out = 1;
    for (std::size_t k = 0; k < dims.size(); ++k) out *= dims[k] ? extents_[k] : 1;
    return out;
  }

  isl::set box(const isl::space& space, const std::vector<bool>& dims) const {
    isl::set out = isl::set::universe(space);
    for (std::size_t k = 0; k < dims.size(); ++k) {
      if (!dims[k]) continue;
      out = isl_ext::bound(out, static_cast<int>(k), begins_[k], begins_[k] + extents_[k]);
    }
    return out;
  }

  std::optional<std::int64_t> try_count_by_groups() const {
    // Without the statement's name, which no set has that lost a dimension.
    const isl::set set = isl_ext::project_out(isl_ext::insert_dims(set_, 0, 1), 0, 1);
    isl::set product = isl::set::universe(set.space());
    std::int64_t out = 1;
    for (const std::vector<bool>& group : dependent_dims(set, extents_.size())) {
      const isl::set own = about(set, group);
      product = product.intersect(own);
      const auto count = try_count_of(own, group);
      if (!count) return std::nullopt;
      out *= *count;
    }
    if (!product.is_subset(set)) return std::nullopt;
    return out;
  }

  /// Of a set that says nothing of dimensions outside the group.
  std::optional<std::int64_t> try_count_of(isl::set own, const std::vector<bool>& group) const {
    const std::int64_t most = product_of(group);
    if (box(own.space(), group).is_subset(own)) return most;
    if (most > kCounted) return std::nullopt;
    for (std::size_t k = group.size(); k-- > 0;) {
      if (!group[k]) own = isl_ext::project_out(own, static_cast<int>(k), 1);
    }
    return isl_ext::try_count(own);
  }

  isl::set set_;
  std::vector<std::int64_t> begins_, extents_;
};

Count count_of(const isl::set& set) { return PointCounter(set).run(); }

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
  out.is_shared = schedule::is_shared(buffer);
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
