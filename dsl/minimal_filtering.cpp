#include "dsl/minimal_filtering.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "support/error.h"

namespace solway::dsl {
namespace {

Fraction reduced(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t sign = denominator < 0 ? -1 : 1;
  const std::int64_t divisor = std::max<std::int64_t>(1, std::gcd(numerator, denominator));
  return {sign * numerator / divisor, sign * denominator / divisor};
}

Fraction negated(const Fraction& a) { return {-a.numerator, a.denominator}; }

Fraction inverse(const Fraction& a) { return reduced(a.denominator, a.numerator); }

/// The finite points at which the polynomials are evaluated.
std::vector<Fraction> points_of(std::size_t count) {
  const std::vector<Fraction> all = {{0, 1}, {1, 1}, {-1, 1}, {2, 1}, {-2, 1}, {1, 2}, {-1, 2}};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// The product of x - points[k] over all k but `without`, the constant term first.
std::vector<Fraction> polynomial(const std::vector<Fraction>& points, std::size_t without) {
  std::vector<Fraction> out = {{1, 1}};
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (k == without) continue;
    std::vector<Fraction> next(out.size() + 1);
    for (std::size_t n = 0; n < out.size(); ++n) {
      next[n + 1] = next[n + 1] + out[n];
      next[n] = next[n] + out[n] * negated(points[k]);
    }
    out = std::move(next);
  }
  return out;
}

Fraction power(const Fraction& base, std::size_t exponent) {
  Fraction out{1, 1};
  for (std::size_t n = 0; n < exponent; ++n) out = out * base;
  return out;
}

/// What y[i] takes of g[k] d[n].
Fraction term_of(const MinimalFiltering& f, std::size_t i, std::size_t k, std::size_t n) {
  Fraction sum;
  for (std::size_t p = 0; p < static_cast<std::size_t>(f.points()); ++p) {
    sum = sum + f.output[i][p] * f.filter[p][k] * f.input[p][n];
  }
  return sum;
}

bool filters(const MinimalFiltering& f) {
  for (std::size_t i = 0; i < f.output.size(); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(f.taps); ++k) {
      for (std::size_t n = 0; n < static_cast<std::size_t>(f.points()); ++n) {
        if (term_of(f, i, k, n) != Fraction{i + k == n ? 1 : 0, 1}) return false;
      }
    }
  }
  return true;
}

double absolute_sum(const std::vector<Fraction>& row) {
  return std::accumulate(row.begin(), row.end(), 0.0,
                         [](double sum, const Fraction& f) { return sum + std::abs(f.value()); });
}

/// Products of one row with a vector, terms of one factor together: x4 + x3 - 4 (x2 + x1).
class Form {
 public:
  Form(const std::vector<Expr>& vector, const SourceLoc& where) : vector_(vector), where_(where) {}

  /// The sum of factor * vector[k] over the factors that are not 0; null when all are. Terms of
  /// positive factors begin, so that others are subtracted.
  Expr of(const std::vector<Fraction>& row) const {
    Expr out;
    std::vector<bool> done(row.size(), false);
    for (const bool is_negative : {false, true}) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        if (done[k] || row[k].numerator == 0 || (row[k].numerator < 0) != is_negative) continue;
        out = plus(out, row[k], together(row, k, done));
      }
    }
    return out;
  }

  /// a + b, or a - b; either may be null.
  Expr joined(const Expr& a, const Expr& b, bool is_difference) const {
    if (b == nullptr) return a;
    if (a == nullptr) return is_difference ? make_unary(UnaryOp::Neg, b, where_) : b;
    return make_binary(is_difference ? BinaryOp::Sub : BinaryOp::Add, a, b, where_);
  }

 private:
  /// vector[k] and the elements with the same factor, or its negative.
  Expr together(const std::vector<Fraction>& row, std::size_t k, std::vector<bool>& done) const {
    Expr sum = vector_[k];
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (n == k || done[n] || (row[n] != row[k] && row[n] != negated(row[k]))) continue;
      sum = make_binary(row[n] == row[k] ? BinaryOp::Add : BinaryOp::Sub, sum, vector_[n], where_);
      done[n] = true;
    }
    done[k] = true;
    return sum;
  }

  Expr plus(const Expr& sum, const Fraction& factor, const Expr& value) const {
    const bool is_negative = factor.numerator < 0 && sum != nullptr;
    const double number = is_negative ? -factor.value() : factor.value();
    const Expr term = number == 1
                          ? value
                          : make_binary(BinaryOp::Mul, value,
                                        make_float(number, value->type, false, where_), where_);
    return joined(sum, term, is_negative);
  }

  const std::vector<Expr>& vector_;
  const SourceLoc& where_;
};

/// Whether two rows are e + o and e - o, o being not 0: what the first is made of.
struct EvenAndOdd {
  std::vector<Fraction> even;
  std::vector<Fraction> odd;
};
std::optional<EvenAndOdd> shared_parts(const std::vector<Fraction>& a,
                                       const std::vector<Fraction>& b) {
  EvenAndOdd out{std::vector<Fraction>(a.size()), std::vector<Fraction>(a.size())};
  bool has_even = false;
  bool has_odd = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] != b[k] && a[k] != negated(b[k])) return std::nullopt;
    (a[k] == b[k] ? out.even : out.odd)[k] = a[k];
    (a[k] == b[k] ? has_even : has_odd) |= a[k].numerator != 0;
  }
  if (!has_even || !has_odd) return std::nullopt;
  return out;
}

}  // namespace

Fraction operator+(const Fraction& a, const Fraction& b) {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator,
                 a.denominator * b.denominator);
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator);
}

double MinimalFiltering::amplification() const {
  double largest = 0;
  for (const std::vector<Fraction>& row : output) {
    double sum = 0;
    for (std::size_t n = 0; n < row.size(); ++n) {
      sum += std::abs(row[n].value()) * absolute_sum(filter[n]) * absolute_sum(input[n]);
    }
    largest = std::max(largest, sum);
  }
  return largest * largest;
}

MinimalFiltering minimal_filtering(int outputs, int taps) {
  MinimalFiltering out{outputs, taps, {}, {}, {}};
  const auto n = static_cast<std::size_t>(out.points());
  const std::vector<Fraction> points = points_of(n - 1);
  for (std::size_t p = 0; p + 1 < n; ++p) {
    Fraction scale{1, 1};
    for (std::size_t k = 0; k + 1 < n; ++k) {
      if (k != p) scale = scale * (points[p] + negated(points[k]));
    }
    out.input.push_back(polynomial(points, p));
    out.input.back().resize(n);
    out.filter.emplace_back();
    for (std::size_t k = 0; k < static_cast<std::size_t>(taps); ++k) {
      out.filter.back().push_back(power(points[p], k) * inverse(scale));
    }
  }
  out.input.push_back(polynomial(points, n));
  out.filter.emplace_back(static_cast<std::size_t>(taps));
  out.filter.back().back() = {1, 1};
  for (std::size_t i = 0; i < static_cast<std::size_t>(outputs); ++i) {
    out.output.emplace_back();
    for (const Fraction& point : points) out.output.back().push_back(power(point, i));
    out.output.back().push_back({i + 1 == static_cast<std::size_t>(outputs) ? 1 : 0, 1});
  }
  if (!filters(out)) {
    throw InternalError({{},
                         "the matrices of F(" + std::to_string(outputs) + ", " +
                             std::to_string(taps) + ") do not filter",
                         "",
                         "report this"});
  }
  return out;
}

std::vector<Expr> linear_forms(const FractionMatrix& matrix, const std::vector<Expr>& vector,
                               const SourceLoc& where) {
  const Form form(vector, where);
  std::vector<Expr> out(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (out[i] != nullptr) continue;
    for (std::size_t j = i + 1; j < matrix.size() && out[i] == nullptr; ++j) {
      const std::optional<EvenAndOdd> parts = shared_parts(matrix[i], matrix[j]);
      if (out[j] != nullptr || !parts) continue;
      const Expr even = form.of(parts->even);
      const Expr odd = form.of(parts->odd);
      out[i] = form.joined(even, odd, false);
      out[j] = form.joined(even, odd, true);
    }
    if (out[i] == nullptr) out[i] = form.of(matrix[i]);
  }
  return out;
}

}  // namespace solway::dsl
