#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "driver/frontend/expr.h"
#include "driver/frontend/tensor.h"

namespace solway {
namespace detail {

using Index = std::function<std::vector<Expr>(const std::vector<Axis>&)>;
using SelfBody = std::function<Expr(const Tensor&, const std::vector<Axis>&)>;

Tensor recurrence(const Shape& shape, const std::vector<std::string>& names, DType dtype,
                  const SelfBody& body, const Body& where, std::string name, const Line& line);
Tensor update(const Tensor& tensor, const Shape& box, const std::vector<std::string>& names,
              const Index& index, const Body& value, const Body& where, std::string name,
              const Line& line);

inline std::vector<Expr> indices(Expr index) { return {std::move(index)}; }
inline std::vector<Expr> indices(std::vector<Expr> index) { return index; }

template <typename Function, std::size_t... kIndex>
Expr call_with_self(const Function& function, const Tensor& self, const std::vector<Axis>& axes,
                    std::index_sequence<kIndex...> /*indices*/) {
  return function(self, axes[kIndex]...);
}

template <typename Function, std::size_t... kIndex>
std::vector<Expr> call_index(const Function& function, const std::vector<Axis>& axes,
                             std::index_sequence<kIndex...> /*indices*/) {
  return indices(function(axes[kIndex]...));
}

template <std::size_t kRank, typename Function>
auto self_body_of(const Function& function) {
  return [&function](const Tensor& self, const std::vector<Axis>& axes) {
    return call_with_self(function, self, axes, std::make_index_sequence<kRank>());
  };
}

template <std::size_t kRank, typename Function>
auto index_of(const Function& function) {
  return [&function](const std::vector<Axis>& axes) {
    return call_index(function, axes, std::make_index_sequence<kRank>());
  };
}

}  // namespace detail

/// A tensor whose elements are computed in lexicographic order, each from earlier ones, which
/// `function` reads of its first parameter:
///
///   Tensor S = recurrence({8}, {"i"}, DType::Float32, [&](const Tensor& S, Axis i) {
///     return A[i] + select(i > 0, S[i - 1], 0);
///   }, "S");
///
/// Throws DslError for a read of an element that does not come earlier, with one index.
template <std::size_t kRank, typename Function>
Tensor recurrence(const Shape& shape, const char* const (&axes)[kRank], DType dtype,
                  const Function& function, const std::string& name, Line line = Line::current()) {
  return detail::recurrence(shape, {axes, axes + kRank}, dtype,
                            detail::self_body_of<kRank>(function), nullptr, name, line);
}

/// The same where an affine condition on the axes holds.
template <std::size_t kRank, typename Function, typename Where>
Tensor recurrence(const Shape& shape, const char* const (&axes)[kRank], DType dtype,
                  const Function& function, const Where& where, const std::string& name,
                  Line line = Line::current()) {
  return detail::recurrence(shape, {axes, axes + kRank}, dtype,
                            detail::self_body_of<kRank>(function), detail::body_of<kRank>(where),
                            name, line);
}

/// The contents of `tensor` after a box of steps in lexicographic order, each storing `value` at
/// `index` (an Expr, or a std::vector<Expr> of one per dimension). It shares the memory of
/// `tensor`, which nothing that is defined later may read.
template <std::size_t kRank, typename IndexFunction, typename Value>
Tensor update(const Tensor& tensor, const Shape& box, const char* const (&axes)[kRank],
              const IndexFunction& index, const Value& value, const std::string& name,
              Line line = Line::current()) {
  return detail::update(tensor, box, {axes, axes + kRank}, detail::index_of<kRank>(index),
                        detail::body_of<kRank>(value), nullptr, name, line);
}

/// The same, of the steps where an affine condition on the axes holds.
template <std::size_t kRank, typename IndexFunction, typename Value, typename Where>
Tensor update(const Tensor& tensor, const Shape& box, const char* const (&axes)[kRank],
              const IndexFunction& index, const Value& value, const Where& where,
              const std::string& name, Line line = Line::current()) {
  return detail::update(tensor, box, {axes, axes + kRank}, detail::index_of<kRank>(index),
                        detail::body_of<kRank>(value), detail::body_of<kRank>(where), name, line);
}

}  // namespace solway
