#pragma once

#include <string>
#include <vector>

#include "dsl/tensor.h"

/// Small tensor programs that tests schedule.
namespace solway::samples {

inline SourceLoc at(int line) { return {"user.py", line, "line " + std::to_string(line)}; }

inline dsl::Expr value_of(const dsl::Axis& axis) { return dsl::make_axis_ref(axis, axis->where); }

/// C[x, y] = sum over k of A[x, k] * B[k, y], with axes named x, y, k.
struct Matmul {
  dsl::Tensor a, b, c;
  dsl::Axis x, y, k;

  Matmul(std::int64_t m, std::int64_t n, std::int64_t depth, DType type = DType::Float32) {
    a = dsl::make_placeholder({m, depth}, type, "A", at(1));
    b = dsl::make_placeholder({depth, n}, type, "B", at(2));
    x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, m, at(4));
    y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, n, at(4));
    k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, depth, at(3));
    const dsl::Expr product =
        dsl::make_binary(BinaryOp::Mul, dsl::make_read(a, {value_of(x), value_of(k)}, at(4)),
                         dsl::make_read(b, {value_of(k), value_of(y)}, at(4)), at(4));
    c = dsl::make_compute({m, n}, {x, y}, dsl::make_reduce(ReduceOp::Sum, product, {k}, at(4)), "C",
                          at(4));
  }
};

/// D[x, y] = (sum over k of A[x, k] * B[k, y]) + A[x, 0], axes as in Matmul.
struct NestedMatmul : Matmul {
  dsl::Tensor d;

  NestedMatmul(std::int64_t m, std::int64_t n, std::int64_t depth) : Matmul(m, n, depth) {
    const dsl::Expr zero = dsl::make_int(0, DType::Int64, true, at(5));
    const dsl::Expr first = dsl::make_read(a, {value_of(x), zero}, at(5));
    const dsl::Expr sum = dsl::make_binary(BinaryOp::Add, c->body, first, at(5));
    d = dsl::make_compute({m, n}, {x, y}, sum, "D", at(5));
  }
};

/// P[i] = A[i] + A[i + 1]; C[i] = P[i] * P[i + 1].
struct Pipeline {
  dsl::Tensor a, p, c;
  dsl::Axis pi, ci;

  explicit Pipeline(std::int64_t n, DType type = DType::Float32) {
    const auto one = dsl::make_int(1, DType::Int64, true, at(2));
    a = dsl::make_placeholder({n + 2}, type, "A", at(1));
    pi = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n + 1, at(2));
    ci = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, at(3));
    const auto next = [&](const dsl::Axis& i) {
      return dsl::make_binary(BinaryOp::Add, value_of(i), one, at(2));
    };
    p = dsl::make_compute({n + 1}, {pi},
                          dsl::make_binary(BinaryOp::Add, dsl::make_read(a, {value_of(pi)}, at(2)),
                                           dsl::make_read(a, {next(pi)}, at(2)), at(2)),
                          "P", at(2));
    c = dsl::make_compute({n}, {ci},
                          dsl::make_binary(BinaryOp::Mul, dsl::make_read(p, {value_of(ci)}, at(3)),
                                           dsl::make_read(p, {next(ci)}, at(3)), at(3)),
                          "C", at(3));
  }
};

/// P[i] = A[i - 1] where 1 <= i <= n, else 0; C[i] = P[i] * P[i + 2].
struct Padded {
  dsl::Tensor a, p, c;
  dsl::Axis pi, ci;

  explicit Padded(std::int64_t n) {
    const auto number = [](std::int64_t value) {
      return dsl::make_int(value, DType::Int64, true, at(2));
    };
    const auto moved = [&](const dsl::Axis& i, std::int64_t by) {
      return dsl::make_binary(BinaryOp::Add, value_of(i), number(by), at(2));
    };
    a = dsl::make_placeholder({n}, DType::Float32, "A", at(1));
    pi = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n + 2, at(2));
    ci = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, at(3));
    const dsl::Expr inside = dsl::make_binary(
        BinaryOp::And, dsl::make_binary(BinaryOp::Ge, value_of(pi), number(1), at(2)),
        dsl::make_binary(BinaryOp::Le, value_of(pi), number(n), at(2)), at(2));
    const dsl::Expr copied = dsl::make_read(a, {moved(pi, -1)}, at(2));
    const dsl::Expr zero = dsl::make_float(0, DType::Float32, true, at(2));
    p = dsl::make_compute({n + 2}, {pi}, dsl::make_select(inside, copied, zero, at(2)), "P", at(2));
    c = dsl::make_compute({n}, {ci},
                          dsl::make_binary(BinaryOp::Mul, dsl::make_read(p, {value_of(ci)}, at(3)),
                                           dsl::make_read(p, {moved(ci, 2)}, at(3)), at(3)),
                          "C", at(3));
  }
};

/// A vector of floats: the one before, plus 1.
inline dsl::Tensor plus_one(const dsl::Tensor& before, const std::string& name, int line) {
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, before->shape[0], at(line));
  const dsl::Expr one = dsl::make_float(1, DType::Float32, false, at(line));
  return dsl::make_compute(
      before->shape, {i},
      dsl::make_binary(BinaryOp::Add, dsl::make_read(before, {value_of(i)}, at(line)), one,
                       at(line)),
      name, at(line));
}

}  // namespace solway::samples
