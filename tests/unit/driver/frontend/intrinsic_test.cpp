#include "driver/frontend/intrinsic.h"

#include <gtest/gtest.h>

#include "support/error.h"

namespace solway {
namespace {

TEST(FrontendIntrinsic, HasTheNameOfItsTensor) {
  const Tensor X = placeholder({4}, DType::Float32, "X");
  const Tensor Y = compute(
      {4}, {"i"}, [&](Axis i) { return X[i] * 2; }, "Y");
  const Intrinsic own = intrinsic(Y, {{"c", "/* code */"}});
  EXPECT_EQ(own.name(), "Y");
  EXPECT_EQ(own.node()->where.line, __LINE__ - 2);
  EXPECT_EQ(intrinsic(Y, {{"c", "/* code */"}}, "twice").name(), "twice");
  EXPECT_THROW(intrinsic(X, {{"c", "/* code */"}}), DslError);
  EXPECT_THROW(intrinsic(Y, {}), DslError);
}

}  // namespace
}  // namespace solway
