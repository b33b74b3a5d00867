#include "support/error.h"

#include <gtest/gtest.h>

namespace solway {
namespace {

Error::Report example() {
  return {{"stencil.py", 12, "s[H].reorder(i, t)"},
          "reorder(i, t) would run H[t=1, i=3] before H[t=0, i=4], which it reads",
          "H[1, 3] reads H[0, 4]",
          "skew first"};
}

TEST(Error, PrintsFourFieldsInOrder) {
  const UnsupportedError error(example());
  EXPECT_STREQ(error.what(),
               "UnsupportedError: reorder(i, t) would run H[t=1, i=3] before H[t=0, i=4], which it "
               "reads\n"
               "  why: H[1, 3] reads H[0, 4]\n"
               "  fix: skew first\n"
               "  at:  stencil.py:12: s[H].reorder(i, t)");
  EXPECT_STREQ(error.class_name(), "UnsupportedError");
  EXPECT_EQ(error.report().where.line, 12);
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(InternalError({{}, "no such node", "kind 9", ""}).what(),
               "InternalError: no such node\n  why: kind 9");
  EXPECT_STREQ(DslError({{"a.py", 1, ""}, "rank", "", ""}).what(), "DslError: rank\n  at:  a.py:1");
}

TEST(Error, EveryClassIsAnErrorWithItsName) {
  const auto name_of = [](const Error& error) { return std::string(error.class_name()); };
  EXPECT_EQ(name_of(DslError(example())), "DslError");
  EXPECT_EQ(name_of(ScheduleArgumentError(example())), "ScheduleArgumentError");
  EXPECT_EQ(name_of(AnalysisBudgetError(example())), "AnalysisBudgetError");
  EXPECT_EQ(name_of(ArgumentMismatchError(example())), "ArgumentMismatchError");
}

TEST(Error, CarriesDataOfItsClass) {
  const IllegalScheduleError illegal(
      example(),
      {{"H", {{"t", 0}, {"i", 4}}}, {"H", {{"t", 1}, {"i", 3}}}, "H", {0, 4}, "reorder"});
  EXPECT_EQ(illegal.violation().source.to_string(), "H[t=0, i=4]");
  EXPECT_EQ(illegal.violation().element, (std::vector<std::int64_t>{0, 4}));

  const CapacityError capacity(example(), 70000, 65536, {{"AA", 70000, "buffer_read(A)"}});
  EXPECT_EQ(capacity.needed_bytes(), 70000);
  EXPECT_EQ(capacity.available_bytes(), 65536);
  ASSERT_EQ(capacity.buffers().size(), 1U);
  EXPECT_EQ(capacity.buffers()[0].name, "AA");

  const EmulatorError emulator(example(), "ldm_overflow", {"cpe.c", 3, ""}, 17);
  EXPECT_EQ(emulator.kind(), "ldm_overflow");
  EXPECT_EQ(emulator.cause().line, 3);
  EXPECT_EQ(emulator.cpe(), 17);
}

TEST(Instance, PrintsAxesByName) {
  EXPECT_EQ((Instance{"C", {}}).to_string(), "C");
  EXPECT_EQ((Instance{"C", {{"i", -1}}}).to_string(), "C[i=-1]");
}

}  // namespace
}  // namespace solway
