#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dsl/expr.h"

#include "tests/support/sample_programs.h"

namespace solway::driver::testing {

inline dsl::Expr read(const dsl::Tensor& t, const std::vector<dsl::Axis>& axes) {
  std::vector<dsl::Expr> indices;
  for (const dsl::Axis& axis : axes) indices.push_back(samples::value_of(axis));
  return dsl::make_read(t, std::move(indices), samples::at(2));
}

/// M[i] = max_k X[i, k]; Y[i, j] = X[i, j] - M[i].
struct Rows {
  dsl::Tensor x, m, y;

  explicit Rows(std::int64_t rows = 8, std::int64_t columns = 32) {
    const auto axis = [](const char* name, dsl::AxisKind kind, std::int64_t extent, int line) {
      return dsl::make_axis(name, kind, 0, extent, samples::at(line));
    };
    x = dsl::make_placeholder({rows, columns}, DType::Float32, "X", samples::at(1));
    const dsl::Axis i = axis("i", dsl::AxisKind::Spatial, rows, 2);
    const dsl::Axis k = axis("k", dsl::AxisKind::Reduce, columns, 2);
    m = dsl::make_compute({rows}, {i},
                          dsl::make_reduce(ReduceOp::Max, read(x, {i, k}), {k}, samples::at(2)),
                          "M", samples::at(2));
    const dsl::Axis r = axis("i", dsl::AxisKind::Spatial, rows, 3);
    const dsl::Axis j = axis("j", dsl::AxisKind::Spatial, columns, 3);
    y = dsl::make_compute(
        {rows, columns}, {r, j},
        dsl::make_binary(BinaryOp::Sub, read(x, {r, j}), read(m, {r}), samples::at(3)), "Y",
        samples::at(3));
  }
};

}  // namespace solway::driver::testing
