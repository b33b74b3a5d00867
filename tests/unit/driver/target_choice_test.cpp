#include "driver/target_choice.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/temporary_folder.h"
#include "support/error.h"

#include "tests/support/source_dir.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const SourceLoc kWhere{"user.py", 4, ""};

TEST(TargetChoice, ListsHostFirst) {
  EXPECT_THAT(target_names(),
              ElementsAre("host", "aarch64-neon", "aarch64-sve", "c", "example-cluster",
                          "example-microcontroller", "riscv64-v", "sw26010", "sw26010pro", "ve",
                          "ve-ncc", "x86-64-v3", "x86-64-v4"));
}

TEST(TargetChoice, TakesNamesAndPaths) {
  for (const std::string& name : target_names()) {
    EXPECT_NO_THROW(require_target(name, kWhere)) << name;
  }
  EXPECT_EQ(require_target("sw26010", kWhere).dialect, "athread");
  const std::string path = source_dir() + "/targets/sw26010.toml";
  EXPECT_EQ(require_target(path, kWhere).name, "sw26010");
}

TEST(TargetChoice, ListsWhatIsThereForAnotherName) {
  try {
    require_target("pdp11", kWhere);
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 4);
    EXPECT_EQ(e.report().what, "target 'pdp11' is not there");
    EXPECT_THAT(e.report().why, HasSubstr("'host', 'aarch64-neon', 'aarch64-sve', 'c'"));
  }
}

TEST(TargetChoice, NamesKeyAndLineOfAFileThatDoesNotFit) {
  const TemporaryFolder folder(kWhere);
  const std::string path = (folder.path() / "mine.toml").string();
  std::ofstream(path) << "name = \"mine\"\ncolour = \"red\"\n";
  try {
    require_target(path, kWhere);
    FAIL() << "expected ScheduleArgumentError";
  } catch (const ScheduleArgumentError& e) {
    EXPECT_THAT(e.report().what, HasSubstr(path));
  }
}

}  // namespace
}  // namespace solway::driver
