#include "driver/frontend/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/temporary_folder.h"
#include "support/error.h"

namespace solway {
namespace {

using testing::HasSubstr;

class FrontendKernel : public testing::Test {
 protected:
  Tensor A = placeholder({4}, DType::Float32, "A");
  Tensor B = compute(
      {4}, {"i"}, [&](Axis i) { return A[i] * 2; }, "B");
  Schedule s{{B}};
  std::vector<float> a{1, 2, 3, 4}, b = std::vector<float>(4);
};

TEST_F(FrontendKernel, RunsOnVectorsAndSpans) {
  const Kernel k = build(s, {A, B}, {.target = "host", .name = "twice"});
  k({a, b});
  EXPECT_EQ(b, (std::vector<float>{2, 4, 6, 8}));
  k({std::span<const float>(b), std::span<float>(a)});
  EXPECT_EQ(a, (std::vector<float>{4, 8, 12, 16}));
  EXPECT_FALSE(k.source().empty());
}

TEST_F(FrontendKernel, RefusesWhatDoesNotFit) {
  const Kernel k = build(s, {A, B});
  const auto why = [&](const std::vector<ArrayRef>& arrays) -> std::string {
    try {
      k(arrays);
    } catch (const ArgumentMismatchError& error) {
      return error.what();
    }
    return "";
  };
  std::vector<float> few(3);
  std::vector<double> wide(4);
  const std::vector<float> constant(4);
  EXPECT_THAT(why({a}), HasSubstr("kernel takes 2 arrays"));
  EXPECT_THAT(why({few, b}), HasSubstr("got 3 elements, 'A' has 4"));
  EXPECT_THAT(why({wide, b}), HasSubstr("got float64, 'A' has float32"));
  EXPECT_THAT(why({a, constant}), HasSubstr("got elements that are const"));
}

TEST_F(FrontendKernel, AnOutputIsAnInputOnlyWhereTheDependencesAllowIt) {
  build(s, {A, B})({a, a});
  EXPECT_EQ(a, (std::vector<float>{2, 4, 6, 8}));
  const Tensor D = compute(
      {4}, {"i"}, [&](Axis i) { return A[3 - i]; }, "D");
  const Schedule turned({D});
  const Kernel k = build(turned, {A, D});
  EXPECT_THROW(k({a, a}), ArgumentMismatchError);
  EXPECT_THROW(build(s, {A, B})({std::span(a).subspan(0, 4), std::span(b).subspan(0, 3)}),
               ArgumentMismatchError);
}

TEST(FrontendKernelOfSizes, OneKernelServesAllValues) {
  const Size n = size("n", 1, 100);
  const Size m = size("m", 1, 100);
  const Tensor A = placeholder({n, m}, DType::Int32, "A");
  const Tensor B = compute(
      {m, n}, {"i", "j"},
      [&](Axis i, Axis j) {
        return A[{j, i}] * 2;
      },
      "B");
  const Schedule s({B});
  const Kernel k = build(s, {A, B});
  std::vector<std::int32_t> a{1, 2, 3, 4, 5, 6}, b(6);
  k({a, b}, {.sizes = {{"n", 2}}});
  EXPECT_EQ(b, (std::vector<std::int32_t>{2, 8, 4, 10, 6, 12}));
  k({a, b}, {.sizes = {{"n", 3}, {"m", 2}}});
  EXPECT_EQ(b, (std::vector<std::int32_t>{2, 6, 10, 4, 8, 12}));
  EXPECT_THROW(k({a, b}), ArgumentMismatchError);
  EXPECT_THROW(k({a, b}, {.sizes = {{"n", 4}}}), ArgumentMismatchError);
  EXPECT_THROW(k({a, b}, {.sizes = {{"n", 3}, {"m", 3}}}), ArgumentMismatchError);
}

TEST(FrontendKernelOfSizes, EveryCallChecksWhatTheScheduleAssumes) {
  const Size n = size("n", 1, 64);
  const Tensor A = placeholder({n}, DType::Float32, "A");
  const Tensor B = compute(
      {n}, {"i"}, [&](Axis i) { return A[i] * 2; }, "B");
  Schedule s({B});
  s.assume({n % 4 == 0, n <= 16});
  const auto [outer, inner] = s[B].split("i", 4);
  EXPECT_EQ(s.to_string(),
            "Assume n % 4 == 0\nAssume n <= 16\nFor i.o in range(n // 4)\n  For i.i in range(4)\n"
            "    B[i.o*4 + i.i] = A[i.o*4 + i.i]*2.0\n");
  const Kernel k = build(s, {A, B}, {.target = "host", .name = "twice"});
  std::vector<float> a(8, 3), b(8);
  k({a, b});
  EXPECT_EQ(b, std::vector<float>(8, 6));
  std::vector<float> c(6, 3), d(6);
  try {
    k({c, d});
    FAIL() << "expected ArgumentMismatchError";
  } catch (const ArgumentMismatchError& error) {
    EXPECT_EQ(error.report().where.line, __LINE__ - 3);
    EXPECT_THAT(error.what(), HasSubstr("twice runs only where n % 4 == 0"));
    EXPECT_THAT(error.what(), HasSubstr("got n = 6"));
  }
  EXPECT_THROW(s.assume({n > 16}), ScheduleArgumentError);
}

TEST_F(FrontendKernel, SavesItsSources) {
  const Kernel k = build(s, {A, B}, {.target = "c", .name = "twice"});
  const driver::TemporaryFolder folder({});
  const std::string path = (folder.path() / "made").string();
  EXPECT_THAT(k.save(path), testing::Contains(path + "/twice.c"));
  EXPECT_THROW(k.save("/dev/null/made"), ArgumentMismatchError);
  EXPECT_GE(k({a, b}).seconds, 0);
}

TEST_F(FrontendKernel, SavesLibrariesWithThreads) {
  const driver::TemporaryFolder folder({});
  const std::string path = (folder.path() / "made").string();
  const Kernel one = build(s, {A, B}, {.target = "host", .name = "twice"});
  EXPECT_THROW(one.save_with_threads(path), UnsupportedError);  // no parallel loop
  s[B].parallel(B.axis()[0]);
  const Kernel k = build(s, {A, B}, {.target = "host", .name = "twice"});
  EXPECT_THAT(k.save_with_threads(path), testing::Contains(path + "/libtwice.so"));
}

TEST(FrontendKernelOfBits, TakesFloatsOf16Bits) {
  const Tensor A = placeholder({2}, DType::Float16, "A");
  const Tensor B = compute(
      {2}, {"i"}, [&](Axis i) { return A[i] + A[i]; }, "B");
  std::vector<std::uint16_t> a{0x3C00, 0xC000}, b(2);  // 1, -2
  const Schedule s({B});
  build(s, {A, B})({ArrayRef(a, DType::Float16), ArrayRef(b, DType::Float16)});
  EXPECT_EQ(b, (std::vector<std::uint16_t>{0x4000, 0xC400}));
}

}  // namespace
}  // namespace solway
