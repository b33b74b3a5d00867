#pragma once

#include "schedule/buffer_write.h"
#include "schedule/reorder.h"
#include "schedule/split.h"
#include "schedule/state.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule::testing {

/// C[i, j] = A[i, j] * A[i, j] where `keep` holds, in tiles.
struct TiledSquares {
  using Keep = dsl::Expr (*)(const dsl::Axis& i, const dsl::Axis& j);

  dsl::Tensor a, c;
  State state;
  LoopId io, jo, ii, ji;

  TiledSquares(std::int64_t extent, std::int64_t rows, std::int64_t columns, Keep keep) {
    a = dsl::make_placeholder({extent, extent}, DType::Float32, "A", samples::at(1));
    const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, extent, samples::at(2));
    const dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, extent, samples::at(2));
    const dsl::Expr read =
        dsl::make_read(a, {samples::value_of(i), samples::value_of(j)}, samples::at(2));
    c = dsl::make_compute({extent, extent}, {i, j},
                          dsl::make_binary(BinaryOp::Mul, read, read, samples::at(2)), "C",
                          samples::at(2), keep(i, j));
    state = schedule::make_state({c}, samples::at(3));
    const std::vector<LoopId> loops = state.stage_loops.at("C");
    const SplitResult of_rows = split(state, "C", loops[0], rows, samples::at(4));
    const SplitResult of_columns = split(of_rows.state, "C", loops[1], columns, samples::at(5));
    io = of_rows.outer;
    ii = of_rows.inner;
    jo = of_columns.outer;
    ji = of_columns.inner;
    state = reorder(of_columns.state, "C", {io, jo, ii, ji}, samples::at(6));
  }

  BufferResult write(LoopId at) const {
    BufferRequest request = request_for("C", {}, at);
    request.region.reset();
    return buffer_write(state, request, samples::at(9));
  }
};

inline dsl::Expr below_the_diagonal(const dsl::Axis& i, const dsl::Axis& j) {
  return dsl::make_binary(BinaryOp::Le, samples::value_of(j), samples::value_of(i), samples::at(2));
}

/// Every second element, in turn.
inline dsl::Expr like_a_chessboard(const dsl::Axis& i, const dsl::Axis& j) {
  const auto number = [](std::int64_t value) {
    return dsl::make_int(value, DType::Int64, true, samples::at(2));
  };
  const dsl::Expr sum =
      dsl::make_binary(BinaryOp::Add, samples::value_of(i), samples::value_of(j), samples::at(2));
  const dsl::Expr rest = dsl::make_binary(BinaryOp::Mod, sum, number(2), samples::at(2));
  return dsl::make_binary(BinaryOp::Eq, rest, number(0), samples::at(2));
}

}  // namespace solway::schedule::testing
