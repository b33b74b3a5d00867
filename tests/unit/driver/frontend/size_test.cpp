#include "driver/frontend/size.h"

#include <sstream>

#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "driver/frontend/tensor.h"
#include "support/error.h"

namespace solway {
namespace {

TEST(FrontendSize, StandsInShapesAxesAndFormulas) {
  const Size n = size("n", 1, 64);
  const Tensor A = placeholder({n, 8}, DType::Float32, "A");
  const Axis k = reduce_axis(0, n, "k");
  const Tensor B = compute(
      {n + 1, 8}, {"i", "j"},
      [&](Axis i, Axis j) {
        return sum(A[{k, j}], {k}) + A[{minimum(i, n - 1), j}] * n;
      },
      "B");
  EXPECT_EQ(n.max(), 64);
  EXPECT_EQ(A.shape(), (Shape{n, 8}));
  EXPECT_NE(A.shape(), (Shape{64, 8}));
  EXPECT_EQ(B.shape()[0].max(), 65);
  std::ostringstream text;
  text << B.shape()[0];
  EXPECT_EQ(text.str(), "n + 1");
}

TEST(FrontendSize, RefusesWhatIsNoSize) {
  EXPECT_THROW(size("n", 5, 4), DslError);
  EXPECT_THROW(size("not a name", 1, 4), DslError);
  const Size n = size("n", 1, 8);
  EXPECT_THROW(placeholder({n * n}, DType::Float32, "A"), UnsupportedError);
}

}  // namespace
}  // namespace solway
