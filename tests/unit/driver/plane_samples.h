#pragma once

#include <cstdint>

#include "dsl/tensor.h"

#include "tests/support/sample_programs.h"

namespace solway::driver::testing {

/// C[f, y, x, v] = sum over co, r, q, ci of X[co, y + r, x + q, ci] W[f, co, r, q, ci, v]: channels
/// and filters in blocks of 16.
inline dsl::Tensor blocked_convolution(std::int64_t channels, std::int64_t filters,
                                       std::int64_t size) {
  using namespace dsl;  // NOLINT(google-build-using-namespace): one expression
  const SourceLoc where = samples::at(1);
  const auto axis = [&](const char* name, AxisKind kind, std::int64_t extent) {
    return make_axis(name, kind, 0, extent, where);
  };
  const auto var = [&](const Axis& a) { return make_axis_ref(a, where); };
  const auto sum = [&](const Axis& a, const Axis& b) {
    return make_binary(BinaryOp::Add, var(a), var(b), where);
  };
  const Tensor image =
      make_placeholder({channels / 16, size + 2, size + 2, 16}, DType::Float32, "X", where);
  const Tensor weights =
      make_placeholder({filters / 16, channels / 16, 3, 3, 16, 16}, DType::Float32, "W", where);
  const Axis f = axis("f", AxisKind::Spatial, filters / 16), y = axis("y", AxisKind::Spatial, size);
  const Axis x = axis("x", AxisKind::Spatial, size), v = axis("v", AxisKind::Spatial, 16);
  const Axis co = axis("co", AxisKind::Reduce, channels / 16), r = axis("r", AxisKind::Reduce, 3);
  const Axis q = axis("q", AxisKind::Reduce, 3), ci = axis("ci", AxisKind::Reduce, 16);
  const Expr product = make_binary(
      BinaryOp::Mul, make_read(image, {var(co), sum(y, r), sum(x, q), var(ci)}, where),
      make_read(weights, {var(f), var(co), var(r), var(q), var(ci), var(v)}, where), where);
  return make_compute({filters / 16, size, size, 16}, {f, y, x, v},
                      make_reduce(ReduceOp::Sum, product, {co, r, q, ci}, where), "C", where);
}

}  // namespace solway::driver::testing
