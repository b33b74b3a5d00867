#pragma once

#include "schedule/state.h"

#include "tests/support/sample_programs.h"

namespace solway::driver::testing {

/// D[x, y] = -C[x, y] of a product C of m x depth and depth x n.
struct ProductWithReader : samples::Matmul {
  dsl::Tensor d;
  schedule::State state;

  ProductWithReader(std::int64_t m, std::int64_t n, std::int64_t depth) : Matmul(m, n, depth) {
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, m, samples::at(5));
    const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, n, samples::at(5));
    const dsl::Expr value =
        dsl::make_read(c, {samples::value_of(i), samples::value_of(j)}, samples::at(5));
    d = dsl::make_compute({m, n}, {i, j}, dsl::make_unary(UnaryOp::Neg, value, samples::at(5)), "D",
                          samples::at(5));
    state = schedule::make_state({d}, {});
  }
};

}  // namespace solway::driver::testing
