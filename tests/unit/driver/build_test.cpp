#include "driver/build.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/parallel.h"
#include "schedule/split.h"
#include "schedule/vectorize.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Build, RunsAMatrixProduct) {
  const samples::Matmul m(2, 2, 3);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  const CompiledKernel kernel = build(s, {m.a, m.b, m.c}, {"c", "matmul"}, samples::at(6));
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 2, 3, 4, 5, 6}, c(4, -1);
  void* args[] = {a.data(), b.data(), c.data()};
  EXPECT_EQ(kernel.run(args).status, 0);
  EXPECT_THAT(c, ElementsAre(22, 28, 49, 64));
  EXPECT_EQ(kernel.sources().count("matmul.c"), 1U);
}

TEST(Build, RunsOnTheHostThroughLlvm) {
  const samples::Matmul m(2, 2, 3);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  const CompiledKernel kernel = build(s, {m.a, m.b, m.c}, {"host", "matmul"}, samples::at(6));
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 2, 3, 4, 5, 6}, c(4, -1);
  void* args[] = {a.data(), b.data(), c.data()};
  EXPECT_EQ(kernel.run(args).status, 0);
  EXPECT_THAT(c, ElementsAre(22, 28, 49, 64));
  EXPECT_THAT(kernel.sources().at("matmul.ll"), HasSubstr("define"));
}

TEST(Build, RunsOnTheEmulatedMachine) {
  const samples::Matmul m(2, 2, 3);
  schedule::State s = schedule::make_state({m.c}, samples::at(5));
  s = schedule::parallel(s, "C", s.stage_loops.at("C")[0], samples::at(6));
  s = schedule::vectorize(s, "C", s.stage_loops.at("C")[1], samples::at(7));
  const CompiledKernel kernel = build(s, {m.a, m.b, m.c}, {"sw26010", "matmul"}, samples::at(8));
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 2, 3, 4, 5, 6}, c(4, -1);
  void* args[] = {a.data(), b.data(), c.data()};
  const RunReport report = kernel.run(args);
  EXPECT_EQ(report.status, 0);
  EXPECT_THAT(c, ElementsAre(22, 28, 49, 64));
  ASSERT_TRUE(report.emulated);
  EXPECT_GT(report.emulated->gld_bytes, 0);
  EXPECT_EQ(kernel.sources().count("matmul_cpe.c"), 1U);
  ASSERT_EQ(kernel.remarks().size(), 1U);
  EXPECT_THAT(kernel.remarks()[0].step, HasSubstr("vectorize"));
  EXPECT_THAT(kernel.remarks()[0].why, HasSubstr("2 iterations do not fill a vector of 4 lanes"));
}

TEST(Build, TakesATargetAsData) {
  const samples::Matmul m(2, 2, 3);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  BuildOptions options{"host", "matmul"};
  options.machine = load_target("c", samples::at(6));
  options.machine->name = "mine";
  const CompiledKernel kernel = build(s, {m.a, m.b, m.c}, options, samples::at(6));
  EXPECT_EQ(kernel.target(), "mine");
  EXPECT_EQ(kernel.sources().count("matmul.c"), 1U);
}

TEST(Build, AllocatesIntermediateTensors) {
  const samples::Pipeline p(3);
  const schedule::State s = schedule::make_state({p.c}, samples::at(5));
  const CompiledKernel kernel = build(s, {p.a, p.c}, {"c", "pipe"}, samples::at(6));
  std::vector<float> a = {1, 2, 3, 4, 5}, c(3, -1);
  void* args[] = {a.data(), c.data()};
  EXPECT_EQ(kernel.run(args).status, 0);
  EXPECT_THAT(c, ElementsAre(3 * 5, 5 * 7, 7 * 9));
}

TEST(Build, GivesTheSameSourceTwice) {
  const samples::Matmul m(4, 4, 4);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  const auto source = [&] {
    return build(s, {m.a, m.b, m.c}, {"c", "matmul"}, samples::at(6)).sources();
  };
  EXPECT_EQ(source(), source());
}

TEST(Build, RemarksOnMarksThatPortableCDoesNotHave) {
  const samples::Matmul m(4, 4, 4);
  schedule::State s = schedule::make_state({m.c}, samples::at(5));
  s = schedule::parallel(s, "C", s.stage_loops.at("C")[0], samples::at(6));
  const CompiledKernel kernel = build(s, {m.a, m.b, m.c}, {"c", "matmul"}, samples::at(7));
  ASSERT_EQ(kernel.remarks().size(), 1U);
  EXPECT_EQ(kernel.remarks()[0].step, "parallel(x)");
}

TEST(Build, RefusesATargetThatIsNotThere) {
  const samples::Matmul m(4, 4, 4);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  try {
    build(s, {m.a, m.b, m.c}, {"pdp11", "matmul"}, samples::at(6));
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 6);
    EXPECT_THAT(e.report().what, HasSubstr("'pdp11'"));
    EXPECT_THAT(e.report().why, HasSubstr("'c'"));
  }
}

TEST(Build, NamesAMissingArgument) {
  const samples::Matmul m(4, 4, 4);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  try {
    build(s, {m.a, m.c}, {"c", "matmul"}, samples::at(6));
    FAIL() << "expected ArgumentMismatchError";
  } catch (const ArgumentMismatchError& e) {
    EXPECT_EQ(e.report().where.line, 6);
    EXPECT_THAT(e.report().what, HasSubstr("'B' is missing"));
    EXPECT_THAT(e.report().why, HasSubstr("user.py:2"));
  }
}

TEST(Build, PrintsTheLoopsOfAFigure) {
  const samples::Matmul m(2, 256, 64);
  schedule::State s = schedule::make_state({m.c}, samples::at(5));
  s = schedule::split(s, "C", s.stage_loops.at("C")[1], 128, samples::at(6)).state;
  EXPECT_EQ(print_schedule(s),
            "For x in range(2)\n"
            "  For y.o in range(2)\n"
            "    For y.i in range(128)\n"
            "      C[x, y.o*128 + y.i] = 0.0\n"
            "      For k in range(64)\n"
            "        C[x, y.o*128 + y.i] += A[x, k]*B[k, y.o*128 + y.i]\n");
}

}  // namespace
}  // namespace solway::driver
