#include "schedule/transfer_rows.h"

#include <algorithm>
#include <string>

#include "schedule/footprint.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// { S[position] -> B[cell] } as { [position.., index of each of `rows`..] -> [the other indices]
/// }.
isl::map by_row(const isl::map& cells, const std::vector<int>& rows) {
  isl::map out = cells;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    out = isl_ext::move_dims(out, Dim::Domain, isl_ext::dim_count(out, Dim::Domain), Dim::Range,
                             rows[k] - static_cast<int>(k), 1);
  }
  return isl_ext::with_tuple_name(isl_ext::with_tuple_name(out, Dim::Domain, ""), Dim::Range, "");
}

/// { [position.., indices of rows before the last one..] -> [that of the last one] }
isl::map last_of(const isl::map& cells, const std::vector<int>& rows) {
  isl::map out = cells;
  for (int dim = isl_ext::dim_count(cells, Dim::Range); dim-- > 0;) {
    const bool is_kept = std::find(rows.begin(), rows.end(), dim) != rows.end();
    if (!is_kept) out = isl_ext::project_out(out, Dim::Range, dim, 1);
  }
  std::vector<int> before;
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) before.push_back(static_cast<int>(k));
  return by_row(out, before).coalesce();
}

bool is_box(const isl::map& map) { return box_around(map).is_subset(map); }

/// All sets of `size` of `rank` dimensions, those without the last dimension first.
std::vector<std::vector<int>> choices(int rank, int size) {
  std::vector<std::vector<int>> out;
  for (unsigned bits = 1; bits < 1U << static_cast<unsigned>(rank); ++bits) {
    std::vector<int> one;
    for (int dim = 0; dim < rank; ++dim) {
      if ((bits >> static_cast<unsigned>(dim) & 1U) != 0) one.push_back(dim);
    }
    if (static_cast<int>(one.size()) == size) out.push_back(std::move(one));
  }
  return out;
}

/// The function without what its domain says anyway.
isl::pw_aff plain(const isl::pw_aff& value) { return value.gist(value.domain()).coalesce(); }

isl::pw_aff low_of(const isl::map& map, int dim) {
  return map.min_multi_pw_aff().at(dim).coalesce();
}

isl::pw_aff high_of(const isl::map& map, int dim) {
  return map.max_multi_pw_aff().at(dim).coalesce();
}

/// A function { S[position] -> ... } as one of [position.., indices of rows..].
class OnRows {
 public:
  explicit OnRows(const isl::map& rows, const isl::space& position)
      : space_(rows.domain().space()) {
    const int dims = isl_ext::dim_count(isl::set::universe(position), Dim::Range);
    for (int k = 0; k < dims; ++k) {
      const isl::multi_pw_aff one = index(k).to_multi_pw_aff();
      to_position_ = to_position_.is_null() ? one : to_position_.flat_range_product(one);
    }
    if (to_position_.is_null()) to_position_ = isl::multi_pw_aff::zero(space_.add_unnamed_tuple(0));
    const std::string tuple = isl_ext::tuple_name(isl::set::universe(position));
    if (!tuple.empty()) to_position_ = to_position_.set_range_tuple(tuple);
  }

  /// Dimension `k` of [position.., indices of rows..].
  isl::pw_aff index(int k) const { return isl::pw_aff(isl_ext::dim_on_domain(space_, k)); }
  isl::pw_aff operator()(const isl::pw_aff& value) const { return value.pullback(to_position_); }

 private:
  isl::space space_;
  isl::multi_pw_aff to_position_;
};

isl::multi_pw_aff together(const std::vector<isl::pw_aff>& values) {
  isl::multi_pw_aff out;
  for (const isl::pw_aff& value : values) {
    const isl::multi_pw_aff one = value.to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  return out;
}

}  // namespace

std::optional<std::vector<int>> row_dims_of(const isl::map& cells) {
  if (is_box(cells)) return std::vector<int>{};
  const int rank = isl_ext::dim_count(cells, Dim::Range);
  for (int size = 1; size < rank; ++size) {
    for (const std::vector<int>& rows : choices(rank, size)) {
      if (are_rows(cells, rows)) return rows;
    }
  }
  return std::nullopt;
}

bool are_rows(const isl::map& cells, const std::vector<int>& rows) {
  std::vector<int> so_far;
  for (const int dim : rows) {
    so_far.push_back(dim);
    if (!is_box(last_of(cells, so_far))) return false;
  }
  return is_box(by_row(cells, rows));
}

isl::map cells_in_region(const Copy& copy, const Buffer& buffer) {
  const isl::map cells = copy.storage.domain_factor_domain();
  const auto slots = static_cast<int>(buffer.first_dim());
  return slots == 0 ? cells : isl_ext::project_out(cells, Dim::Range, 0, slots);
}

TransferRows rows_of(const Copy& copy, const Buffer& buffer) {
  const isl::map cells = cells_in_region(copy, buffer).coalesce();
  const isl::space position = cells.domain().space();
  TransferRows out;
  std::vector<int> so_far;
  for (const int dim : copy.rows) {
    so_far.push_back(dim);
    const isl::map range = last_of(cells, so_far);
    out.ranges.push_back({plain(low_of(range, 0)), plain(high_of(range, 0).add_constant(1))});
  }
  const isl::map rows = by_row(cells, copy.rows).coalesce();
  const OnRows on_rows(rows, position);
  const int coordinates = isl_ext::dim_count(cells, Dim::Domain);
  const auto first_dim = static_cast<int>(buffer.first_dim());

  std::vector<isl::pw_aff> first, count, near_first;
  const isl::pw_aff one = rows.domain().pw_aff_on_domain(1L);
  for (unsigned d = 0; d < copy.first.size(); ++d) {
    first.push_back(on_rows(copy.first.at(static_cast<int>(d))));
    count.push_back(one);
  }
  int other = 0;  // index in the range of `rows`
  for (std::size_t k = 0; k < buffer.dims.size(); ++k) {
    const auto dim = static_cast<int>(k);
    const auto along = static_cast<std::size_t>(buffer.dims[k].dim);
    const auto at = std::find(copy.rows.begin(), copy.rows.end(), dim);
    const bool is_row = at != copy.rows.end();
    const isl::pw_aff low =
        is_row ? on_rows.index(coordinates + static_cast<int>(at - copy.rows.begin()))
               : low_of(rows, other);
    if (!is_row) count[along] = plain(high_of(rows, other++).sub(low).add_constant(1));
    const isl::pw_aff corner = on_rows(copy.near_first.at(dim + first_dim));
    const isl::pw_aff moved = low.sub(corner).scale(static_cast<long>(buffer.dims[k].step));
    first[along] = first[along].add(moved);
    near_first.push_back(plain(low.intersect_domain(rows.domain())));
  }
  for (isl::pw_aff& value : first) value = plain(value.intersect_domain(rows.domain()));
  out.first = together(first);
  out.count = together(count);
  out.near_first = together(near_first);
  const isl::map missing = box_around(cells).subtract(cells);
  out.whole = cells.domain().subtract(missing.domain()).coalesce();
  return out;
}

}  // namespace solway::schedule
