#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "driver/frontend/expr.h"

namespace solway {

/// What a reduction with a combine function of one's own is called, and whether its terms may be
/// combined in any order; otherwise they keep their order.
struct ReducerOptions {
  bool commutative = true;
  std::string name = "reducer";
};

/// A reduction with a combine function of one's own. Made by reducer().
class Reducer {
 public:
  using Combine =
      std::function<std::vector<Expr>(const std::vector<Expr>& a, const std::vector<Expr>& b)>;

  Reducer(Combine combine, std::vector<Expr> identity, ReducerOptions options)
      : combine_(std::move(combine)),
        identity_(std::move(identity)),
        options_(std::move(options)) {}

  /// Combines `x` over all values of the axes, beginning with the identity. Throws DslError for
  /// another number of terms than the identity has, or a combine function of more than its
  /// parameters.
  Expr operator()(const Expr& x, const std::vector<Axis>& axis, Line line = Line::current()) const;
  /// The same of several terms; a combined value for each.
  std::vector<Expr> operator()(const std::vector<Expr>& x, const std::vector<Axis>& axis,
                               Line line = Line::current()) const;

 private:
  Combine combine_;
  std::vector<Expr> identity_;
  ReducerOptions options_;
};

/// A reduction that combines several values at once: `combine` takes what is accumulated and one
/// term, and gives their combination, made of these alone; it must be associative. `identity`
/// leaves every other values unchanged. Throws DslError for the name of another reduction.
Reducer reducer(Reducer::Combine combine, std::vector<Expr> identity, ReducerOptions options = {},
                Line line = Line::current());

/// The same of one value.
///
///   const Reducer largest = reducer([](Expr a, Expr b) { return maximum(a, b); }, 0);
///   Tensor B = compute({4}, {"i"}, [&](Axis i) { return largest(A[{i, k}], {k}); }, "B");
template <typename Combine>
requires std::is_invocable_r_v<Expr, Combine, Expr, Expr> Reducer
reducer(const Combine& combine, const Expr& identity, ReducerOptions options = {},
        Line line = Line::current()) {
  const auto all = [combine](const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::vector<Expr>{combine(a[0], b[0])};
  };
  return reducer(Reducer::Combine(all), std::vector<Expr>{identity}, std::move(options), line);
}

}  // namespace solway
