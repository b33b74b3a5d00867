#include "driver/generate_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/lower_kernel.h"
#include "schedule/parallel.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;

TEST(GenerateCode, CSaysWhatRunsInAnotherWay) {
  const samples::Matmul m(2, 2, 3);
  schedule::State s = schedule::make_state({m.c}, samples::at(5));
  s = schedule::parallel(s, "C", s.stage_loops.at("C")[0], samples::at(6));
  const BuildOptions options{"c", "matmul"};
  const ir::Kernel kernel =
      lower_kernel(s, {m.a, m.b, m.c}, target_of(options, samples::at(7)), options, samples::at(7))
          .kernel;
  Remarks remarks;
  EXPECT_THAT(c_source(kernel, s.order, options, {}, remarks), HasSubstr("int32_t matmul("));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "parallel(x)");
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
