#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/frontend/array_ref.h"
#include "driver/frontend/expr.h"
#include "dsl/tensor.h"

namespace solway {

using Shape = std::vector<std::int64_t>;

/// A placeholder or a computed tensor; a shared handle.
class Tensor {
 public:
  explicit Tensor(dsl::Tensor node) : node_(std::move(node)) {}

  const dsl::Tensor& node() const { return node_; }
  const std::string& name() const { return node_->name; }
  const Shape& shape() const { return node_->shape; }
  DType dtype() const { return node_->type; }
  /// One per dimension of a computed tensor.
  std::vector<Axis> axis() const;
  /// Those of all reductions of the body, in order of appearance.
  std::vector<Axis> reduce_axis() const;

  /// One element: A[i], A[{i, k}]. Throws DslError for another number of indices.
  Expr operator[](const Expr& index) const;
  Expr operator[](std::initializer_list<Expr> indices) const;

 private:
  dsl::Tensor node_;
};

/// A tensor that the caller of the kernel gives.
Tensor placeholder(const Shape& shape, DType dtype, std::string name, Line line = Line::current());

/// A tensor whose values, row-major, are known when building; the kernel brings them with it.
/// Throws DslError for another number of values than the shape has.
Tensor constant(const Shape& shape, const ArrayRef& values, std::string name,
                Line line = Line::current());

/// An index variable for reductions over begin <= value < end.
Axis reduce_axis(std::int64_t begin, std::int64_t end, std::string name,
                 Line line = Line::current());

namespace detail {

using Body = std::function<Expr(const std::vector<Axis>&)>;
Tensor compute(const Shape& shape, const std::vector<std::string>& names, const Body& body,
               std::string name, const Line& line);

template <typename Function, std::size_t... kIndex>
Expr call(const Function& function, const std::vector<Axis>& axes,
          std::index_sequence<kIndex...> /*indices*/) {
  return function(axes[kIndex]...);
}

}  // namespace detail

/// A tensor whose element at each index is `function` of that index: one parameter of type Axis per
/// dimension, which gets the name at its place in `axes`.
///
///   Tensor C = compute({M, N}, {"i", "j"},
///                      [&](Axis i, Axis j) { return sum(A[{i, k}] * B[{k, j}], {k}); }, "C");
///
/// Throws DslError for a read outside a tensor, with one index that goes out.
template <std::size_t kRank, typename Function>
Tensor compute(const Shape& shape, const char* const (&axes)[kRank], const Function& function,
               const std::string& name, Line line = Line::current()) {
  const auto body = [&](const std::vector<Axis>& values) {
    return detail::call(function, values, std::make_index_sequence<kRank>());
  };
  return detail::compute(shape, {axes, axes + kRank}, body, name, line);
}

/// A tensor of no dimensions.
Tensor compute(const Expr& value, std::string name, Line line = Line::current());

}  // namespace solway
