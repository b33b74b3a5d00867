#include "schedule/substitution.h"

#include <gtest/gtest.h>

#include "tests/support/sample_programs.h"

namespace solway::schedule {
namespace {

struct Sum {
  dsl::Tensor a = dsl::make_placeholder({8}, DType::Float32, "A", samples::at(1));
  dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 8, samples::at(2));
  dsl::Expr read = dsl::make_read(a, {samples::value_of(i)}, samples::at(2));
  dsl::Expr twice = dsl::make_binary(BinaryOp::Add, read, read, samples::at(2));
};

TEST(Substitution, KeepsWhatHoldsNothingThatIsReplaced) {
  const Sum sum;
  EXPECT_EQ(Substitution(Substitution::Reads::Keep)(sum.twice), sum.twice);
}

TEST(Substitution, ANodeThatIsSharedStaysShared) {
  const Sum sum;
  Substitution moved(Substitution::Reads::Keep);
  moved.replace(sum.i, samples::value_of(sum.j));
  const dsl::Expr out = moved(sum.twice);
  EXPECT_EQ(dsl::to_string(out), "A[j] + A[j]");
  EXPECT_EQ(out->operands[0], out->operands[1]);
  EXPECT_EQ(moved.copy_of(sum.read), out->operands[0]);
}

TEST(Substitution, CopiesReadsWhereEachIsToStandForOneOperand) {
  const Sum sum;
  const dsl::Expr out = Substitution(Substitution::Reads::Copy)(sum.twice);
  EXPECT_EQ(dsl::to_string(out), dsl::to_string(sum.twice));
  EXPECT_NE(out->operands[0], sum.read);
  EXPECT_EQ(out->operands[0], out->operands[1]);
}

TEST(Substitution, ReplacesReads) {
  const Sum sum;
  Substitution moved(Substitution::Reads::Keep);
  moved.replace(sum.read, dsl::make_float(2, DType::Float32, false, samples::at(3)));
  EXPECT_EQ(dsl::to_string(moved(sum.twice)), "2.0 + 2.0");
}

}  // namespace
}  // namespace solway::schedule
