#include "dsl/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/unit/dsl/programs.h"

namespace solway::dsl {
namespace {

using ::testing::ElementsAre;
using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

Tensor doubled(const Tensor& base, const std::string& name, std::int64_t distance = 0) {
  const Axis i = spatial("i", 8);
  return make_update(base, {i}, {add(var(i), lit(distance))}, mul(read(base, {var(i)}), lit(2.0)),
                     nullptr, name, line(6));
}

TEST(MakeUpdate, SharesTheMemoryOfWhatItChanges) {
  const Tensor a = input("A", {8});
  const Tensor b = doubled(a, "B"), c = doubled(b, "C");
  EXPECT_EQ(c->storage_name(), "A");
  EXPECT_EQ(root_of(c), a);
  EXPECT_THAT(inputs_of(c), ElementsAre(b));
}

TEST(MakeUpdate, RefusesAReadOfWhatItChangedAfterIt) {
  const Tensor a = input("A", {8});
  const Axis i = spatial("i", 8);
  {
    const Tensor b = doubled(a, "B");
    try {
      make_compute({8}, {i}, read(a, {var(i)}, 7), "C", line(8));
      FAIL() << "expected DslError";
    } catch (const DslError& e) {
      EXPECT_EQ(e.report().what, "A[i] reads 'A' after an update took its place");
      EXPECT_EQ(e.report().fix, "use 'B' instead of 'A'");
    }
    EXPECT_THROW(doubled(a, "C"), DslError);
  }
  EXPECT_NO_THROW(make_compute({8}, {i}, read(a, {var(i)}), "C", line(8))) << "no update is left";
}

TEST(MakeUpdate, RefusesAnIndexOutsideWithAStep) {
  const Tensor a = input("A", {8});
  try {
    doubled(a, "B", 2);
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().what, "update 'B' stores outside 'A'");
    EXPECT_EQ(e.report().why, "index 0, i + 2, is 8 of 8 at i=6");
  }
}

TEST(MakeUpdate, RefusesTheWrongRankAndWhatIsNotAffine) {
  const Tensor a = input("A", {8}), n = input("n", {8}, DType::Int64);
  const Axis i = spatial("i", 8);
  EXPECT_THROW(make_update(a, {i}, {var(i), var(i)}, lit(1.0), nullptr, "B", line(6)), DslError);
  EXPECT_THROW(make_update(a, {i}, {read(n, {var(i)})}, lit(1.0), nullptr, "B", line(6)),
               UnsupportedError);
}

}  // namespace
}  // namespace solway::dsl
