#include "driver/frontend/call_arguments.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/temporary_folder.h"
#include "support/error.h"

namespace solway::detail {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const SourceLoc kWhere{"user.cpp", 3, ""};

class CallArguments : public testing::Test {
 protected:
  Tensor A = placeholder({4}, DType::Float32, "A");
  Tensor B = placeholder({4}, DType::Float32, "B");
  std::vector<float> a = std::vector<float>(4), b = std::vector<float>(4);

  template <typename Function>
  static std::string why(Function function) {
    try {
      function();
    } catch (const ArgumentMismatchError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(CallArguments, NamesWhatACallTakes) {
  EXPECT_EQ(why([&] { require_count("k", {a, b}, {A, B}, kWhere); }), "");
  const std::string text = why([&] { require_count("k", {a}, {A, B}, kWhere); });
  EXPECT_THAT(text, HasSubstr("k takes 2 arrays"));
  EXPECT_THAT(text, HasSubstr("pass A, B"));
}

TEST_F(CallArguments, TypeNumberAndMutability) {
  EXPECT_EQ(why([&] { require_fits(a, A, 4, ir::Role::Out, kWhere); }), "");
  EXPECT_THAT(why([&] { require_fits(a, A, 5, ir::Role::In, kWhere); }),
              HasSubstr("got 4 elements, 'A' has 5"));
  const std::vector<float>& constant = a;
  EXPECT_EQ(why([&] { require_fits(constant, A, 4, ir::Role::In, kWhere); }), "");
  EXPECT_THAT(why([&] { require_fits(constant, A, 4, ir::Role::InOut, kWhere); }),
              HasSubstr("got elements that are const"));
}

TEST_F(CallArguments, OverlapsOnlyWhereAnOutputMayBeAnInput) {
  const std::vector<ir::Role> roles{ir::Role::In, ir::Role::Out};
  const auto overlap = [&](const std::vector<std::pair<std::size_t, std::size_t>>& shareable) {
    return why([&] { require_no_overlap({a, a}, {A, B}, roles, shareable, kWhere); });
  };
  EXPECT_THAT(overlap({}), HasSubstr("'B' overlaps 'A'"));
  EXPECT_EQ(overlap({{1, 0}}), "");
  EXPECT_EQ(why([&] { require_no_overlap({a, b}, {A, B}, roles, {}, kWhere); }), "");
}

TEST_F(CallArguments, SourcesGoIntoAFolderThatIsMade) {
  const driver::TemporaryFolder folder(kWhere);
  const std::string inside = (folder.path() / "new").string();
  EXPECT_THAT(write_sources({{"a.c", "int a;"}, {"b.c", "int b;"}}, inside, kWhere),
              ElementsAre(EndsWith("new/a.c"), EndsWith("new/b.c")));
  EXPECT_EQ(std::filesystem::file_size(inside + "/a.c"), 6U);
  EXPECT_THAT(why([&] {
                write_sources({{"a.c", ""}}, "/proc/none", kWhere);
              }),
              HasSubstr("'/proc/none' cannot be written"));
}

}  // namespace
}  // namespace solway::detail
