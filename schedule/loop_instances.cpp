#include "schedule/loop_instances.h"

#include <optional>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// { S[i] -> S[l] } and { S[l] -> [t] }
struct Renamed {
  isl::map to_loops;
  isl::map time;
};

/// The columns of a time that are no constants name its instances, if no two have the same. nullopt
/// where they do not, or where the time takes no quotients.
std::optional<Renamed> by_loops(const isl::map& time) {
  if (time.domain().is_wrapping() || time.n_basic_map() != 1) return std::nullopt;
  if (!time.wrap().involves_locals()) return std::nullopt;
  // Told that 0 <= x, i < 4 and x mod 4 = i, isl does not know yet that x = i.
  isl::map to_loops = time.detect_equalities();
  const isl::multi_val fixed = to_loops.wrap().plain_multi_val_if_fixed();
  const int indices = isl_ext::dim_count(time, Dim::Domain);
  const int columns = isl_ext::dim_count(time, Dim::Range);
  const auto constant = [&](int column) { return fixed.at(indices + column); };
  for (int column = columns - 1; column >= 0; --column) {
    if (constant(column).is_nan()) continue;
    to_loops = isl_ext::project_out(to_loops, Dim::Range, column, 1);
  }
  to_loops = isl_ext::with_tuple_name(to_loops, Dim::Range, isl_ext::tuple_name(time, Dim::Domain));
  if (!to_loops.reverse().is_single_valued()) return std::nullopt;
  const isl::space loops = to_loops.space().range();
  isl::multi_aff all = isl::multi_aff::zero(loops.add_unnamed_tuple(0));
  int loop = 0;
  for (int column = 0; column < columns; ++column) {
    const isl::val value = constant(column);
    const isl::aff one = value.is_nan() ? isl_ext::dim_on_domain(loops, loop++)
                                        : isl::aff::zero_on_domain(loops).add_constant(value);
    all = all.flat_range_product(one);
  }
  return Renamed{to_loops, all.as_map()};
}

}  // namespace

LoopInstances::LoopInstances(const isl::union_map& time)
    : time_(isl::union_map::empty(time.ctx())), to_loops_(time_) {
  time.foreach_map([&](const isl::map& own) {
    const auto renamed = by_loops(own);
    const isl::map same = isl::set::universe(own.space().domain()).identity();
    is_as_written_ = is_as_written_ && !renamed;
    time_ = time_.unite((renamed ? renamed->time : own).to_union_map());
    to_loops_ = to_loops_.unite((renamed ? renamed->to_loops : same).to_union_map());
  });
}

isl::union_map LoopInstances::accesses(const isl::union_map& written) const {
  const isl::union_map by_loops = is_as_written_ ? written : written.apply_domain(to_loops_);
  return by_loops.detect_equalities().coalesce();
}

isl::union_map LoopInstances::pairs_as_written(const isl::union_map& pairs) const {
  if (is_as_written_) return pairs;
  const isl::union_map back = to_loops_.reverse();
  return pairs.apply_domain(back).apply_range(back);
}

}  // namespace solway::schedule
