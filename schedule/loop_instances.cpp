#include "schedule/loop_instances.h"

#include <optional>

#include "support/isl_box.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// { S[i] -> S[l] }, { S[l] -> [t] } and the least box { S[l] } around all instances.
struct Renamed {
  isl::map to_loops;
  isl::map time;
  isl::set box;
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
  return Renamed{to_loops, all.as_map(), isl_ext::bounding_box(to_loops.range())};
}

}  // namespace

LoopInstances::LoopInstances(const isl::union_map& time)
    : time_(isl::union_map::empty(time.ctx())), to_loops_(time_), boxes_(time_.domain()) {
  time.foreach_map([&](const isl::map& own) {
    const auto renamed = by_loops(own);
    const isl::set all = isl::set::universe(own.space().domain());
    const isl::map same = all.identity();
    is_as_written_ = is_as_written_ && !renamed;
    boxes_ = boxes_.unite((renamed ? renamed->box : all).to_union_set());
    time_ = time_.unite((renamed ? renamed->time : own).to_union_map());
    to_loops_ = to_loops_.unite((renamed ? renamed->to_loops : same).to_union_map());
  });
}

isl::union_map LoopInstances::accesses(const isl::union_map& written) const {
  if (is_as_written_) return written.detect_equalities().coalesce();
  // What is left of quotients says in many words that loops have their ranges.
  return written.apply_domain(to_loops_)
      .detect_equalities()
      .gist_domain(boxes_)
      .intersect_domain(boxes_)
      .coalesce();
}

isl::union_map LoopInstances::pairs_as_written(const isl::union_map& pairs) const {
  if (is_as_written_) return pairs;
  const isl::union_map back = to_loops_.reverse();
  return pairs.apply_domain(back).apply_range(back);
}

}  // namespace solway::schedule
