#include "driver/generate_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/lower_kernel.h"
#include "schedule/parallel.h"
#include "schedule/vectorize.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The C of a product for a target.
std::string c_of(const schedule::State& s, const samples::Matmul& m, const std::string& target,
                 Remarks& remarks) {
  const BuildOptions options{target, "matmul"};
  const Target machine = target_of(options, samples::at(7));
  const LoweredKernel lowered = lower_kernel(s, {m.a, m.b, m.c}, machine, options, samples::at(7));
  return c_source(lowered, s.order, machine, options, {}, remarks);
}

TEST(GenerateCode, CSaysWhatRunsInAnotherWay) {
  const samples::Matmul m(2, 2, 3);
  schedule::State s = schedule::make_state({m.c}, samples::at(5));
  s = schedule::parallel(s, "C", s.stage_loops.at("C")[0], samples::at(6));
  Remarks remarks;
  EXPECT_THAT(c_of(s, m, "c", remarks), HasSubstr("int32_t matmul("));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "parallel(x)");
}

TEST(GenerateCode, DirectivesSayWhatWasProved) {
  const samples::Matmul m(2, 8, 3);
  const schedule::State plain = schedule::make_state({m.c}, samples::at(5));
  const std::vector<schedule::LoopId> loops = plain.stage_loops.at("C");
  Remarks remarks;
  const schedule::State columns = schedule::vectorize(plain, "C", loops[1], samples::at(6));
  const std::string text = c_of(columns, m, "ve-ncc", remarks);
  EXPECT_THAT(text, HasSubstr("#pragma _NEC ivdep\n"));
  EXPECT_THAT(text, HasSubstr("#pragma _NEC novector\n"));
  EXPECT_TRUE(remarks.empty());
  const schedule::State sums = schedule::vectorize(plain, "C", loops[2], samples::at(6));
  EXPECT_THAT(c_of(sums, m, "ve-ncc", remarks), Not(HasSubstr("ivdep")));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "vectorize(k)");
  EXPECT_EQ(remarks[0].verdict, "is left to the compiler's analysis");
}

TEST(GenerateCode, OptionsOfComputingCoresAreTheTargets) {
  const samples::Matmul m(2, 2, 3);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  const Target target = load_target("sw26010pro", samples::at(6));
  const codegen::AthreadOptions options = athread_options(target, s, samples::at(6));
  EXPECT_EQ(options.machine, "sw26010pro");
  EXPECT_EQ(options.ldm_bytes, 262144);
  EXPECT_EQ(options.cores, 64);
  EXPECT_TRUE(options.near_offsets.empty());
  EXPECT_THROW(athread_options(load_target("c", samples::at(6)), s, samples::at(6)),
               UnsupportedError);
}

TEST(GenerateCode, RemarksOnTransfersKeepTheOrder) {
  const samples::Matmul m(2, 2, 3);
  const schedule::State s = schedule::make_state({m.c}, samples::at(5));
  Remarks remarks{{"first", "", "", {}}};
  add_transfer_remarks({{"transfer 'AA'", "copied", "odd bytes", {}}}, *s.program, remarks);
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[1].step, "transfer 'AA'");
}

}  // namespace
}  // namespace solway::driver
