#include "schedule/intrinsic.h"

#include <gtest/gtest.h>

#include "tests/unit/schedule/scheduled.h"

namespace solway::schedule {
namespace {

using testing::refusal;

TEST(Intrinsic, IsAComputedTensorWithCode) {
  const samples::Matmul own(1, 1, 4);
  const auto made = make_intrinsic("dot_4", own.c, {{"c", "/* code */"}}, samples::at(3));
  EXPECT_EQ(made->name, "dot_4");
  EXPECT_EQ(made->tensor, own.c);
  EXPECT_EQ(made->where.line, 3);
}

TEST(Intrinsic, RefusesWhatNoCodeCanStandFor) {
  const samples::Matmul own(1, 1, 4);
  const auto why = [](const std::string& name, const dsl::Tensor& tensor,
                      const std::map<std::string, std::string>& code) {
    return refusal<DslError>([&] { make_intrinsic(name, tensor, code, samples::at(3)); }).why;
  };
  EXPECT_EQ(why("f", own.a, {{"c", ""}}), "'A' is not computed");
  EXPECT_EQ(why("two words", own.c, {{"c", ""}}), "its name is a part of names in C");
  EXPECT_EQ(why("4x4", own.c, {{"c", ""}}), "its name is a part of names in C");
  EXPECT_EQ(why("", own.c, {{"c", ""}}), "its name is a part of names in C");
  EXPECT_EQ(why("f", own.c, {}), "it names no target");
}

}  // namespace
}  // namespace solway::schedule
