#include "support/isl_box.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <isl/map.h>
#include <isl/mat.h>

#include "support/isl_ext.h"

namespace solway::isl_ext {
namespace {

using Row = std::vector<std::int64_t>;  ///< the constant, x0, x1, ..., v
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

struct Constraints {
  Rows equal;     ///< sums that are 0
  Rows at_least;  ///< sums that are 0 or more
};

/// nullopt where others than the x and v are in them, or of several pieces.
std::optional<Constraints> constraints_of(const isl::map& map) {
  const isl::ctx ctx = map.ctx();
  if (checked(ctx, isl_map_n_basic_map(map.get())) != 1) return std::nullopt;
  std::optional<isl::basic_map> only;
  map.foreach_basic_map([&](const isl::basic_map& piece) { only = piece; });
  isl_basic_map* const raw = only->get();
  const bool has_others = checked(ctx, isl_basic_map_dim(raw, isl_dim_param)) != 0 ||
                          checked(ctx, isl_basic_map_dim(raw, isl_dim_div)) != 0;
  if (has_others) return std::nullopt;
  auto equal =
      rows_of(ctx, isl_basic_map_equalities_matrix(raw, isl_dim_cst, isl_dim_in, isl_dim_out,
                                                   isl_dim_param, isl_dim_div));
  auto at_least =
      rows_of(ctx, isl_basic_map_inequalities_matrix(raw, isl_dim_cst, isl_dim_in, isl_dim_out,
                                                     isl_dim_param, isl_dim_div));
  if (!equal || !at_least) return std::nullopt;
  return Constraints{*std::move(equal), *std::move(at_least)};
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

/// Per x its values; nullopt where a constraint has several of them, or v. `of_v` is left out.
std::optional<std::vector<Interval>> box_of(const Constraints& all, const Row& of_v) {
  std::vector<Interval> out(of_v.size() - 2);
  const auto add = [&](const Row& row, bool is_equal) {
    const auto column = only_column(row);
    if (!column || *column + 1 == row.size()) return false;
    Interval& x = out[*column - 1];
    tighten(x, row[0], row[*column]);
    if (is_equal) tighten(x, -row[0], -row[*column]);
    return true;
  };
  for (const Row& row : all.equal) {
    if (&row != &of_v && !add(row, /*is_equal=*/true)) return std::nullopt;
  }
  for (const Row& row : all.at_least) {
    if (!add(row, /*is_equal=*/false)) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<std::vector<std::int64_t>> try_steps_on_box(const isl::map& function) {
  if (dim_count(function, Dim::Range) != 1) return std::nullopt;
  const auto all = constraints_of(function);
  if (!all) return std::nullopt;
  const Row* of_v = nullptr;
  for (const Row& row : all->equal) {
    if (row.back() == 1 || row.back() == -1) of_v = &row;
  }
  if (of_v == nullptr) return std::nullopt;
  const auto box = box_of(*all, *of_v);
  if (!box) return std::nullopt;
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < box->size(); ++k) {
    const Interval& x = (*box)[k];
    if (x.low > x.high) return std::nullopt;
    out.push_back(x.low == x.high ? 0 : -(*of_v)[k + 1] * of_v->back());
  }
  return out;
}

}  // namespace solway::isl_ext
