#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/unit/driver/row_samples.h"

namespace solway::driver::testing {

/// S[h, i, j] = sum_r A[h, i, r] B[h, j, r], of which B may be the same for all h;
/// Y[h, i, c] = sum_u S[h, i, u] V[h, u, c]. Between them, there may be
/// M[h, i] = max_k S[h, i, k] and E[h, i, j] = S[h, i, j] - M[h, i], which Y then reads.
struct TwoProducts {
  enum class Between : std::uint8_t { Nothing, Differences };

  static constexpr std::int64_t kHeads = 4;
  static constexpr std::int64_t kWidth = 8;
  dsl::Tensor s, m, e, y;

  TwoProducts(std::int64_t rows, bool is_shared, Between between = Between::Nothing) {
    const std::vector<std::int64_t> all = {kHeads, rows, kWidth};
    const std::vector<std::int64_t> one = {rows, kWidth};
    const dsl::Tensor a = input(all, "A");
    const dsl::Tensor v = input(all, "V");
    const dsl::Tensor b = input(is_shared ? one : all, "B");
    const dsl::Axis h = spatial("h", kHeads);
    const dsl::Axis i = spatial("i", rows);
    const dsl::Axis j = spatial("j", rows);
    const dsl::Axis r = term("r", kWidth);
    const dsl::Expr of_b = is_shared ? read(b, {j, r}) : read(b, {h, j, r});
    s = dsl::make_compute({kHeads, rows, rows}, {h, i, j}, sum(read(a, {h, i, r}), of_b, r), "S",
                          samples::at(2));
    if (between == Between::Differences) add_differences(rows);
    const dsl::Axis g = spatial("h", kHeads);
    const dsl::Axis k = spatial("i", rows);
    const dsl::Axis c = spatial("c", kWidth);
    const dsl::Axis u = term("u", rows);
    const dsl::Tensor& last = between == Between::Nothing ? s : e;
    y = dsl::make_compute({kHeads, rows, kWidth}, {g, k, c},
                          sum(read(last, {g, k, u}), read(v, {g, u, c}), u), "Y", samples::at(3));
  }

 private:
  static dsl::Tensor input(const std::vector<std::int64_t>& shape, const char* name) {
    return dsl::make_placeholder(shape, DType::Float32, name, samples::at(1));
  }
  static dsl::Axis spatial(const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Spatial, 0, extent, samples::at(2));
  }
  static dsl::Axis term(const char* name, std::int64_t extent) {
    return dsl::make_axis(name, dsl::AxisKind::Reduce, 0, extent, samples::at(2));
  }
  static dsl::Expr sum(dsl::Expr a, dsl::Expr b, const dsl::Axis& over) {
    const dsl::Expr product =
        dsl::make_binary(BinaryOp::Mul, std::move(a), std::move(b), samples::at(2));
    return dsl::make_reduce(ReduceOp::Sum, product, {over}, samples::at(2));
  }

  void add_differences(std::int64_t rows) {
    const dsl::Axis h = spatial("h", kHeads);
    const dsl::Axis i = spatial("i", rows);
    const dsl::Axis k = term("k", rows);
    m = dsl::make_compute({kHeads, rows}, {h, i},
                          dsl::make_reduce(ReduceOp::Max, read(s, {h, i, k}), {k}, samples::at(2)),
                          "M", samples::at(2));
    const dsl::Axis g = spatial("h", kHeads);
    const dsl::Axis o = spatial("i", rows);
    const dsl::Axis j = spatial("j", rows);
    e = dsl::make_compute(
        {kHeads, rows, rows}, {g, o, j},
        dsl::make_binary(BinaryOp::Sub, read(s, {g, o, j}), read(m, {g, o}), samples::at(2)), "E",
        samples::at(2));
  }
};

}  // namespace solway::driver::testing
