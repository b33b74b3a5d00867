#pragma once

#include "tests/support/sample_programs.h"

namespace solway::samples {

/// S[f, x] = sum over c of A[f / group * group + c, x] * W[f, c]; f, x, c.
struct GroupedSums {
  dsl::Tensor a, w, s;
  dsl::Axis f, x, c;

  GroupedSums(std::int64_t filters, std::int64_t columns, std::int64_t group) {
    const auto constant = [](std::int64_t value) {
      return dsl::make_int(value, DType::Int64, true, at(2));
    };
    const auto binary = [](BinaryOp op, const dsl::Expr& left, const dsl::Expr& right) {
      return dsl::make_binary(op, left, right, at(2));
    };
    const std::int64_t channels = (filters + group - 1) / group * group;
    a = dsl::make_placeholder({channels, columns}, DType::Float32, "A", at(1));
    w = dsl::make_placeholder({filters, group}, DType::Float32, "W", at(1));
    f = dsl::make_axis("f", dsl::AxisKind::Spatial, 0, filters, at(2));
    x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, columns, at(2));
    c = dsl::make_axis("c", dsl::AxisKind::Reduce, 0, group, at(2));
    const dsl::Expr block = binary(BinaryOp::FloorDiv, value_of(f), constant(group));
    const dsl::Expr channel =
        binary(BinaryOp::Add, binary(BinaryOp::Mul, block, constant(group)), value_of(c));
    const dsl::Expr product =
        binary(BinaryOp::Mul, dsl::make_read(a, {channel, value_of(x)}, at(2)),
               dsl::make_read(w, {value_of(f), value_of(c)}, at(2)));
    s = dsl::make_compute({filters, columns}, {f, x},
                          dsl::make_reduce(ReduceOp::Sum, product, {c}, at(2)), "S", at(2));
  }
};

}  // namespace solway::samples
