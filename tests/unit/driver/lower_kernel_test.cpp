#include "driver/lower_kernel.h"

#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

TEST(LowerKernel, TemporariesBelongToTheKernelOrComeWithACall) {
  const samples::Pipeline p(3);
  const schedule::State s = schedule::make_state({p.c}, samples::at(5));
  const BuildOptions options{"c", "pipe"};
  const Target target = target_of(options, samples::at(6));
  const auto lowered = [&](Temporaries temporaries) {
    return lower_kernel(s, {p.a, p.c}, target, options, samples::at(6), temporaries).kernel;
  };
  EXPECT_EQ(lowered(Temporaries::Own).params.size(), 2U);
  const ir::Kernel kernel = lowered(Temporaries::Passed);
  ASSERT_EQ(kernel.params.size(), 3U);
  EXPECT_EQ(kernel.params[2].buffer->name, "P");
  EXPECT_EQ(kernel.params[2].role, ir::Role::InOut);
}

TEST(LowerKernel, AnArgumentOfAGivenTensorIsRead) {
  const samples::Pipeline p(3);
  const schedule::State s = schedule::make_state({p.c}, samples::at(5), {p.p});
  const BuildOptions options{"c", "second"};
  const ir::Kernel kernel =
      lower_kernel(s, {p.p, p.c}, target_of(options, samples::at(6)), options, samples::at(6))
          .kernel;
  EXPECT_EQ(kernel.params[0].role, ir::Role::In);
  EXPECT_EQ(kernel.params[1].role, ir::Role::Out);
}

TEST(LowerKernel, NamesAMissingInput) {
  const samples::Pipeline p(3);
  const schedule::State s = schedule::make_state({p.c}, samples::at(5), {p.p});
  const BuildOptions options{"c", "second"};
  EXPECT_THROW(lower_kernel(s, {p.c}, target_of(options, samples::at(6)), options, samples::at(6)),
               ArgumentMismatchError);
}

TEST(TargetOf, AMachineCountsMoreThanAName) {
  BuildOptions options{"host", "k"};
  options.machine = load_target("c", samples::at(6));
  EXPECT_EQ(target_of(options, samples::at(6)).dialect, "c");
  options.machine.reset();
  options.target = "none such";
  EXPECT_THROW(target_of(options, samples::at(6)), UnsupportedError);
}

}  // namespace
}  // namespace solway::driver
