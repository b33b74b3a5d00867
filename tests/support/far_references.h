#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/support/sample_programs.h"

/// Programs with several references to one tensor.
namespace solway::samples {

/// Y[i] = X[i + d0] + X[i + d1] + ..., for 0 <= i < n.
inline dsl::Tensor sum_of_points(std::int64_t n, const std::vector<std::int64_t>& distances) {
  std::int64_t most = 0;
  for (const std::int64_t d : distances) most = std::max(most, d);
  const dsl::Tensor x = dsl::make_placeholder({n + most}, DType::Float32, "X", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, at(2));
  dsl::Expr sum;
  for (const std::int64_t d : distances) {
    const dsl::Expr index =
        d == 0 ? value_of(i)
               : dsl::make_binary(BinaryOp::Add, value_of(i),
                                  dsl::make_int(d, DType::Int64, true, at(2)), at(2));
    const dsl::Expr read = dsl::make_read(x, {index}, at(2));
    sum = sum == nullptr ? read : dsl::make_binary(BinaryOp::Add, sum, read, at(2));
  }
  return dsl::make_compute({n}, {i}, sum, "Y", at(2));
}

/// Y[i, j] = X[i, j] + X[j, i], of n x n.
inline dsl::Tensor with_its_mirror_image(std::int64_t n) {
  const dsl::Tensor x = dsl::make_placeholder({n, n}, DType::Float32, "X", at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, n, at(2));
  const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, n, at(2));
  const dsl::Expr sum =
      dsl::make_binary(BinaryOp::Add, dsl::make_read(x, {value_of(i), value_of(j)}, at(2)),
                       dsl::make_read(x, {value_of(j), value_of(i)}, at(2)), at(2));
  return dsl::make_compute({n, n}, {i, j}, sum, "Y", at(2));
}

}  // namespace solway::samples
