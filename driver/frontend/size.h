#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "driver/frontend/expr.h"
#include "dsl/size.h"

namespace solway {

/// A number that is known when the kernel runs, with stated bounds: an expression, which may stand
/// in shapes, in the ranges of reduction axes and in formulas.
///
///   Size n = size("n", 1, 4096);
///   Tensor A = placeholder({n, 8}, DType::Float32, "A");
///   Tensor B = compute({n + 1, 8}, {"i", "j"},
///                      [&](Axis i, Axis j) { return A[{minimum(i, n - 1), j}]; }, "B");
class Size : public Expr {
 public:
  Size(dsl::Size size, const Line& line)
      : Expr(dsl::make_size_ref(size, to_source_loc(line))), size_(std::move(size)) {}

  const std::string& name() const { return size_->name; }
  std::int64_t min() const { return size_->min; }
  /// What buffers and temporaries are sized by.
  std::int64_t max() const { return size_->max; }

 private:
  dsl::Size size_;
};

/// Throws DslError for a name that is no identifier, min below 0 or max below min.
Size size(std::string name, std::int64_t min, std::int64_t max, Line line = Line::current());

/// One extent of a shape, or an end of an axis: a number, or an affine expression of sizes.
class Extent {
 public:
  // Conversions are implicit, so that shapes are lists of numbers and sizes.
  // NOLINTBEGIN(google-explicit-constructor)
  template <std::integral Number>
  Extent(Number value) : node_(static_cast<std::int64_t>(value)) {}
  /// Throws UnsupportedError when it is not affine in sizes, as products of sizes are not.
  Extent(const Expr& value, Line line = Line::current());
  Extent(dsl::Extent node) : node_(std::move(node)) {}
  // NOLINTEND(google-explicit-constructor)

  const dsl::Extent& node() const { return node_; }
  bool is_constant() const { return node_.is_constant(); }
  std::int64_t min() const { return node_.min; }
  std::int64_t max() const { return node_.max; }

 private:
  dsl::Extent node_;
};

/// Whether both are the same number, or the same expression.
bool operator==(const Extent& a, const Extent& b);
/// "n + 2", "8"
std::ostream& operator<<(std::ostream& out, const Extent& extent);

/// The extents of a tensor. Lists of numbers and sizes convert.
class Shape : public std::vector<Extent> {
 public:
  using std::vector<Extent>::vector;
  Shape(const std::vector<std::int64_t>& extents)  // NOLINT(google-explicit-constructor)
      : std::vector<Extent>(extents.begin(), extents.end()) {}
};

/// The same for the layers below.
dsl::Extents nodes_of(const Shape& shape);

}  // namespace solway
