#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/frontend/array_ref.h"
#include "driver/frontend/expr.h"
#include "driver/frontend/size.h"
#include "dsl/tensor.h"

namespace solway {

/// A placeholder or a computed tensor; a shared handle.
class Tensor {
 public:
  explicit Tensor(dsl::Tensor node) : node_(std::move(node)) {}

  const dsl::Tensor& node() const { return node_; }
  const std::string& name() const { return node_->name; }
  Shape shape() const;
  DType dtype() const { return node_->type; }
  /// One per dimension of a computed tensor.
  std::vector<Axis> axis() const;
  /// Those of all reductions of the body, in order of appearance.
  std::vector<Axis> reduce_axis() const;
  /// The tensors that are computed together with it, in order; itself when it stands alone.
  std::vector<Tensor> members() const;

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
Tensor constant(const std::vector<std::int64_t>& shape, const ArrayRef& values, std::string name,
                Line line = Line::current());

/// An index variable for reductions over begin <= value < end.
Axis reduce_axis(const Extent& begin, const Extent& end, std::string name,
                 Line line = Line::current());

namespace detail {

using Body = std::function<Expr(const std::vector<Axis>&)>;
using Bodies = std::function<std::vector<Expr>(const std::vector<Axis>&)>;

/// The spatial axes of a stage. Throws DslError for another number of names.
std::vector<Axis> axes_of(const Shape& extents, const std::vector<std::string>& names,
                          const std::string& stage, const SourceLoc& where);
/// What the axes stand for in expressions.
std::vector<dsl::Axis> nodes_of(const std::vector<Axis>& axes);

/// `where` may be null: everywhere.
Tensor compute(const Shape& shape, const std::vector<std::string>& names, const Body& body,
               const Body& where, std::string name, const Line& line);
std::vector<Tensor> computes(const Shape& shape, const std::vector<std::string>& names,
                             const Bodies& bodies, const Body& where, const std::string& name,
                             const Line& line);

template <typename Function, std::size_t... kIndex>
auto call(const Function& function, const std::vector<Axis>& axes,
          std::index_sequence<kIndex...> /*indices*/) {
  return function(axes[kIndex]...);
}

/// `function` of one Axis per dimension, as a function of all.
template <std::size_t kRank, typename Function>
auto body_of(const Function& function) {
  return [&function](const std::vector<Axis>& axes) {
    return call(function, axes, std::make_index_sequence<kRank>());
  };
}

/// A tensor of one expression, or the tensors of several.
template <std::size_t kRank, typename Function>
auto compute_any(const Shape& shape, const char* const (&axes)[kRank], const Function& function,
                 const Body& where, const std::string& name, const Line& line) {
  const auto body = body_of<kRank>(function);
  using Value = decltype(body(std::vector<Axis>()));
  if constexpr (std::is_convertible_v<Value, Expr>) {
    return compute(shape, {axes, axes + kRank}, body, where, name, line);
  } else {
    return computes(shape, {axes, axes + kRank}, body, where, name, line);
  }
}

}  // namespace detail

/// A tensor whose element at each index is `function` of that index: one parameter of type Axis per
/// dimension, which gets the name at its place in `axes`.
///
///   Tensor C = compute({M, N}, {"i", "j"},
///                      [&](Axis i, Axis j) { return sum(A[{i, k}] * B[{k, j}], {k}); }, "C");
///
/// A function that returns std::vector<Expr> makes as many tensors, named name_0, name_1, ..., in
/// one stage: a std::vector<Tensor>.
/// Throws DslError for a read outside a tensor, with one index that goes out.
template <std::size_t kRank, typename Function>
auto compute(const Shape& shape, const char* const (&axes)[kRank], const Function& function,
             const std::string& name, Line line = Line::current()) {
  return detail::compute_any(shape, axes, function, nullptr, name, line);
}

/// A tensor that is computed where an affine condition on its axes holds, and keeps what its memory
/// held elsewhere.
template <std::size_t kRank, typename Function, typename Where>
auto compute(const Shape& shape, const char* const (&axes)[kRank], const Function& function,
             const Where& where, const std::string& name, Line line = Line::current()) {
  return detail::compute_any(shape, axes, function, detail::body_of<kRank>(where), name, line);
}

/// A tensor of no dimensions.
Tensor compute(const Expr& value, std::string name, Line line = Line::current());

}  // namespace solway
