#include "support/isl_box.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <isl/map.h>
#include <isl/mat.h>
#include <isl/set.h>

#include "support/isl_ext.h"

namespace solway::isl_ext {
namespace {

using Row = std::vector<std::int64_t>;  ///< the constant, x0, x1, ..., v, what else there is
using Rows = std::vector<Row>;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

int checked(const isl::ctx& ctx, isl_size size) {
  if (size < 0) isl::exception::throw_last_error(ctx);
  return size;
}

/// nullopt where a coefficient is no 64-bit integer.
std::optional<Rows> rows_of(const isl::ctx& ctx, isl_mat* taken) {
  if (taken == nullptr) isl::exception::throw_last_error(ctx);
  const std::unique_ptr<isl_mat, isl_mat* (*)(isl_mat*)> matrix(taken, isl_mat_free);
  const int columns = checked(ctx, isl_mat_cols(matrix.get()));
  Rows out(static_cast<std::size_t>(checked(ctx, isl_mat_rows(matrix.get()))));
  for (std::size_t row = 0; row < out.size(); ++row) {
    for (int column = 0; column < columns; ++column) {
      isl_val* const raw = isl_mat_get_element_val(matrix.get(), static_cast<int>(row), column);
      if (raw == nullptr) isl::exception::throw_last_error(ctx);
      const auto value = try_int64(isl::manage(raw));
      if (!value || *value == kLowest) return std::nullopt;
      out[row].push_back(*value);
    }
  }
  return out;
}

/// The constraints of one basic map.
struct Piece {
  std::size_t count = 0;    ///< of the x
  bool has_others = false;  ///< parameters, or variables that are only known to exist
  Rows equal;               ///< sums that are 0
  Rows at_least;            ///< sums that are 0 or more
};

std::optional<Piece> piece_of(const isl::basic_map& map) {
  const isl::ctx ctx = map.ctx();
  isl_basic_map* const raw = map.get();
  auto equal =
      rows_of(ctx, isl_basic_map_equalities_matrix(raw, isl_dim_cst, isl_dim_in, isl_dim_out,
                                                   isl_dim_param, isl_dim_div));
  auto at_least =
      rows_of(ctx, isl_basic_map_inequalities_matrix(raw, isl_dim_cst, isl_dim_in, isl_dim_out,
                                                     isl_dim_param, isl_dim_div));
  if (!equal || !at_least) return std::nullopt;
  Piece out;
  out.count = static_cast<std::size_t>(checked(ctx, isl_basic_map_dim(raw, isl_dim_in)));
  out.has_others = checked(ctx, isl_basic_map_dim(raw, isl_dim_param)) != 0 ||
                   checked(ctx, isl_basic_map_dim(raw, isl_dim_div)) != 0;
  out.equal = *std::move(equal);
  out.at_least = *std::move(at_least);
  return out;
}

/// The row that says what v is, by the x alone.
const Row* row_of_v(const Piece& piece) {
  const std::size_t v = piece.count + 1;
  for (const Row& row : piece.equal) {
    const bool is_alone = std::all_of(row.begin() + static_cast<std::ptrdiff_t>(v) + 1, row.end(),
                                      [](std::int64_t other) { return other == 0; });
    if (is_alone && (row[v] == 1 || row[v] == -1)) return &row;
  }
  return nullptr;
}

/// The constant and the coefficients of v.
std::optional<Row> function_of(const Piece& piece) {
  const Row* row = row_of_v(piece);
  if (row == nullptr) return std::nullopt;
  Row out(row->begin(), row->begin() + static_cast<std::ptrdiff_t>(piece.count) + 1);
  for (std::int64_t& factor : out) factor *= -(*row)[piece.count + 1];
  return out;
}

/// The only column, the constant's left out, in which a row has a coefficient.
std::optional<std::size_t> only_column(const Row& row) {
  std::optional<std::size_t> out;
  for (std::size_t k = 1; k < row.size(); ++k) {
    if (row[k] == 0) continue;
    if (out) return std::nullopt;
    out = k;
  }
  return out;
}

struct Interval {
  std::int64_t low = kLowest;
  std::int64_t high = kHighest;
};

/// n / d, rounded down.
std::int64_t floor_of(std::int64_t n, std::int64_t d) {
  return n / d - (n % d != 0 && n < 0 ? 1 : 0);
}

/// constant + coefficient * x >= 0
void tighten(Interval& x, std::int64_t constant, std::int64_t coefficient) {
  if (coefficient > 0) {
    x.low = std::max(x.low, -floor_of(constant, coefficient));
  } else {
    x.high = std::min(x.high, floor_of(constant, -coefficient));
  }
}

/// Per x its values; nullopt where a constraint has several of them, or v, but for what v is.
std::optional<std::vector<Interval>> box_of(const Piece& piece) {
  if (piece.has_others) return std::nullopt;
  std::vector<Interval> out(piece.count);
  const auto add = [&](const Row& row, bool is_equal) {
    const auto column = only_column(row);
    if (!column || *column > piece.count) return false;
    Interval& x = out[*column - 1];
    tighten(x, row[0], row[*column]);
    if (is_equal) tighten(x, -row[0], -row[*column]);
    return true;
  };
  const Row* of_v = row_of_v(piece);
  for (const Row& row : piece.equal) {
    if (&row != of_v && !add(row, /*is_equal=*/true)) return std::nullopt;
  }
  for (const Row& row : piece.at_least) {
    if (!add(row, /*is_equal=*/false)) return std::nullopt;
  }
  return out;
}

/// nullopt where a coefficient is no 64-bit integer.
std::optional<std::vector<Piece>> pieces_of(const isl::map& map) {
  std::vector<Piece> out;
  bool are_all = true;
  map.foreach_basic_map([&](const isl::basic_map& one) {
    auto piece = piece_of(one);
    are_all = are_all && piece.has_value();
    if (piece) out.push_back(*std::move(piece));
  });
  if (!are_all) return std::nullopt;
  return out;
}

/// What v is in all pieces.
std::optional<Row> function_of(const std::vector<Piece>& pieces) {
  std::optional<Row> out;
  for (const Piece& piece : pieces) {
    auto own = function_of(piece);
    if (!own || (out && *own != *out)) return std::nullopt;
    out = std::move(own);
  }
  return out;
}

/// Columns of a piece from which constraints lead to v.
std::vector<bool> tied_to_v(const Piece& piece) {
  Rows rows = piece.equal;
  rows.insert(rows.end(), piece.at_least.begin(), piece.at_least.end());
  std::vector<bool> out(rows.empty() ? piece.count + 2 : rows.front().size(), false);
  out[piece.count + 1] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Row& row : rows) {
      bool is_tied = false;
      for (std::size_t k = 1; k < row.size(); ++k) is_tied = is_tied || (row[k] != 0 && out[k]);
      for (std::size_t k = 1; is_tied && k < row.size(); ++k) {
        grows = grows || (row[k] != 0 && !out[k]);
        out[k] = out[k] || row[k] != 0;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<bool> may_change_with(const isl::map& function) {
  std::vector<bool> out(static_cast<std::size_t>(dim_count(function, Dim::Domain)), true);
  if (dim_count(function, Dim::Range) != 1) return out;
  const auto pieces = pieces_of(function);
  if (!pieces) return out;
  const auto row = function_of(*pieces);
  const bool is_whole = pieces->size() == 1;
  std::vector<bool> tied;
  if (is_whole) tied = tied_to_v(pieces->front());
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (row && (*row)[k + 1] == 0) out[k] = false;
    if (is_whole && !tied[k + 1]) out[k] = false;
  }
  return out;
}

std::optional<std::vector<std::int64_t>> try_coefficients(const isl::map& function) {
  if (dim_count(function, Dim::Range) != 1) return std::nullopt;
  const auto pieces = pieces_of(function);
  auto row = pieces ? function_of(*pieces) : std::nullopt;
  if (row) row->erase(row->begin());
  return row;
}

isl::set bounding_box(const isl::set& points) {
  isl::set out = isl::set::universe(points.space());
  for (int k = 0; k < dim_count(points, Dim::Range); ++k) {
    const auto low = try_dim_min(points, k);
    const auto high = try_dim_max(points, k);
    if (low && high) out = bound(out, k, *low, *high + 1);
  }
  return out;
}

bool is_bounded(const isl::set& points) {
  const isl_bool out = isl_set_is_bounded(points.get());
  if (out == isl_bool_error) isl::exception::throw_last_error(points.ctx());
  return out == isl_bool_true;
}

isl::multi_aff next_along(const isl::space& points, int k) {
  const isl::multi_aff same = isl::multi_aff::identity_on_domain(points);
  return same.set_at(k, same.at(k).add_constant(1L));
}

bool has_neighbours(const isl::set& points, int k) {
  return !points.intersect(points.preimage(next_along(points.space(), k))).is_empty();
}

std::optional<std::vector<std::int64_t>> try_steps_on_box(const isl::map& function) {
  if (dim_count(function, Dim::Range) != 1) return std::nullopt;
  const auto pieces = pieces_of(function);
  if (!pieces || pieces->size() != 1) return std::nullopt;
  const auto row = function_of(pieces->front());
  const auto box = box_of(pieces->front());
  if (!row || !box) return std::nullopt;
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < box->size(); ++k) {
    const Interval& x = (*box)[k];
    if (x.low > x.high) return std::nullopt;
    out.push_back(x.low == x.high ? 0 : (*row)[k + 1]);
  }
  return out;
}

}  // namespace solway::isl_ext
