#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "driver/frontend/location.h"
#include "dsl/expr.h"

namespace solway {

/// An index variable; compares by identity.
class Axis {
 public:
  explicit Axis(dsl::Axis node) : node_(std::move(node)) {}
  const dsl::Axis& node() const { return node_; }
  const std::string& name() const { return node_->name; }
  std::int64_t extent() const { return node_->extent(); }
  bool is_same(const Axis& other) const { return node_ == other.node_; }

 private:
  dsl::Axis node_;
};

/// A scalar expression of index variables and tensor elements. C++'s operators build expressions;
/// types promote as in NumPy 2, where C++ literals of type int and double take the type of the
/// other operand. Numbers and axes convert where they are used, and remember that line.
class Expr {
 public:
  // Conversions are implicit, so that formulas read as formulas.
  template <std::integral Number>
  Expr(Number value, Line line = Line::current());  // NOLINT(google-explicit-constructor)
  template <std::floating_point Number>
  Expr(Number value, Line line = Line::current());      // NOLINT(google-explicit-constructor)
  Expr(const Axis& axis, Line line = Line::current());  // NOLINT(google-explicit-constructor)
  explicit Expr(dsl::Expr node) : node_(std::move(node)) {}

  const dsl::Expr& node() const { return node_; }
  DType dtype() const { return node_->type; }
  /// This value converted, as NumPy converts.
  Expr astype(DType type, Line line = Line::current()) const;

 private:
  dsl::Expr node_;
};

namespace detail {

/// Literals: weak ones take the other operand's type.
dsl::Expr literal(bool value, const Line& line);
dsl::Expr literal(std::int64_t value, DType type, bool weak, const Line& line);
dsl::Expr literal(double value, DType type, bool weak, const Line& line);

template <std::integral Number>
dsl::Expr literal_of(Number value, const Line& line) {
  if constexpr (std::same_as<Number, bool>) {
    return literal(value, line);
  } else {
    constexpr bool kWeak = std::same_as<Number, int>;
    constexpr DType kType = sizeof(Number) == 1   ? DType::Int8
                            : sizeof(Number) == 4 ? DType::Int32
                                                  : DType::Int64;
    return literal(static_cast<std::int64_t>(value), kWeak ? DType::Int64 : kType, kWeak, line);
  }
}

}  // namespace detail

template <std::integral Number>
Expr::Expr(Number value, Line line) : node_(detail::literal_of(value, line)) {}

template <std::floating_point Number>
Expr::Expr(Number value, Line line)
    : node_(detail::literal(static_cast<double>(value),
                            std::same_as<Number, float> ? DType::Float32 : DType::Float64,
                            std::same_as<Number, double>, line)) {}

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
/// True division, also of integers.
Expr operator/(const Expr& a, const Expr& b);
/// The remainder that has the sign of `b`.
Expr operator%(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr operator<(const Expr& a, const Expr& b);
Expr operator<=(const Expr& a, const Expr& b);
Expr operator>(const Expr& a, const Expr& b);
Expr operator>=(const Expr& a, const Expr& b);
Expr operator==(const Expr& a, const Expr& b);
Expr operator!=(const Expr& a, const Expr& b);
Expr operator&&(const Expr& a, const Expr& b);
Expr operator||(const Expr& a, const Expr& b);
Expr operator!(const Expr& a);
/// Of integers and conditions.
Expr operator&(const Expr& a, const Expr& b);
Expr operator|(const Expr& a, const Expr& b);
Expr operator^(const Expr& a, const Expr& b);
Expr operator~(const Expr& a);
/// Of integers; by more bits than there are: 0, or -1 of a negative number to the right.
Expr operator<<(const Expr& a, const Expr& b);
Expr operator>>(const Expr& a, const Expr& b);

}  // namespace solway
