#pragma once

#include <cstdint>
#include <vector>

#include "dsl/expr.h"

namespace solway::dsl {

/// An exact number, in lowest terms, its denominator positive.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  bool operator==(const Fraction&) const = default;
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);

using FractionMatrix = std::vector<std::vector<Fraction>>;

/// F(m, r): m results of a filter of r taps by m + r - 1 products in place of m r. Of the window d
/// and the taps g,
///
///   y[i] = sum over k of g[k] d[i + k]     is     y = output ((filter g) * (input d)),
///
/// the product in the middle element by element.
///
/// Source: Winograd, Arithmetic Complexity of Computations, 1980; the points 0, 1, -1, 2, -2, 1/2,
/// -1/2 and infinity are those of Lavin and Gray, Fast Algorithms for Convolutional Neural
/// Networks, 2016, whose matrices for F(4, 3) these are.
struct MinimalFiltering {
  int outputs = 0;        ///< m
  int taps = 0;           ///< r
  FractionMatrix input;   ///< B^T, n x n, n = m + r - 1
  FractionMatrix filter;  ///< G, n x r
  FractionMatrix output;  ///< A^T, m x n

  int points() const { return outputs + taps - 1; }
  /// How much larger than a sum of the same terms the rounding errors of a result may be, in two
  /// dimensions: the largest row sum of |A^T| (|G| 1) (|B^T| 1), squared.
  double amplification() const;
};

/// Requires 1 <= outputs, 1 <= taps and at most eight points. Throws InternalError when the
/// matrices do not filter, which exact arithmetic tells.
MinimalFiltering minimal_filtering(int outputs, int taps);

/// The product of a matrix with a vector of floats, an expression per row: without products by 0
/// and 1, and what two rows have in common written alike.
std::vector<Expr> linear_forms(const FractionMatrix& matrix, const std::vector<Expr>& vector,
                               const SourceLoc& where);

}  // namespace solway::dsl
