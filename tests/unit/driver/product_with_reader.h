#pragma once

#include <functional>

#include "schedule/state.h"

#include "tests/support/sample_programs.h"

namespace solway::driver::testing {

/// Names an element of the product, each call anew.
using Element = std::function<dsl::Expr()>;

inline dsl::Expr negative(const Element& element) {
  return dsl::make_unary(UnaryOp::Neg, element(), samples::at(5));
}

/// D[x, y] = value(C[x, y]) of a product C of m x depth and depth x n.
struct ProductWithReader : samples::Matmul {
  dsl::Tensor d;
  schedule::State state;

  ProductWithReader(std::int64_t m, std::int64_t n, std::int64_t depth,
                    const std::function<dsl::Expr(const Element&)>& value = negative)
      : Matmul(m, n, depth) {
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, m, samples::at(5));
    const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, n, samples::at(5));
    const auto element = [&] {
      return dsl::make_read(c, {samples::value_of(i), samples::value_of(j)}, samples::at(5));
    };
    d = dsl::make_compute({m, n}, {i, j}, value(element), "D", samples::at(5));
    state = schedule::make_state({d}, {});
  }
};

}  // namespace solway::driver::testing
