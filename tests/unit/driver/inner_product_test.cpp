#include "driver/inner_product.h"

#include <algorithm>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/auto_buffer.h"
#include "schedule/buffer_read.h"
#include "schedule/reorder.h"
#include "support/error.h"

#include "tests/unit/schedule/scheduled.h"

namespace solway::driver {
namespace {

using memory_planner::InnerProduct;
using schedule::testing::ScheduledMatmul;
using testing::HasSubstr;

const SourceLoc kAsked{"user.py", 9, "s.auto_buffer(\"sw26010\", inner=\"assembly\")"};

Target machine(const std::string& name) { return load_target(name, kAsked); }

AutoBufferResult plan(const ScheduledMatmul& m, const std::string& inner) {
  return auto_buffer(m.state, machine("sw26010"), "optimal", kAsked, inner);
}

bool has_micro_kernel(const AutoBufferResult& planned) {
  const auto& log = planned.state.log;
  return std::any_of(log.begin(), log.end(),
                     [](const schedule::Step& step) { return step.primitive == "tensorize"; });
}

memory_planner::Decision inner_product(const AutoBufferResult& planned) {
  for (const memory_planner::Decision& one : planned.choices.at(0).decisions) {
    if (one.what == "inner product") return one;
  }
  ADD_FAILURE() << "nothing is decided of the inner product";
  return {};
}

/// Requires an UnsupportedError at the user's line, with these words in what and in why.
void expect_refused(const std::function<void()>& plans, const std::string& what,
                    const std::string& why) {
  try {
    plans();
    FAIL() << "not refused";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 9);
    EXPECT_THAT(e.report().what, HasSubstr(what));
    EXPECT_THAT(e.report().why, HasSubstr(why));
  }
}

TEST(InnerProduct, HasThreeNames) {
  EXPECT_EQ(inner_product_of("auto", kAsked), InnerProduct::Cheaper);
  EXPECT_EQ(inner_product_of("c", kAsked), InnerProduct::LoopsOfC);
  EXPECT_EQ(inner_product_of("assembly", kAsked), InnerProduct::Assembly);
  try {
    inner_product_of("fast", kAsked);
    FAIL() << "not refused";
  } catch (const ScheduleArgumentError& e) {
    EXPECT_EQ(e.report().where.line, 9);
    EXPECT_THAT(e.what(), HasSubstr("no inner product 'fast'"));
  }
}

TEST(InnerProduct, EachFormIsTakenWhereItIsAskedForWithTheCyclesOfBoth) {
  const ScheduledMatmul m(64, 128, 64);
  const AutoBufferResult in_c = plan(m, "c");
  const AutoBufferResult in_assembly = plan(m, "assembly");
  EXPECT_FALSE(has_micro_kernel(in_c));
  EXPECT_TRUE(has_micro_kernel(in_assembly));
  const memory_planner::Decision c = inner_product(in_c);
  const memory_planner::Decision assembly = inner_product(in_assembly);
  EXPECT_EQ(c.chosen, "loops of C");
  EXPECT_EQ(c.instead, "a micro-kernel in assembly");
  EXPECT_EQ(assembly.chosen, "a micro-kernel in assembly");
  EXPECT_EQ(assembly.instead, "vectors of C");
  EXPECT_GT(c.cycles, 0);
  EXPECT_GT(c.instead_cycles, 0);
  EXPECT_DOUBLE_EQ(in_c.choices.at(0).cycles, c.cycles);
  EXPECT_DOUBLE_EQ(in_assembly.choices.at(0).cycles, assembly.cycles);
  const AutoBufferResult cheaper = plan(m, "auto");
  EXPECT_DOUBLE_EQ(cheaper.choices.at(0).cycles, std::min(c.cycles, assembly.cycles));
}

TEST(InnerProduct, OtherMachinesHaveNoAssembly) {
  const ScheduledMatmul m(64, 128, 64);
  expect_refused(
      [&] { auto_buffer(m.state, machine("sw26010pro"), "optimal", kAsked, "assembly"); },
      "no micro-kernels for 'sw26010pro'", "assembly of SW26010");
}

TEST(InnerProduct, GreedyPlansHaveNoAssembly) {
  const ScheduledMatmul m(64, 128, 64);
  expect_refused([&] { auto_buffer(m.state, machine("sw26010"), "greedy", kAsked, "assembly"); },
                 "planner=\"greedy\"", "loops of C");
}

TEST(InnerProduct, ColumnsThatFillNoVectorsArePadded) {
  EXPECT_TRUE(has_micro_kernel(plan(ScheduledMatmul(63, 63, 64), "assembly")));
}

TEST(InnerProduct, ColumnsThatFillNoVectorsAreNamedWhereTheLoopsAreTheUsers) {
  ScheduledMatmul m(63, 63, 64);
  m.state = schedule::reorder(m.state, "C", {m.ly, m.lx, m.lk}, samples::at(5));
  expect_refused([&] { plan(m, "assembly"); }, "no micro-kernel for 'C'",
                 "y of 63, x of 63, k of 64");
}

TEST(InnerProduct, AStageThatHasABufferIsRefusedWithTheReason) {
  ScheduledMatmul m(64, 128, 64);
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = m.lx;
  request.text = "buffer_read(A, at=x)";
  m.state = schedule::buffer_read(m.state, request, samples::at(5)).state;
  expect_refused([&] { plan(m, "assembly"); }, "no micro-kernel for 'C'", "it has a buffer");
}

}  // namespace
}  // namespace solway::driver
