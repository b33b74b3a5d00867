#pragma once

#include <string>
#include <utility>
#include <vector>

#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_stage.h"
#include "support/target.h"

#include "tests/support/sample_programs.h"

/// Stages as planners of vector CPUs see them.
namespace solway::memory_planner::testing {

/// 16 lanes of float32, 32 registers, 1 MB of second-level cache.
inline Target vector_machine() {
  return parse_target(R"(
name = "wide"
description = "a CPU"
dialect = "host"
llvm_cpu = "x86-64-v4"
default_scope = "panel"
[cores]
count = 1
mesh_rows = 0
mesh_columns = 0
clock_mhz = 0
icache_bytes = 32768
[[memories]]
name = "main"
kind = "main"
size_bytes = 0
alignment_bytes = 64
shared_by = "all"
[[memories]]
name = "panel"
kind = "cache"
size_bytes = 1048576
alignment_bytes = 64
shared_by = "core"
[[memories]]
name = "register"
kind = "register"
size_bytes = 2048
alignment_bytes = 64
shared_by = "core"
[vector]
register_bits = 512
registers = 32
fma_latency_cycles = 4
load_latency_cycles = 7
[vector.lanes]
float64 = 8
float32 = 16
int64 = 8
int32 = 16
)",
                      "wide.toml", {});
}

/// The same with 8 lanes of float32 and 16 registers.
inline Target narrow_machine() {
  Target out = vector_machine();
  out.vector->register_bits = 256;
  out.vector->registers = 16;
  for (auto& [type, lanes] : out.vector->lanes) lanes /= 2;
  return out;
}

inline VectorStage product(std::int64_t m, std::int64_t n, std::int64_t depth) {
  const samples::Matmul matmul(m, n, depth);
  return describe_stage(schedule::make_state({matmul.c}, {}), "C", vector_machine());
}

/// C[f, p, v] = sum over co, ci of X[co, p, ci] * W[f, co, ci, v], a window of one pixel over
/// planes of 16 channels. Loops f, p, v, co, ci.
inline VectorStage pixels(std::int64_t planes, std::int64_t count, std::int64_t filters,
                          const Target& machine = vector_machine()) {
  const auto at = samples::at(4);
  const auto image = dsl::make_placeholder({planes, count, 16}, DType::Float32, "X", at);
  const auto weights = dsl::make_placeholder({filters, planes, 16, 16}, DType::Float32, "W", at);
  const auto f = dsl::make_axis("f", dsl::AxisKind::Spatial, 0, filters, at);
  const auto p = dsl::make_axis("p", dsl::AxisKind::Spatial, 0, count, at);
  const auto v = dsl::make_axis("v", dsl::AxisKind::Spatial, 0, 16, at);
  const auto co = dsl::make_axis("co", dsl::AxisKind::Reduce, 0, planes, at);
  const auto ci = dsl::make_axis("ci", dsl::AxisKind::Reduce, 0, 16, at);
  const auto value = [](const dsl::Axis& axis) { return samples::value_of(axis); };
  const auto of_image = dsl::make_read(image, {value(co), value(p), value(ci)}, at);
  const auto of_weights = dsl::make_read(weights, {value(f), value(co), value(ci), value(v)}, at);
  const auto term = dsl::make_binary(BinaryOp::Mul, of_image, of_weights, at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, term, {co, ci}, at);
  const auto c = dsl::make_compute({filters, count, 16}, {f, p, v}, sum, "C", at);
  return describe_stage(schedule::make_state({c}, {}), "C", machine);
}

/// D[y, x, v] = sum over r, q of X[y + r, x + q, v] * W[r, q, v], each of 16 channels by itself, in
/// windows of size x size. Loops y, x, v, r, q.
inline schedule::State each_channel(std::int64_t rows, std::int64_t columns, std::int64_t size) {
  const auto at = samples::at(4);
  const std::vector<std::int64_t> shape{rows + size - 1, columns + size - 1, 16};
  const auto image = dsl::make_placeholder(shape, DType::Float32, "X", at);
  const auto weights = dsl::make_placeholder({size, size, 16}, DType::Float32, "W", at);
  const auto y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, rows, at);
  const auto x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, columns, at);
  const auto v = dsl::make_axis("v", dsl::AxisKind::Spatial, 0, 16, at);
  const auto r = dsl::make_axis("r", dsl::AxisKind::Reduce, 0, size, at);
  const auto q = dsl::make_axis("q", dsl::AxisKind::Reduce, 0, size, at);
  const auto value = [](const dsl::Axis& axis) { return samples::value_of(axis); };
  const auto sum_of = [&](const dsl::Axis& a, const dsl::Axis& b) {
    return dsl::make_binary(BinaryOp::Add, value(a), value(b), at);
  };
  const auto of_image = dsl::make_read(image, {sum_of(y, r), sum_of(x, q), value(v)}, at);
  const auto of_weights = dsl::make_read(weights, {value(r), value(q), value(v)}, at);
  const auto term = dsl::make_binary(BinaryOp::Mul, of_image, of_weights, at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, term, {r, q}, at);
  return schedule::make_state({dsl::make_compute({rows, columns, 16}, {y, x, v}, sum, "D", at)},
                              {});
}

/// Tiles of 14 pixels and 2 blocks of filters.
inline VectorPlan tiles_of_pixels(std::vector<int> outer) {
  VectorPlan out;
  out.vector = 2;
  out.held = {2, 14, 1, 1, 1};
  out.written_out.assign(5, false);
  out.outer = std::move(outer);
  out.in_registers = true;
  return out;
}

/// The same with 64 lanes of bytes and an instruction for uint8 times int8.
inline Target vector_machine_with_dots() {
  Target out = vector_machine();
  out.vector->lanes[DType::Int8] = 64;
  out.vector->lanes[DType::UInt8] = 64;
  out.vector->dots = {{DType::UInt8, DType::Int8}};
  return out;
}

/// Types of a product whose terms lie side by side in groups.
struct Groups {
  DType a;
  DType b;
  DType wide;
  std::int64_t terms;
};
inline constexpr Groups kBytes{DType::UInt8, DType::Int8, DType::Int32, 4};
inline constexpr Groups kHalves{DType::BFloat16, DType::BFloat16, DType::Float32, 2};

/// C[x, y] = sum over k of int32(A[x, k]) * int32(B[k // 4, y, k % 4]), or of such halves.
inline schedule::State product_of(const Groups& groups, std::int64_t m, std::int64_t n,
                                  std::int64_t depth) {
  const auto at = samples::at(4);
  const std::int64_t terms = groups.terms;
  const auto a = dsl::make_placeholder({m, depth}, groups.a, "A", at);
  const auto b = dsl::make_placeholder({(depth + terms - 1) / terms, n, terms}, groups.b, "B", at);
  const auto x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, m, at);
  const auto y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, n, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, depth, at);
  const auto size = dsl::make_int(terms, DType::Int64, true, at);
  const auto group = dsl::make_binary(BinaryOp::FloorDiv, samples::value_of(k), size, at);
  const auto byte = dsl::make_binary(BinaryOp::Mod, samples::value_of(k), size, at);
  const auto wide = [&](const dsl::Expr& e) { return dsl::make_cast(e, groups.wide, at); };
  const auto of_a = dsl::make_read(a, {samples::value_of(x), samples::value_of(k)}, at);
  const auto of_b = dsl::make_read(b, {group, samples::value_of(y), byte}, at);
  const auto product = dsl::make_binary(BinaryOp::Mul, wide(of_a), wide(of_b), at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, product, {k}, at);
  return schedule::make_state({dsl::make_compute({m, n}, {x, y}, sum, "C", at)}, {});
}

inline schedule::State product_of_bytes(std::int64_t m, std::int64_t n, std::int64_t depth) {
  return product_of(kBytes, m, n, depth);
}

/// C[x, y] = sum over k of int32(A[x, k]) * int32(B[k, y]).
inline schedule::State product_of_rows_of_bytes(std::int64_t m, std::int64_t n,
                                                std::int64_t depth) {
  const auto at = samples::at(4);
  const auto a = dsl::make_placeholder({m, depth}, DType::UInt8, "A", at);
  const auto b = dsl::make_placeholder({depth, n}, DType::Int8, "B", at);
  const auto x = dsl::make_axis("x", dsl::AxisKind::Spatial, 0, m, at);
  const auto y = dsl::make_axis("y", dsl::AxisKind::Spatial, 0, n, at);
  const auto k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, depth, at);
  const auto read = [&](const dsl::Tensor& tensor, const dsl::Axis& row, const dsl::Axis& column) {
    const auto one =
        dsl::make_read(tensor, {samples::value_of(row), samples::value_of(column)}, at);
    return dsl::make_cast(one, DType::Int32, at);
  };
  const auto term = dsl::make_binary(BinaryOp::Mul, read(a, x, k), read(b, k, y), at);
  const auto sum = dsl::make_reduce(ReduceOp::Sum, term, {k}, at);
  return schedule::make_state({dsl::make_compute({m, n}, {x, y}, sum, "C", at)}, {});
}

}  // namespace solway::memory_planner::testing
