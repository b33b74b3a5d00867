#include "schedule/nested_statement.h"

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// { S[..] -> [dimensions begin, begin + 1, ..., end - 1] }
isl::multi_pw_aff dims_of(const isl::space& space, int begin, int end) {
  isl::multi_pw_aff out;
  for (int k = begin; k < end; ++k) {
    const isl::multi_pw_aff one = isl::pw_aff(isl_ext::dim_on_domain(space, k)).to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  return out.is_null() ? isl::multi_pw_aff::zero(space.add_unnamed_tuple(0)) : out;
}

/// { [S'[position, iteration] -> T[element]] -> [S[iteration] -> T[element]] }
isl::map inner_pairs(const isl::map& inner, const isl::map& access) {
  return inner.product(isl::set::universe(access.range().space()).identity());
}

void nest_copy(Copy& copy, const isl::map& inner, const isl::multi_pw_aff& index) {
  copy.storage = inner_pairs(inner, copy.elements).apply_range(copy.storage);
  copy.elements = inner.apply_range(copy.elements);
  copy.storage = copy.storage.intersect_domain(copy.elements.wrap());
  copy.first = copy.first.pullback(index);
  copy.count = copy.count.pullback(index);
  copy.near_first = copy.near_first.pullback(index);
}

}  // namespace

NestedStatement nested_statement(const Statement& s, const isl::map& needed,
                                 const std::vector<dsl::Axis>& axes) {
  NestedStatement out{s, {}, {}};
  Statement& made = out.statement;
  made.domain = isl_ext::with_tuple_name(needed.wrap().flatten(), s.name).coalesce();
  const isl::space space = made.domain.space();
  const auto depth = static_cast<int>(axes.size());
  out.position = dims_of(space, 0, depth);
  out.inner =
      dims_of(space, depth, isl_ext::dim_count(made.domain, Dim::Range)).set_range_tuple(s.name);
  const isl::map inner = out.inner.as_map().intersect_domain(made.domain);
  const isl::map position = out.position.as_map().intersect_domain(made.domain);
  made.axes = axes;
  made.axes.insert(made.axes.end(), s.axes.begin(), s.axes.end());
  for (Write& write : made.writes) {
    write.relation = inner.apply_range(write.relation);
    write.index = write.index.pullback(out.inner);
  }
  for (Operand& operand : made.reads) {
    operand.relation = inner.apply_range(operand.relation);
    operand.index = operand.index.pullback(out.inner);
  }
  if (s.group) {
    const std::string name = isl_ext::tuple_name(*s.group, Dim::Range);
    made.group = isl_ext::with_tuple_name(
        isl_ext::flat_range_product(position, inner.apply_range(*s.group)), Dim::Range, name);
  }
  if (!s.is_transfer()) made.origin = s.origin ? inner.apply_range(*s.origin) : inner;
  for (Inlined& value : made.inlined) value.origin = inner.apply_range(value.origin);
  if (made.copy) nest_copy(*made.copy, inner, out.inner);
  return out;
}

}  // namespace solway::schedule
