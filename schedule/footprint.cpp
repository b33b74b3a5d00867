#include "schedule/footprint.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "schedule/panels.h"
#include "support/error.h"
#include "support/isl_box.h"
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

/// The indices along `dims` of the elements `all`, under the tuple name `tuple`.
isl::multi_pw_aff select(const isl::multi_pw_aff& all, const std::vector<BufferDim>& dims,
                         const isl::space& domain, const std::string& tuple) {
  isl::multi_pw_aff out;
  for (const BufferDim& dim : dims) {
    const isl::multi_pw_aff one = index_along(dim, all.at(dim.dim)).to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  if (!out.is_null()) return out.set_range_tuple(tuple);
  return isl::multi_pw_aff::zero(domain.add_named_tuple(isl::id(domain.ctx(), tuple), 0));
}

/// The smallest of the constant boxes that isl finds around equal descriptions of one footprint.
std::optional<isl_ext::FixedBox> smallest_fixed_box(const std::vector<isl::map>& descriptions) {
  std::optional<isl_ext::FixedBox> out;
  std::int64_t elements = 0;
  for (const isl::map& one : descriptions) {
    auto fixed = isl_ext::try_fixed_box(one);
    if (!fixed) continue;
    std::int64_t own = 1;
    for (const std::int64_t size : fixed->sizes) own *= size;
    if (out && own >= elements) continue;
    out = std::move(fixed);
    elements = own;
  }
  return out;
}

/// The box of a map without pairs.
std::optional<isl_ext::FixedBox> empty_box(const isl::map& map) {
  const auto rank = static_cast<std::size_t>(isl_ext::dim_count(map, Dim::Range));
  return isl_ext::FixedBox{isl::multi_aff::zero(map.space()), std::vector<std::int64_t>(rank, 0)};
}

/// `simple` where it equals `exact` at every position, else `exact`.
isl::pw_aff preferred(const isl::pw_aff& simple, const isl::pw_aff& exact) {
  const isl::set differs = exact.ne_set(simple);
  return differs.is_empty() ? simple : exact;
}

/// What a box holds as one of the relations around it says it, which it may equal, in as few pieces
/// as there are: every proof goes through them, several times over.
isl::map in_fewest_pieces(const isl::map& box, const isl::map& touched, const isl::map& hull) {
  if (touched.n_basic_map() == 1) return box.is_subset(touched) ? touched : box;
  if (hull.is_equal(box)) return hull;  // it may be less: a triangle in a square
  return touched.n_basic_map() <= box.n_basic_map() && box.is_subset(touched) ? touched : box;
}

/// Boxes of more pieces than this are tried again position by position.
constexpr unsigned kManyPieces = 4;
constexpr std::int64_t kFewPositions = 256;
/// So many variables of a box that are only known to exist are copies of few.
constexpr int kManyUnknowns = 6;

/// box_around where there are few positions, from the extremes of each: exact and without the
/// divisions and unknowns of the loops inside. nullopt when there are many.
std::optional<isl::map> box_by_position(const isl::map& map) {
  const isl::set positions = map.domain();
  const auto number = isl_ext::try_count(positions);
  if (!number || *number > kFewPositions) return std::nullopt;
  isl::map out = isl::map::empty(map.space());
  bool is_bounded = true;
  positions.foreach_point([&](const isl::point& point) {
    const isl::set position = point.to_set();
    const isl::set box = isl_ext::bounding_box(position.apply(map));
    is_bounded = is_bounded && isl_ext::is_bounded(box);
    out =
        out.unite(isl::map::universe(map.space()).intersect_domain(position).intersect_range(box));
  });
  if (!is_bounded) return std::nullopt;
  return out.coalesce();
}

/// { [[position] -> T[k]] -> [[position] -> T[origin(position) + stride * k]] }
isl::multi_aff steps_to_elements(const isl::multi_aff& origin,
                                 const std::vector<std::int64_t>& strides) {
  const isl::space space = origin.as_map().space();
  const isl::multi_aff position = space.domain_map_multi_aff();
  const isl::multi_aff number = space.range_map_multi_aff();
  isl::multi_aff element = origin.pullback(position);
  for (std::size_t k = 0; k < strides.size(); ++k) {
    const auto dim = static_cast<int>(k);
    const isl::aff steps = number.at(dim).scale(isl::val(origin.ctx(), strides[k]));
    element = element.set_at(dim, element.at(dim).add(steps));
  }
  return position.range_product(element);
}

/// { [position] -> T[k] } for the elements origin + stride * k of `elements`.
isl::map in_steps(const isl::map& elements, const isl::multi_aff& origin,
                  const std::vector<std::int64_t>& strides) {
  return elements.wrap().preimage(steps_to_elements(origin, strides)).unwrap();
}

/// The other way round.
isl::map from_steps(const isl::map& steps, const isl::multi_aff& origin,
                    const std::vector<std::int64_t>& strides) {
  return steps.wrap().apply(steps_to_elements(origin, strides).as_map()).unwrap();
}

bool has_holes(const std::vector<std::int64_t>& strides) {
  return std::any_of(strides.begin(), strides.end(), [](std::int64_t one) { return one != 1; });
}

/// Where the elements of each dimension begin, and how far they are apart.
struct Distances {
  isl::multi_aff origin;  ///< { [position] -> T[element] }
  std::vector<std::int64_t> strides;
};

/// The largest distance by which the elements of all pieces of `touched` lie apart along `dim`.
isl_ext::StrideInfo stride_of(const isl::map& touched, int dim) {
  std::vector<isl_ext::StrideInfo> pieces;
  std::int64_t all = 0;
  touched.foreach_basic_map([&](const isl::basic_map& piece) {
    pieces.push_back(isl_ext::range_stride(isl::map(piece), dim));
    all = std::gcd(all, pieces.back().stride);
  });
  const auto shares = [&](std::int64_t stride) {
    return std::all_of(pieces.begin(), pieces.end(), [&](const isl_ext::StrideInfo& piece) {
      const isl::pw_aff apart = isl::pw_aff(piece.offset).sub(isl::pw_aff(pieces[0].offset));
      const isl::pw_aff rest = apart.mod(static_cast<long>(stride));
      return rest.ne_set(rest.scale(0)).intersect(touched.domain()).is_empty();
    });
  };
  for (std::int64_t stride = all; stride > 1; --stride) {
    if (all % stride == 0 && shares(stride)) return {stride, pieces[0].offset};
  }
  return {};
}

Distances distances_of(const isl::map& touched, Holes holes) {
  Distances out{isl::multi_aff::zero(touched.space()), {}};
  const int rank = isl_ext::dim_count(touched, Dim::Range);
  for (int dim = 0; dim < rank; ++dim) {
    out.strides.push_back(1);
    const bool is_row = dim + 1 == rank;
    if (holes == Holes::Kept || (is_row && holes == Holes::LeftOutButInRows)) continue;
    const isl_ext::StrideInfo info = stride_of(touched, dim);
    if (info.stride <= 1) continue;
    out.strides.back() = info.stride;
    // The same origin everywhere keeps the ends of the tensor where they are.
    const isl::pw_aff rest = isl::pw_aff(info.offset).mod(static_cast<long>(info.stride));
    const isl::set rests = touched.domain().apply(rest.as_map());
    const auto low = isl_ext::try_dim_min(rests, 0);
    const auto high = isl_ext::try_dim_max(rests, 0);
    const bool is_one = low && high && *low == *high;
    out.origin =
        is_one ? out.origin.set_at(dim, out.origin.at(dim).add_constant(static_cast<long>(*low)))
               : out.origin.set_at(dim, info.offset);
  }
  return out;
}

/// The first and last element of a box along one dimension.
struct Side1d {
  isl::pw_aff first, last;
};

/// How bounds of many pieces are taken from isl. isl 0.25 changes objects in place when it asks
/// something of them, and may then lose that pieces lie where another division leaves a rest:
/// pieces that become several bounds of one position. Made from maps anew, they have other
/// divisions.
enum class Pieces : std::uint8_t { AsTheyAre, FromMaps };

Side1d extremes_of(const isl::map& box, int dim, Pieces pieces) {
  Side1d out{box.min_multi_pw_aff().at(dim), box.max_multi_pw_aff().at(dim)};
  if (pieces == Pieces::AsTheyAre) return out;
  const auto anew = [](const isl::pw_aff& bound) { return bound.as_map().as_pw_multi_aff().at(0); };
  return {anew(out.first), anew(out.last)};
}

/// Prefers max(offset, lowest) and min(offset + size - 1, highest), which print as such, to the
/// pieces that isl makes of them.
Side1d bounds_of(const isl::map& box, const isl_ext::FixedBox& fixed, int dim, Pieces pieces) {
  const auto [first, last] = extremes_of(box, dim, pieces);
  const isl::pw_aff offset(fixed.offset.at(dim));
  const isl::pw_aff end = offset.add_constant(fixed.sizes[static_cast<std::size_t>(dim)] - 1);
  const isl::set range = box.range();
  const isl::set everywhere = isl::set::universe(box.domain().space());
  const auto lowest = isl_ext::try_dim_min(range, dim);
  const auto highest = isl_ext::try_dim_max(range, dim);
  if (!lowest || !highest) return {first, last};
  const isl::pw_aff low = everywhere.pw_aff_on_domain(static_cast<long>(*lowest));
  const isl::pw_aff high = everywhere.pw_aff_on_domain(static_cast<long>(*highest));
  return {preferred(offset, preferred(offset.max(low), first)),
          preferred(end, preferred(end.min(high), last))};
}

/// { S[iteration] -> T[element] } of `count` elements from `first` on, in steps from `origin`.
isl::map elements_between(const isl::multi_pw_aff& first, const isl::multi_pw_aff& count,
                          const isl::map& like, const isl::multi_aff& origin,
                          const std::vector<std::int64_t>& strides) {
  isl::map out = isl::map::universe(like.space()).intersect_domain(like.domain());
  const isl::space element = like.range().space();
  for (int dim = 0; dim < isl_ext::dim_count(like, Dim::Range); ++dim) {
    const auto stride = static_cast<long>(strides[static_cast<std::size_t>(dim)]);
    const isl::pw_aff last = first.at(dim).add(count.at(dim).add_constant(-1).scale(stride));
    out = out.intersect(half_space(first.at(dim), element, dim, Side::AtLeast));
    out = out.intersect(half_space(last, element, dim, Side::AtMost));
  }
  if (!has_holes(strides)) return out;
  return from_steps(in_steps(out, origin, strides), origin, strides);
}

/// Where a box begins, and how many elements it has per dimension.
struct Bounds {
  isl::multi_pw_aff first, count;
};

Bounds bounds_of(const isl::map& box, Pieces pieces) {
  const auto fixed = smallest_fixed_box({box, isl_ext::simple_hull(box), box_around(box)});
  isl::multi_pw_aff first, count;
  for (int dim = 0; dim < isl_ext::dim_count(box, Dim::Range); ++dim) {
    const Side1d bounds =
        fixed ? bounds_of(box, *fixed, dim, pieces) : extremes_of(box, dim, pieces);
    const isl::multi_pw_aff low = bounds.first.to_multi_pw_aff();
    const isl::multi_pw_aff number =
        bounds.last.sub(bounds.first).add_constant(1).to_multi_pw_aff();
    first = first.is_null() ? low : first.flat_range_product(low);
    count = count.is_null() ? number : count.flat_range_product(number);
  }
  if (first.is_null()) {  // a tensor of no dimensions
    first = box.min_multi_pw_aff();
    count = first.reset_range_tuple_id();
  } else {
    first = first.set_range_tuple(isl_ext::tuple_name(box, Dim::Range));
  }
  return {first, count};
}

/// Sets first, count and near_first of a copy whose elements are known. `origin` is the
/// footprint's.
void set_bounds(Copy& copy, const Footprint& footprint, const isl::multi_pw_aff& position,
                const isl::multi_aff& origin, Pieces pieces) {
  const bool steps = has_holes(footprint.strides);
  const auto [begin, count] =
      bounds_of(steps ? in_steps(copy.elements, origin, footprint.strides) : copy.elements, pieces);
  isl::multi_pw_aff first = begin;
  for (std::size_t k = 0; steps && k < footprint.strides.size(); ++k) {
    const auto dim = static_cast<int>(k);
    const isl::pw_aff elements = begin.at(dim).scale(static_cast<long>(footprint.strides[k]));
    first = first.set_at(dim, elements.add(isl::pw_aff(origin.at(dim))));
  }
  copy.first = first;
  copy.count = count;
  copy.near_first = cell_of(footprint, first, position, copy.buffer);
}

/// The elements from `low` to `high` of where a map has some.
isl::map between(const isl::multi_pw_aff& low, const isl::multi_pw_aff& high, const isl::map& map) {
  isl::map out = isl::map::universe(map.space()).intersect_domain(map.domain());
  const isl::space element = map.range().space();
  for (unsigned k = 0; k < low.size(); ++k) {
    const int dim = static_cast<int>(k);
    out = out.intersect(half_space(low.at(dim), element, dim, Side::AtLeast));
    out = out.intersect(half_space(high.at(dim), element, dim, Side::AtMost));
  }
  return out;
}

}  // namespace

isl::map per_position(const Access& access, const Position& position) {
  return position.of(access.statement).as_map().reverse().apply_range(access.relation).coalesce();
}

isl::map box_around(const isl::map& map) {
  const isl::set positions = map.domain();
  const isl::multi_pw_aff low = map.min_multi_pw_aff();
  const isl::multi_pw_aff high = map.max_multi_pw_aff();
  isl::map out = between(low, high, map);
  // Bounds hold where there are positions, and need not say which these are: what is only known to
  // exist there is in each of them otherwise, and in boxes around the box as often again.
  if (isl_ext::most_unknowns(out) > kManyUnknowns) {
    out = between(low.gist(positions), high.gist(positions), map);
  }
  out = out.coalesce();
  if (out.n_basic_map() <= kManyPieces) return out;
  const auto simple = box_by_position(map);
  return simple && simple->n_basic_map() <= 2 * out.n_basic_map() ? *simple : out;
}

Footprint make_footprint(const std::string& request, const std::vector<Access>& accesses,
                         const Position& position, const std::vector<bool>& kept,
                         const SourceLoc& where, Holes holes) {
  isl::map touched;
  for (const Access& access : accesses) {
    const isl::map one = per_position(access, position);
    touched = touched.is_null() ? one : touched.unite(one);
  }
  touched = touched.coalesce();
  const Distances found = distances_of(touched, holes);
  if (!has_holes(found.strides)) return footprint_of(touched, request, kept, where);
  Footprint out =
      footprint_of(in_steps(touched, found.origin, found.strides), request, kept, where);
  out.box = from_steps(out.box, found.origin, found.strides).coalesce();
  out.strides = found.strides;
  out.origin = found.origin;
  for (std::size_t k = 0; k < out.sizes.size(); ++k) {
    const auto dim = static_cast<int>(k);
    const isl::aff steps = out.offset.at(dim).scale(isl::val(touched.ctx(), found.strides[k]));
    out.offset = out.offset.set_at(dim, found.origin.at(dim).add(steps));
    if (out.sizes[k] > 0) out.sizes[k] = (out.sizes[k] - 1) * found.strides[k] + 1;
  }
  for (BufferDim& dim : out.dims) dim.step = found.strides[static_cast<std::size_t>(dim.dim)];
  return out;
}

isl::map box_around(const isl::map& map, const Footprint& footprint) {
  if (!has_holes(footprint.strides)) return box_around(map);
  const isl::map steps = in_steps(map, footprint.origin, footprint.strides);
  return from_steps(box_around(steps), footprint.origin, footprint.strides).coalesce();
}

Footprint footprint_of(const isl::map& touched, const std::string& request,
                       const std::vector<bool>& kept, const SourceLoc& where) {
  Footprint out;
  out.box = box_around(touched);
  const isl::map hull = isl_ext::simple_hull(touched);
  const auto fixed =
      touched.is_empty() ? empty_box(touched) : smallest_fixed_box({touched, hull, out.box});
  out.box = in_fewest_pieces(out.box, touched, hull);
  if (!fixed) {
    throw UnsupportedError(
        {where, request + ": the buffer has no constant size",
         "no box of one size covers what each position of the surrounding loops touches",
         "choose a position at which the loops inside have constant extents"});
  }
  out.offset = fixed->offset;
  out.sizes = fixed->sizes;
  out.strides.assign(out.sizes.size(), 1);
  out.origin = isl::multi_aff::zero(touched.space());
  for (std::size_t k = 0; k < out.sizes.size(); ++k) {
    if (out.sizes[k] > 1 || kept[k]) out.dims.push_back({static_cast<int>(k)});
  }
  return out;
}

isl::multi_pw_aff cell_of(const Footprint& footprint, const isl::multi_pw_aff& index,
                          const isl::multi_pw_aff& position, const std::string& buffer) {
  const isl::multi_pw_aff offset = footprint.offset.to_multi_pw_aff().pullback(position);
  const isl::multi_pw_aff cell =
      select(index.sub(offset), footprint.dims, index.space().domain(), buffer);
  if (!footprint.lead) return cell;
  const int row = static_cast<int>(cell.size()) - 1;
  return cell.set_at(row, cell.at(row).add(footprint.lead->pullback(position)));
}

Statement transfer_statement(const Buffer& buffer, const Footprint& footprint, const Moved& moved,
                             const std::string& name, CopyDirection direction) {
  const isl::map box = isl_ext::with_tuple_name(moved.box, Dim::Domain, name);
  const bool is_box = moved.elements.is_null();
  const isl::map elements =
      is_box ? box : isl_ext::with_tuple_name(moved.elements, Dim::Domain, name);
  const isl::set domain = elements.domain();
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
  copy.elements = box;
  copy.rows = moved.rows;
  const isl::multi_aff origin = footprint.origin.pullback(
      isl::multi_aff::identity_on_domain(instance).reset_range_tuple_id());
  set_bounds(copy, footprint, position, origin, Pieces::AsTheyAre);
  if (!box.is_equal(elements_between(copy.first, copy.count, box, origin, footprint.strides))) {
    set_bounds(copy, footprint, position, origin, Pieces::FromMaps);
  }
  copy.elements = elements;
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
  out.writes.push_back({is_get ? near : elements, is_get ? copy.near_first : copy.first, nullptr});
  out.reads.push_back({is_get ? elements : near, is_get ? copy.first : copy.near_first, nullptr});
  out.copy = std::move(copy);
  return out;
}

isl::map cells_of(const Footprint& footprint, const isl::map& moved, const std::string& buffer) {
  const isl::space pair = moved.space();
  const isl::multi_pw_aff to_position = pair.domain_map_multi_aff().to_multi_pw_aff();
  const isl::multi_pw_aff to_element = pair.range_map_multi_aff().to_multi_pw_aff();
  return cell_of(footprint, to_element, to_position, buffer)
      .as_map()
      .intersect_domain(moved.wrap())
      .domain_factor_domain()
      .coalesce();
}

}  // namespace solway::schedule
