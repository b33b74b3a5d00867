#include "dma/insertion.h"

#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/split.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::dma {
namespace {

using schedule::AccessKind;
using schedule::LoopId;
using schedule::State;
using schedule::testing::refusal;
using schedule::testing::region_of;
using schedule::testing::TiledMatmul;

LoopId position(const State& state, const std::string& tensor, AccessKind kind,
                const std::vector<LoopId>& loops) {
  return position_of(state, "C", tensor, kind, region_of(loops), "buffer(" + tensor + ")",
                     samples::at(9));
}

TEST(Insertion, IsTheOutermostPointWhereTheRestIsFixed) {
  const TiledMatmul m(1, 1024, 1024, 128, 64);
  EXPECT_EQ(position(m.state, "B", AccessKind::Reads, {m.ki, m.yi}), m.ko);
  EXPECT_EQ(position(m.state, "A", AccessKind::Reads, {m.ki}), m.ko);
  EXPECT_EQ(position(m.state, "C", AccessKind::Writes, {m.yi}), m.yo);
}

TEST(Insertion, TakesTheLoopsOfTheDeepestAccess) {
  // D(i) = A[i, 0] + sum over k of A[i, k]: the first access stands outside of k.
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 8, samples::at(2));
  const dsl::Tensor a = dsl::make_placeholder({4, 8}, DType::Float32, "A", samples::at(1));
  const auto read = [&](const dsl::Expr& column) {
    return dsl::make_read(a, {samples::value_of(i), column}, samples::at(3));
  };
  const dsl::Expr sum =
      dsl::make_reduce(ReduceOp::Sum, read(samples::value_of(k)), {k}, samples::at(3));
  const dsl::Expr first = read(dsl::make_int(0, DType::Int64, false, samples::at(3)));
  const dsl::Expr body = dsl::make_binary(BinaryOp::Add, first, sum, samples::at(3));
  const State made = schedule::make_state({dsl::make_compute({4}, {i}, body, "D", samples::at(3))},
                                          samples::at(5));
  const LoopId terms = made.stage_loops.at("D").at(1);
  const schedule::SplitResult s = schedule::split(made, "D", terms, 4, samples::at(8));
  EXPECT_EQ(position_of(s.state, "D", "A", AccessKind::Reads, region_of({s.inner}), "buffer(A)",
                        samples::at(9)),
            s.outer);
}

TEST(Insertion, TakesTheDeepestAccessWhereverItStands) {
  // D(i) = (sum over k of A[i, k]) + (sum over p, q of A[i, p + q]), and the other way round.
  const auto axis = [](const std::string& name, std::int64_t end) {
    return dsl::make_axis(name, dsl::AxisKind::Reduce, 0, end, samples::at(2));
  };
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 4, samples::at(2));
  const dsl::Axis k = axis("k", 8), p = axis("p", 5), q = axis("q", 4);
  const dsl::Tensor a = dsl::make_placeholder({4, 8}, DType::Float32, "A", samples::at(1));
  const auto sum = [&](const dsl::Expr& column, const std::vector<dsl::Axis>& axes) {
    const dsl::Expr read = dsl::make_read(a, {samples::value_of(i), column}, samples::at(3));
    return dsl::make_reduce(ReduceOp::Sum, read, axes, samples::at(3));
  };
  const dsl::Expr shallow = sum(samples::value_of(k), {k});
  const dsl::Expr column =
      dsl::make_binary(BinaryOp::Add, samples::value_of(p), samples::value_of(q), samples::at(3));
  const dsl::Expr deep = sum(column, {p, q});
  for (const bool deep_first : {false, true}) {
    const dsl::Expr body = dsl::make_binary(BinaryOp::Add, deep_first ? deep : shallow,
                                            deep_first ? shallow : deep, samples::at(3));
    const State s = schedule::make_state({dsl::make_compute({4}, {i}, body, "D", samples::at(3))},
                                         samples::at(5));
    const auto loop = [&](const std::string& name) {
      for (const LoopId id : s.stage_loops.at("D")) {
        if (schedule::loop_name(s, id) == name) return id;
      }
      return -1;
    };
    EXPECT_EQ(position_of(s, "D", "A", AccessKind::Reads, region_of({loop("q")}), "buffer(A)",
                          samples::at(9)),
              loop("p"));
  }
}

TEST(Insertion, IsOutsideAllLoopsWhenTheRegionIsTheTensor) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  EXPECT_EQ(position(m.state, "B", AccessKind::Reads, {m.yo, m.yi, m.ko, m.ki}), -1);
}

TEST(Insertion, IsInsideParallelLoops) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State s = schedule::parallel(m.state, "C", m.lx, samples::at(9));
  EXPECT_EQ(position(s, "B", AccessKind::Reads, {m.yo, m.yi, m.ko, m.ki}), m.lx);
}

TEST(Insertion, RefusesALoopThatLiesOutside) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const auto report = refusal<ScheduleArgumentError>([&] {
    position(m.state, "B", AccessKind::Reads, {m.yo, m.yi, m.ki});
  });
  EXPECT_EQ(report.what, "buffer(B): 'y.o' does not lie inside the buffer");
  EXPECT_EQ(report.why,
            "what it holds of 'B' depends on 'k.o', so it stands inside that loop, and 'y.o' is "
            "outside of it");
  EXPECT_EQ(report.where.line, 9);
}

TEST(Insertion, RefusesALoopAroundTheParallelOne) {
  const TiledMatmul m(2, 8, 6, 4, 3);
  const State s = schedule::parallel(m.state, "C", m.yo, samples::at(9));
  const auto report = refusal<ScheduleArgumentError>([&] {
    position(s, "A", AccessKind::Reads, {m.lx, m.ko, m.ki});
  });
  EXPECT_EQ(report.why,
            "each core has its own buffer, so it stands inside the parallel loop 'y.o', and 'x' "
            "is not inside of that");
}

}  // namespace
}  // namespace solway::dma
