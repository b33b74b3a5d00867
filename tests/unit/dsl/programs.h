#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dsl/tensor.h"

/// Small expressions for the tests of this folder.
namespace solway::dsl::testing {

inline SourceLoc line(int number) { return {"user.py", number, "the line"}; }

inline Axis spatial(const std::string& name, std::int64_t extent) {
  return make_axis(name, AxisKind::Spatial, 0, extent, line(1));
}

inline Axis reduction(const std::string& name, std::int64_t extent) {
  return make_axis(name, AxisKind::Reduce, 0, extent, line(1));
}

inline Expr var(const Axis& axis) { return make_axis_ref(axis, line(2)); }
inline Expr lit(std::int64_t value) { return make_int(value, DType::Int64, true, line(2)); }
inline Expr lit(double value) { return make_float(value, DType::Float64, true, line(2)); }

inline Expr op(BinaryOp o, const Expr& a, const Expr& b) { return make_binary(o, a, b, line(3)); }
inline Expr add(const Expr& a, const Expr& b) { return op(BinaryOp::Add, a, b); }
inline Expr sub(const Expr& a, const Expr& b) { return op(BinaryOp::Sub, a, b); }
inline Expr mul(const Expr& a, const Expr& b) { return op(BinaryOp::Mul, a, b); }

inline Tensor input(const std::string& name, std::vector<std::int64_t> shape,
                    DType type = DType::Float32) {
  return make_placeholder(std::move(shape), type, name, line(4));
}

inline Expr read(const Tensor& tensor, std::vector<Expr> indices, int number = 5) {
  return make_read(tensor, std::move(indices), line(number));
}

/// An operand of that type: an element of an input.
inline Expr element(DType type) {
  return read(input("x", {8}, type), {make_int(0, DType::Int64, false, line(2))});
}

}  // namespace solway::dsl::testing
