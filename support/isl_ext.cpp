#include "support/isl_ext.h"

#include <algorithm>
#include <utility>

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/stride_info.h>
#include <isl/union_map.h>
#include <isl/val.h>

#include "support/error.h"

namespace solway::isl_ext {
namespace {

/// Takes ownership of `raw`; a null result becomes the isl error that caused it, which
/// isl::manage would hide behind "NULL input".
template <typename Raw>
auto adopt(const isl::ctx& ctx, Raw* raw) {
  if (raw == nullptr) isl::exception::throw_last_error(ctx);
  return isl::manage(raw);
}

/// A count that isl reports as -1 on error.
int checked_count(const isl::ctx& ctx, isl_size size) {
  if (size < 0) isl::exception::throw_last_error(ctx);
  return size;
}

isl_dim_type dim_type(Dim tuple) {
  switch (tuple) {
    case Dim::Param:
      return isl_dim_param;
    case Dim::Domain:
      return isl_dim_in;
    case Dim::Range:
      return isl_dim_out;
  }
  throw InternalError(
      {{}, "no such tuple of a relation", "value " + std::to_string(static_cast<int>(tuple)), ""});
}

isl::val int_val(const isl::ctx& ctx, std::int64_t value) {
  return adopt(ctx, isl_val_int_from_si(isl::ctx(ctx).get(), value));
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// The value of a bound as isl gives it: NaN for an empty set, infinite for an unbounded one.
std::optional<std::int64_t> try_bound(const isl::val& value) {
  if (!value.is_int()) return std::nullopt;
  return to_int64(value);
}

}  // namespace

std::optional<std::int64_t> try_int64(const isl::val& value) {
  if (!value.is_int()) return std::nullopt;
  if (value.lt(int_val(value.ctx(), INT64_MIN)) || value.gt(int_val(value.ctx(), INT64_MAX))) {
    return std::nullopt;
  }
  return isl_val_get_num_si(value.get());
}

std::int64_t to_int64(const isl::val& value) {
  const std::optional<std::int64_t> result = try_int64(value);
  if (!result) {
    throw InternalError(
        {{}, "a value of isl is no 64-bit integer", "it is " + to_string(value), ""});
  }
  return *result;
}

std::vector<std::int64_t> coordinates(const isl::point& point) {
  std::vector<std::int64_t> values;
  const isl::multi_val point_values = point.multi_val();
  for (unsigned pos = 0; pos < point_values.size(); ++pos) {
    values.push_back(to_int64(point_values.at(static_cast<int>(pos))));
  }
  return values;
}

std::optional<std::vector<std::int64_t>> try_sample(const isl::set& set) {
  if (set.is_empty()) return std::nullopt;
  return coordinates(set.sample_point());
}

std::optional<std::vector<std::int64_t>> try_lexmin(const isl::set& set) {
  return try_sample(set.lexmin());
}

std::optional<std::int64_t> try_count(const isl::set& set) {
  const isl_bool bounded = isl_set_is_bounded(set.get());
  if (bounded == isl_bool_error) isl::exception::throw_last_error(set.ctx());
  if (bounded == isl_bool_false) return std::nullopt;
  return try_bound(adopt(set.ctx(), isl_set_count_val(set.get())));
}

int most_unknowns(const isl::map& map) {
  int out = 0;
  map.foreach_basic_map([&](const isl::basic_map& piece) {
    out = std::max(out, static_cast<int>(isl_basic_map_dim(piece.get(), isl_dim_div)));
  });
  return out;
}

std::int64_t count_up_to(isl::set set, std::int64_t most) {
  for (std::int64_t found = 0; found < most; ++found) {
    const auto first = set.is_empty() ? std::nullopt : try_dim_min(set, 0);
    if (!first) return found;
    isl_val* next = isl_val_int_from_si(set.ctx().get(), static_cast<long>(*first) + 1);
    set = adopt(set.ctx(), isl_set_lower_bound_val(set.copy(), isl_dim_set, 0, next));
  }
  return most;
}

std::optional<std::int64_t> try_dim_min(const isl::set& set, int pos) {
  return try_bound(set.dim_min_val(pos));
}

std::optional<std::int64_t> try_dim_max(const isl::set& set, int pos) {
  return try_bound(set.dim_max_val(pos));
}

std::string tuple_name(const isl::set& set) {
  return text_or_empty(isl_set_get_tuple_name(set.get()));
}

std::string tuple_name(const isl::map& map, Dim tuple) {
  return text_or_empty(isl_map_get_tuple_name(map.get(), dim_type(tuple)));
}

isl::set with_tuple_name(const isl::set& set, const std::string& name) {
  if (name.empty()) return adopt(set.ctx(), isl_set_reset_tuple_id(set.copy()));
  return adopt(set.ctx(), isl_set_set_tuple_name(set.copy(), name.c_str()));
}

isl::map with_tuple_name(const isl::map& map, Dim tuple, const std::string& name) {
  const isl_dim_type type = dim_type(tuple);
  if (name.empty()) return adopt(map.ctx(), isl_map_reset_tuple_id(map.copy(), type));
  return adopt(map.ctx(), isl_map_set_tuple_name(map.copy(), type, name.c_str()));
}

std::string dim_name(const isl::set& set, int pos) {
  return text_or_empty(isl_set_get_dim_name(set.get(), isl_dim_set, pos));
}

std::string dim_name(const isl::map& map, Dim tuple, int pos) {
  return text_or_empty(isl_map_get_dim_name(map.get(), dim_type(tuple), pos));
}

isl::set with_dim_names(const isl::set& set, const std::vector<std::string>& names) {
  isl::set named = set;
  for (std::size_t pos = 0; pos < names.size(); ++pos) {
    named = adopt(set.ctx(),
                  isl_set_set_dim_name(named.release(), isl_dim_set, pos, names[pos].c_str()));
  }
  return named;
}

isl::map with_dim_names(const isl::map& map, Dim tuple, const std::vector<std::string>& names) {
  isl::map named = map;
  for (std::size_t pos = 0; pos < names.size(); ++pos) {
    named = adopt(map.ctx(),
                  isl_map_set_dim_name(named.release(), dim_type(tuple), pos, names[pos].c_str()));
  }
  return named;
}

int dim_count(const isl::set& set, Dim tuple) {
  return checked_count(set.ctx(), isl_set_dim(set.get(), dim_type(tuple)));
}

int dim_count(const isl::map& map, Dim tuple) {
  return checked_count(map.ctx(), isl_map_dim(map.get(), dim_type(tuple)));
}

isl::set insert_dims(const isl::set& set, int first, int count) {
  return adopt(set.ctx(), isl_set_insert_dims(set.copy(), isl_dim_set, first, count));
}

isl::map insert_dims(const isl::map& map, Dim tuple, int first, int count) {
  return adopt(map.ctx(), isl_map_insert_dims(map.copy(), dim_type(tuple), first, count));
}

isl::set project_out(const isl::set& set, int first, int count) {
  return adopt(set.ctx(), isl_set_project_out(set.copy(), isl_dim_set, first, count));
}

isl::map project_out(const isl::map& map, Dim tuple, int first, int count) {
  return adopt(map.ctx(), isl_map_project_out(map.copy(), dim_type(tuple), first, count));
}

isl::set drop_constraints(const isl::set& set, int first, int count) {
  return adopt(set.ctx(),
               isl_set_drop_constraints_involving_dims(set.copy(), isl_dim_set, first, count));
}

isl::map drop_constraints(const isl::map& map, Dim tuple, int first, int count) {
  return adopt(map.ctx(),
               isl_map_drop_constraints_involving_dims(map.copy(), dim_type(tuple), first, count));
}

isl::map move_dims(const isl::map& map, Dim to, int to_first, Dim from, int first, int count) {
  return adopt(map.ctx(),
               isl_map_move_dims(map.copy(), dim_type(to), to_first, dim_type(from), first, count));
}

isl::set move_dims_to_params(const isl::set& set, int first, int count) {
  const int params = dim_count(set, Dim::Param);
  return adopt(set.ctx(),
               isl_set_move_dims(set.copy(), isl_dim_param, params, isl_dim_set, first, count));
}

isl::set equate(const isl::set& set, int pos_a, int pos_b) {
  return adopt(set.ctx(), isl_set_equate(set.copy(), isl_dim_set, pos_a, isl_dim_set, pos_b));
}

isl::map equate(const isl::map& map, Dim tuple_a, int pos_a, Dim tuple_b, int pos_b) {
  return adopt(map.ctx(),
               isl_map_equate(map.copy(), dim_type(tuple_a), pos_a, dim_type(tuple_b), pos_b));
}

isl::set fix(const isl::set& set, int pos, std::int64_t value) {
  return adopt(set.ctx(),
               isl_set_fix_val(set.copy(), isl_dim_set, pos, int_val(set.ctx(), value).release()));
}

isl::map fix(const isl::map& map, Dim tuple, int pos, std::int64_t value) {
  return adopt(map.ctx(), isl_map_fix_val(map.copy(), dim_type(tuple), pos,
                                          int_val(map.ctx(), value).release()));
}

ParamValues smallest_params(const isl::set& set) {
  const int count = dim_count(set, Dim::Param);
  if (count == 0) return {};
  isl_set* values = isl_set_from_params(isl_set_params(set.copy()));
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) {
    names.emplace_back(isl_set_get_dim_name(set.get(), isl_dim_param, static_cast<unsigned>(k)));
  }
  values =
      isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, 0, static_cast<unsigned>(count));
  const auto point = try_lexmin(adopt(set.ctx(), values));
  ParamValues out;
  for (std::size_t k = 0; point && k < names.size(); ++k) out.emplace_back(names[k], (*point)[k]);
  return out;
}

ParamValues smallest_params(const isl::union_map& map) {
  return smallest_params(adopt(map.ctx(), isl_union_map_params(map.copy())));
}

ParamValues smallest_params(const isl::union_set& set) {
  return smallest_params(adopt(set.ctx(), isl_union_set_params(set.copy())));
}

namespace {

/// { : name = value, ... }
isl::set values_of_params(const isl::ctx& ctx, const ParamValues& values) {
  isl::set out = isl::set::universe(isl::space::unit(ctx));
  for (const auto& [name, value] : values) {
    const isl::space space = isl::space::unit(ctx).add_param(name);
    const isl::pw_aff param = space.param_aff_on_domain(name);
    const isl::pw_aff number = space.zero_aff_on_domain().add_constant(isl::val(ctx, value));
    out = out.intersect(param.eq_set(number));
  }
  return out.params();
}

}  // namespace

isl::set fix_params(const isl::set& set, const ParamValues& values) {
  return values.empty() ? set : set.intersect_params(values_of_params(set.ctx(), values));
}

isl::union_map fix_params(const isl::union_map& map, const ParamValues& values) {
  return values.empty() ? map : map.intersect_params(values_of_params(map.ctx(), values));
}

isl::union_set fix_params(const isl::union_set& set, const ParamValues& values) {
  return values.empty() ? set : set.intersect_params(values_of_params(set.ctx(), values));
}

isl::set bound(const isl::set& set, int pos, std::int64_t begin, std::int64_t end) {
  const isl::set lower = adopt(
      set.ctx(),
      isl_set_lower_bound_val(set.copy(), isl_dim_set, pos, int_val(set.ctx(), begin).release()));
  return adopt(set.ctx(), isl_set_upper_bound_val(lower.copy(), isl_dim_set, pos,
                                                  int_val(set.ctx(), end).sub(1).release()));
}

isl::map bound(const isl::map& map, Dim tuple, int pos, std::int64_t begin, std::int64_t end) {
  const isl::map lower =
      adopt(map.ctx(), isl_map_lower_bound_val(map.copy(), dim_type(tuple), pos,
                                               int_val(map.ctx(), begin).release()));
  return adopt(map.ctx(), isl_map_upper_bound_val(lower.copy(), dim_type(tuple), pos,
                                                  int_val(map.ctx(), end).sub(1).release()));
}

isl::map order_lt(const isl::map& map, Dim tuple_a, int pos_a, Dim tuple_b, int pos_b) {
  return adopt(map.ctx(),
               isl_map_order_lt(map.copy(), dim_type(tuple_a), pos_a, dim_type(tuple_b), pos_b));
}

isl::union_map lex_lt(const isl::union_map& a, const isl::union_map& b) {
  return adopt(a.ctx(), isl_union_map_lex_lt_union_map(a.copy(), b.copy()));
}

isl::union_map lex_le(const isl::union_map& a, const isl::union_map& b) {
  return adopt(a.ctx(), isl_union_map_lex_le_union_map(a.copy(), b.copy()));
}

isl::union_map lex_gt(const isl::union_map& a, const isl::union_map& b) {
  return adopt(a.ctx(), isl_union_map_lex_gt_union_map(a.copy(), b.copy()));
}

isl::union_map lex_ge(const isl::union_map& a, const isl::union_map& b) {
  return adopt(a.ctx(), isl_union_map_lex_ge_union_map(a.copy(), b.copy()));
}

isl::map lex_lt(const isl::space& set_space) {
  return adopt(set_space.ctx(), isl_map_lex_lt(set_space.copy()));
}

isl::map lex_le(const isl::space& set_space) {
  return adopt(set_space.ctx(), isl_map_lex_le(set_space.copy()));
}

isl::map flat_range_product(const isl::map& a, const isl::map& b) {
  return adopt(a.ctx(), isl_map_flat_range_product(a.copy(), b.copy()));
}

isl::union_map flat_range_product(const isl::union_map& a, const isl::union_map& b) {
  return adopt(a.ctx(), isl_union_map_flat_range_product(a.copy(), b.copy()));
}

isl::map flat_domain_product(const isl::map& a, const isl::map& b) {
  return adopt(a.ctx(), isl_map_flat_domain_product(a.copy(), b.copy()));
}

isl::set flat_product(const isl::set& a, const isl::set& b) {
  return adopt(a.ctx(), isl_set_flat_product(a.copy(), b.copy()));
}

isl::union_map all_pairs(const isl::union_set& domain, const isl::union_set& range) {
  return adopt(domain.ctx(), isl_union_map_from_domain_and_range(domain.copy(), range.copy()));
}

namespace {

template <typename T>
std::vector<T> sorted_by_text(const std::vector<T>& members) {
  std::vector<std::pair<std::string, T>> keyed;
  keyed.reserve(members.size());
  for (const T& member : members) keyed.emplace_back(to_string(member), member);
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<T> sorted;
  sorted.reserve(members.size());
  for (const auto& [text, member] : keyed) sorted.push_back(member);
  return sorted;
}

}  // namespace

std::vector<isl::map> sorted_maps(const isl::union_map& map) {
  std::vector<isl::map> members;
  map.foreach_map([&](const isl::map& member) { members.push_back(member); });
  return sorted_by_text(members);
}

std::vector<isl::set> sorted_sets(const isl::union_set& set) {
  std::vector<isl::set> members;
  set.foreach_set([&](const isl::set& member) { members.push_back(member); });
  return sorted_by_text(members);
}

bool is_plainly_equal(const isl::map& a, const isl::map& b) {
  const isl_bool equal = isl_map_plain_is_equal(a.get(), b.get());
  if (equal == isl_bool_error) isl::exception::throw_last_error(a.ctx());
  return equal == isl_bool_true;
}

namespace {

std::optional<FixedBox> try_box_of_one(const isl::map& map) {
  const isl::fixed_box box = map.range_simple_fixed_box_hull();
  if (!box.is_valid()) return std::nullopt;
  FixedBox result{box.offset(), {}};
  const isl::multi_val sizes = box.size();
  for (unsigned pos = 0; pos < sizes.size(); ++pos) {
    result.sizes.push_back(to_int64(sizes.at(static_cast<int>(pos))));
  }
  return result;
}

}  // namespace

std::optional<FixedBox> try_fixed_box(const isl::map& map) {
  const isl::map coalesced = map.coalesce();
  if (std::optional<FixedBox> box = try_box_of_one(coalesced)) return box;
  return try_box_of_one(simple_hull(coalesced));
}

StrideInfo range_stride(const isl::map& map, int pos) {
  isl_stride_info* info = isl_map_get_range_stride_info(map.get(), pos);
  if (info == nullptr) isl::exception::throw_last_error(map.ctx());
  isl_val* stride = isl_stride_info_get_stride(info);
  isl_aff* offset = isl_stride_info_get_offset(info);
  isl_stride_info_free(info);
  const isl::val managed_stride = adopt(map.ctx(), stride);
  return {to_int64(managed_stride), adopt(map.ctx(), offset)};
}

isl::map simple_hull(const isl::map& map) {
  return adopt(map.ctx(), isl_map_simple_hull(map.copy()));
}

isl::set simple_hull(const isl::set& set) {
  return adopt(set.ctx(), isl_set_simple_hull(set.copy()));
}

isl::aff dim_on_domain(const isl::space& set_space, int pos) {
  return adopt(set_space.ctx(), isl_aff_var_on_domain(isl_local_space_from_space(set_space.copy()),
                                                      isl_dim_set, pos));
}

std::int64_t coefficient(const isl::aff& aff, int pos) {
  return to_int64(adopt(aff.ctx(), isl_aff_get_coefficient_val(aff.get(), isl_dim_in, pos)));
}

/// The same relation, every existential variable an explicit function of the others.
isl::union_map with_explicit_divs(const isl::union_map& map) {
  return adopt(map.ctx(), isl_union_map_compute_divs(map.copy()));
}

Flow last_writers(const isl::union_map& reads, const isl::union_map& writes,
                  const isl::union_map& time) {
  // The lexicographic maxima that flow consists of cost isl hundreds of times as much where the
  // accesses hold variables that are only known to exist, as those of boxes with remainders do.
  const isl::union_flow flow = isl::union_access_info(with_explicit_divs(reads))
                                   .set_must_source(with_explicit_divs(writes))
                                   .set_schedule_map(time)
                                   .compute_flow();
  return {flow.must_dependence(), flow.full_must_dependence(), flow.must_no_source()};
}

isl::id make_id(const isl::ctx& ctx, const std::string& name) {
  return adopt(ctx, isl_id_alloc(isl::ctx(ctx).get(), name.c_str(), nullptr));
}

isl::id mark_id(const isl::schedule_node& mark) {
  return adopt(mark.ctx(), isl_schedule_node_mark_get_id(mark.get()));
}

isl::schedule_node delete_node(const isl::schedule_node& node) {
  return adopt(node.ctx(), isl_schedule_node_delete(node.copy()));
}

isl::schedule_node sink_band(const isl::schedule_node& band) {
  return adopt(band.ctx(), isl_schedule_node_band_sink(band.copy()));
}

isl::union_map subtree_schedule(const isl::schedule_node& node) {
  return adopt(node.ctx(), isl_schedule_node_get_subtree_schedule_union_map(node.get()));
}

isl::ast_node annotate(const isl::ast_node& node, const std::string& text) {
  const isl::id id(node.ctx(), text);
  isl_ast_node* out = isl_ast_node_set_annotation(node.copy(), id.copy());
  if (out == nullptr) isl::exception::throw_last_error(node.ctx());
  return isl::manage(out);
}

std::string annotation_of(const isl::ast_node& node) {
  isl_id* id = isl_ast_node_get_annotation(node.get());
  if (id == nullptr) isl::exception::throw_last_error(node.ctx());
  return isl::manage(id).name();
}

isl::ast_build with_iterators(const isl::ast_build& build, const std::vector<std::string>& names) {
  isl::id_list ids(build.ctx(), static_cast<int>(names.size()));
  for (const std::string& name : names) ids = ids.add(make_id(build.ctx(), name));
  return adopt(build.ctx(), isl_ast_build_set_iterators(build.copy(), ids.release()));
}

namespace {

AstSettings present_settings(isl_ctx* ctx) {
  return {isl_options_get_ast_build_atomic_upper_bound(ctx) != 0,
          isl_options_get_ast_build_prefer_pdiv(ctx) != 0,
          isl_options_get_ast_build_detect_min_max(ctx) != 0,
          isl_options_get_ast_build_exploit_nested_bounds(ctx) != 0,
          isl_options_get_ast_build_allow_else(ctx) != 0,
          isl_options_get_ast_build_allow_or(ctx) != 0,
          isl_options_get_ast_build_group_coscheduled(ctx) != 0};
}

void apply_settings(isl_ctx* ctx, const AstSettings& settings) {
  isl_options_set_ast_build_atomic_upper_bound(ctx, settings.atomic_upper_bound);
  isl_options_set_ast_build_prefer_pdiv(ctx, settings.prefer_pdiv);
  isl_options_set_ast_build_detect_min_max(ctx, settings.detect_min_max);
  isl_options_set_ast_build_exploit_nested_bounds(ctx, settings.exploit_nested_bounds);
  isl_options_set_ast_build_allow_else(ctx, settings.allow_else);
  isl_options_set_ast_build_allow_or(ctx, settings.allow_or);
  isl_options_set_ast_build_group_coscheduled(ctx, settings.group_coscheduled);
}

}  // namespace

AstOptionScope::AstOptionScope(const isl::ctx& ctx, const AstSettings& settings)
    : ctx_(isl::ctx(ctx).get()), before_(present_settings(ctx_)) {
  apply_settings(ctx_, settings);
}

AstOptionScope::~AstOptionScope() { apply_settings(ctx_, before_); }

}  // namespace solway::isl_ext
