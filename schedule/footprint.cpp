#include "schedule/footprint.h"

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

enum class Side : std::uint8_t { AtLeast, AtMost };

/// { [position] -> T[element] : element[dim] >= bound(position) }, or <=.
isl::map half_space(const isl::pw_aff& bound, const isl::space& element, int dim, Side side) {
  // { T[element] -> [v] } with v on the given side of element[dim]
  const isl::map value = isl::pw_aff(isl_ext::dim_on_domain(element, dim)).as_map();
  const isl::space number = value.range().space();
  const isl::map order = isl_ext::lex_le(number);  // { [a] -> [b] : a <= b }
  const isl::map to_bound = value.apply_range(side == Side::AtLeast ? order.reverse() : order);
  return bound.as_map().apply_range(to_bound.reverse());
}

/// The entries of `all` at `dims`, under the tuple name `tuple`.
isl::multi_pw_aff select(const isl::multi_pw_aff& all, const std::vector<int>& dims,
                         const isl::space& domain, const std::string& tuple) {
  isl::multi_pw_aff out;
  for (const int dim : dims) {
    const isl::multi_pw_aff one = all.at(dim).to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  if (!out.is_null()) return out.set_range_tuple(tuple);
  return isl::multi_pw_aff::zero(domain.add_named_tuple(isl::id(domain.ctx(), tuple), 0));
}

}  // namespace

isl::map per_position(const State& state, const Access& access, const std::vector<LoopId>& loops) {
  const isl::map position = values_of(state, access.statement, loops).as_map();
  return position.reverse().apply_range(access.relation).coalesce();
}

isl::map box_around(const isl::map& map) {
  const isl::multi_pw_aff low = map.min_multi_pw_aff();
  const isl::multi_pw_aff high = map.max_multi_pw_aff();
  isl::map out = isl::map::universe(map.space()).intersect_domain(map.domain());
  const isl::space element = map.range().space();
  for (unsigned k = 0; k < low.size(); ++k) {
    const int dim = static_cast<int>(k);
    out = out.intersect(half_space(low.at(dim), element, dim, Side::AtLeast));
    out = out.intersect(half_space(high.at(dim), element, dim, Side::AtMost));
  }
  return out.coalesce();
}

Footprint make_footprint(const State& state, const std::string& request,
                         const std::vector<Access>& accesses, const std::vector<LoopId>& loops,
                         const std::vector<bool>& kept, const SourceLoc& where) {
  isl::map touched;
  for (const Access& access : accesses) {
    const isl::map one = per_position(state, access, loops);
    touched = touched.is_null() ? one : touched.unite(one);
  }
  Footprint out;
  out.box = box_around(touched.coalesce());
  const auto fixed = isl_ext::try_fixed_box(out.box);
  if (!fixed) {
    throw UnsupportedError(
        {where, request + ": the buffer has no constant size",
         "no box of one size covers what each position of the surrounding loops touches",
         "choose a position at which the loops inside have constant extents"});
  }
  out.offset = fixed->offset;
  out.sizes = fixed->sizes;
  for (std::size_t k = 0; k < out.sizes.size(); ++k) {
    if (out.sizes[k] > 1 || kept[k]) out.dims.push_back(static_cast<int>(k));
  }
  return out;
}

isl::multi_pw_aff cell_of(const Footprint& footprint, const isl::multi_pw_aff& index,
                          const isl::multi_pw_aff& position, const std::string& buffer) {
  const isl::multi_pw_aff offset = footprint.offset.to_multi_pw_aff().pullback(position);
  return select(index.sub(offset), footprint.dims, index.space().domain(), buffer);
}

Statement transfer_statement(const Buffer& buffer, const Footprint& footprint, const isl::map& box,
                             const std::string& name, CopyDirection direction) {
  const isl::map elements = isl_ext::with_tuple_name(box, Dim::Domain, name);
  const isl::set domain = elements.domain();
  const isl::multi_pw_aff low = elements.min_multi_pw_aff();
  const isl::multi_pw_aff high = elements.max_multi_pw_aff();
  const isl::space instance = domain.space();
  // { S[position] -> [position] }
  const isl::multi_pw_aff position =
      isl::multi_aff::identity_on_domain(instance).to_multi_pw_aff().reset_range_tuple_id();

  Statement out;
  out.name = name;
  out.stage = buffer.stage;
  out.domain = domain;
  Copy copy;
  copy.buffer = buffer.name;
  copy.direction = direction;
  copy.elements = elements;
  copy.first = low;
  copy.near_first = cell_of(footprint, low, position, buffer.name);
  const isl::multi_pw_aff extent = high.sub(low).reset_range_tuple_id();
  isl::multi_pw_aff count;
  for (unsigned k = 0; k < extent.size(); ++k) {
    const isl::multi_pw_aff one = extent.at(static_cast<int>(k)).add_constant(1).to_multi_pw_aff();
    count = count.is_null() ? one : count.flat_range_product(one);
  }
  copy.count = count.is_null() ? extent : count;
  // { [S[position] -> T[element]] -> B[cell] }
  const isl::multi_pw_aff to_element =
      isl::multi_aff::range_map(elements.space()).to_multi_pw_aff();
  const isl::multi_pw_aff to_position =
      position.pullback(isl::multi_aff::domain_map(elements.space()));
  copy.storage = cell_of(footprint, to_element, to_position, buffer.name)
                     .as_map()
                     .intersect_domain(elements.wrap());
  const isl::map near = isl::multi_aff::domain_map(elements.space())
                            .as_map()
                            .reverse()
                            .apply_range(copy.storage)
                            .coalesce();
  const bool is_get = direction == CopyDirection::Get;
  out.write = is_get ? near : elements;
  out.write_index = is_get ? copy.near_first : copy.first;
  out.reads.push_back({is_get ? elements : near, is_get ? copy.first : copy.near_first, nullptr});
  out.copy = std::move(copy);
  return out;
}

}  // namespace solway::schedule
