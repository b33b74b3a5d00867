#include "driver/frontend/size_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::detail {
namespace {

using testing::HasSubstr;

class SizeValuesTest : public testing::Test {
 protected:
  SizeValues found(const std::vector<Tensor>& args, const std::vector<std::int64_t>& counts,
                   const SizeValues& given = {}) const {
    return size_values("f", {n.node()->size, m.node()->size}, args, counts, given, {});
  }
  std::string refusal(const std::vector<Tensor>& args, const std::vector<std::int64_t>& counts,
                      const SizeValues& given = {}) const {
    try {
      found(args, counts, given);
    } catch (const ArgumentMismatchError& error) {
      return error.what();
    }
    return "";
  }

  Size n = size("n", 1, 1000);
  Size m = size("m", 0, 50);
  Tensor A = placeholder({n + 2, 8}, DType::Float32, "A");
  Tensor B = placeholder({n, m}, DType::Float32, "B");
};

TEST_F(SizeValuesTest, FollowFromNumbersOfElements) {
  // The second array tells m only after the first has told n.
  EXPECT_EQ(found({B, A}, {5 * 7, 7 * 8}), (SizeValues{{"n", 5}, {"m", 7}}));
  EXPECT_EQ(elements_of(A, {{"n", 5}, {"m", 7}}), 56);
}

TEST_F(SizeValuesTest, AreTakenAsGiven) {
  EXPECT_EQ(found({B}, {35}, {{"m", 7}}), (SizeValues{{"n", 5}, {"m", 7}}));
  EXPECT_THAT(refusal({B}, {35}, {{"m", 51}}), HasSubstr("got 51, it runs from 0 to 50"));
  EXPECT_THAT(refusal({B}, {35}, {{"k", 1}}), HasSubstr("f has no size 'k'"));
}

TEST_F(SizeValuesTest, AreAskedForWhereNothingTells) {
  EXPECT_THAT(refusal({B}, {35}), HasSubstr("f needs the value of 'n'"));
  EXPECT_THAT(refusal({A}, {57}), HasSubstr("f needs the value of 'n'"));
  EXPECT_THAT(refusal({A}, {56}), HasSubstr("f needs the value of 'm'"));
  const Tensor falling = placeholder({1000 - n}, DType::Float32, "C");
  EXPECT_THAT(refusal({falling}, {10}), HasSubstr("f needs the value of 'n'"));
}

}  // namespace
}  // namespace solway::detail
