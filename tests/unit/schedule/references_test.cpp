#include "schedule/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/split.h"
#include "support/error.h"
#include "support/isl_ext.h"

#include "tests/support/far_references.h"

namespace solway::schedule {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kRequest = "buffer_read(X)";

/// Y[i] = X[i] + X[i + 8] + X[i + 64] in tiles of 16.
struct Tiled {
  State state;
  LoopId outer;
  LoopId inner;

  Tiled() {
    const State start = make_state({samples::sum_of_points(64, {0, 8, 64})}, {});
    const SplitResult made = split(start, "Y", start.stage_loops.at("Y")[0], 16, samples::at(3));
    state = made.state;
    outer = made.outer;
    inner = made.inner;
  }

  BufferResult read(const State& before, const ReferenceNumbers& references) const {
    BufferRequest request;
    request.stage = "Y";
    request.tensor = "X";
    request.at = outer;
    request.text = kRequest;
    request.references = references;
    return buffer_read(before, request, samples::at(4));
  }
};

std::string array_of(const State& state, std::size_t read) {
  return isl_ext::tuple_name(state.program->statement("Y").reads[read].relation,
                             isl_ext::Dim::Range);
}

template <typename Call>
Error::Report refusal(const Call& call) {
  try {
    call();
  } catch (const ScheduleArgumentError& error) {
    return error.report();
  }
  ADD_FAILURE() << "expected ScheduleArgumentError";
  return {};
}

TEST(References, AreCountedAsTheyAreWritten) {
  const Tiled y;
  const auto all = references_of(y.state, "Y", "X");
  EXPECT_EQ(to_string(all), "0: X[i], 1: X[i + 8], 2: X[i + 64]");
  EXPECT_EQ(all[2].operands.size(), 1U);
  EXPECT_THAT(references_of(y.state, "Y", "Z"), IsEmpty());
}

TEST(References, KeepTheirNumbersWhenABufferServesThem) {
  const Tiled y;
  const State state = y.read(y.state, {{0, 1}}).state;
  EXPECT_EQ(array_of(state, 0), "XX");
  EXPECT_EQ(array_of(state, 1), "XX");
  EXPECT_EQ(array_of(state, 2), "X");
  EXPECT_EQ(to_string(references_of(state, "Y", "X")), "0: X[i], 1: X[i + 8], 2: X[i + 64]");
  EXPECT_EQ(state.program->array("XX").shape, (std::vector<std::int64_t>{24}));
}

TEST(References, EachGroupHasABoxOfItsOwn) {
  const Tiled y;
  const BufferResult first = y.read(y.state, {{2}});
  const BufferResult second = y.read(first.state, {{0, 1}});
  EXPECT_EQ(second.buffer, "XX_1");
  EXPECT_EQ(second.state.program->array("XX").shape, (std::vector<std::int64_t>{16}));
  EXPECT_EQ(second.state.program->array("XX_1").shape, (std::vector<std::int64_t>{24}));
  // One box for all holds what lies between them, too.
  EXPECT_EQ(y.read(y.state, {}).state.program->array("XX").shape, (std::vector<std::int64_t>{80}));
}

TEST(References, WithoutNumbersABufferServesWhatHasNone) {
  const Tiled y;
  const State state = y.read(y.read(y.state, {{2}}).state, {}).state;
  EXPECT_EQ(array_of(state, 0), "XX_1");
  EXPECT_EQ(array_of(state, 1), "XX_1");
  EXPECT_EQ(array_of(state, 2), "XX");
}

TEST(References, TheLogHasThem) {
  const Tiled y;
  const State state = y.read(y.state, {{0, 2}}).state;
  const auto& arguments = state.log.back().arguments;
  const auto named = std::find_if(arguments.begin(), arguments.end(),
                                  [](const auto& pair) { return pair.first == "references"; });
  ASSERT_NE(named, arguments.end());
  EXPECT_EQ(std::get<StepText>(named->second).text, "[0, 2]");
}

TEST(References, WhatIsWrittenOnceAndUsedTwiceIsOne) {
  // Y[i] = X[i] * sum over k of X[i] * Z[k], X[i] written once
  const dsl::Tensor x = dsl::make_placeholder({8}, DType::Float32, "X", samples::at(1));
  const dsl::Tensor z = dsl::make_placeholder({4}, DType::Float32, "Z", samples::at(1));
  const dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  const dsl::Axis k = dsl::make_axis("k", dsl::AxisKind::Reduce, 0, 4, samples::at(2));
  const auto product = [](const dsl::Expr& a, const dsl::Expr& b) {
    return dsl::make_binary(BinaryOp::Mul, a, b, samples::at(2));
  };
  const dsl::Expr once = dsl::make_read(x, {samples::value_of(i)}, samples::at(2));
  const dsl::Expr term = product(once, dsl::make_read(z, {samples::value_of(k)}, samples::at(2)));
  const dsl::Expr sum = dsl::make_reduce(ReduceOp::Sum, term, {k}, samples::at(2));
  const State state =
      make_state({dsl::make_compute({8}, {i}, product(once, sum), "Y", samples::at(2))}, {});
  const auto all = references_of(state, "Y", "X");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].operands.size(), 2U);
}

TEST(References, NumbersHaveToBeThere) {
  const Tiled y;
  const auto of_none = refusal([&] { y.read(y.state, {{0, 3}}); });
  EXPECT_THAT(of_none.what, HasSubstr("there is no reference 3"));
  EXPECT_THAT(of_none.why, HasSubstr("2: X[i + 64]"));
  EXPECT_THAT(refusal([&] { y.read(y.state, {{-1}}); }).what, HasSubstr("no reference -1"));
  const auto twice = refusal([&] { y.read(y.state, {{1, 1}}); });
  EXPECT_THAT(twice.what, HasSubstr("reference 1 twice"));
  EXPECT_THAT(refusal([&] { y.read(y.state, {std::vector<int>{}}); }).what,
              HasSubstr("names no reference"));
}

TEST(References, WhatHasABufferIsRefused) {
  const Tiled y;
  const State state = y.read(y.state, {{0}}).state;
  const auto report = refusal([&] { y.read(state, {{0, 1}}); });
  EXPECT_THAT(report.what, HasSubstr("reference 0, X[i], has a buffer already"));
  EXPECT_THAT(report.why, HasSubstr("made 'XX'"));
  EXPECT_EQ(report.where.line, 4);
}

TEST(References, NumbersAsText) {
  EXPECT_EQ(to_string(std::vector<int>{0, 12}), "[0, 12]");
  EXPECT_EQ(to_string(std::vector<int>{}), "[]");
}

}  // namespace
}  // namespace solway::schedule
