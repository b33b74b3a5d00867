#pragma once

#include <cstdint>

#include "dsl/tensor.h"

#include "tests/support/sample_programs.h"

namespace solway::driver::testing {

/// S[x, y] = sum over k of A[x, k] * B[y, k]; R[x, y] = -S[x, y].
struct TurnedProduct {
  dsl::Tensor a, b, s, r;

  TurnedProduct(std::int64_t m, std::int64_t n, std::int64_t depth) {
    using samples::at;
    using samples::value_of;
    a = dsl::make_placeholder({m, depth}, DType::Float32, "A", at(1));
    b = dsl::make_placeholder({n, depth}, DType::Float32, "B", at(2));
    const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t end) {
      return dsl::make_axis(name, kind, 0, end, at(3));
    };
    const auto x = axis("x", dsl::AxisKind::Spatial, m);
    const auto y = axis("y", dsl::AxisKind::Spatial, n);
    const auto k = axis("k", dsl::AxisKind::Reduce, depth);
    const dsl::Expr term =
        dsl::make_binary(BinaryOp::Mul, dsl::make_read(a, {value_of(x), value_of(k)}, at(3)),
                         dsl::make_read(b, {value_of(y), value_of(k)}, at(3)), at(3));
    s = dsl::make_compute({m, n}, {x, y}, dsl::make_reduce(ReduceOp::Sum, term, {k}, at(3)), "S",
                          at(3));
    const auto i = axis("i", dsl::AxisKind::Spatial, m);
    const auto j = axis("j", dsl::AxisKind::Spatial, n);
    const dsl::Expr sum = dsl::make_read(s, {value_of(i), value_of(j)}, at(4));
    r = dsl::make_compute({m, n}, {i, j}, dsl::make_unary(UnaryOp::Neg, sum, at(4)), "R", at(4));
  }
};

}  // namespace solway::driver::testing
