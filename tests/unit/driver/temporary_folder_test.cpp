#include "driver/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::driver {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(TemporaryFolder, VanishesWithWhatIsInIt) {
  fs::path path;
  {
    const TemporaryFolder folder({"user.py", 2, ""});
    path = folder.path();
    std::ofstream(path / "file.c") << "int x;\n";
    EXPECT_TRUE(fs::exists(path / "file.c"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, WritesBytesAsTheyAre) {
  const TemporaryFolder folder({"user.py", 2, ""});
  const std::string bytes("a\0b\r\n", 5);
  const fs::path path = folder.write("file.bin", bytes, {});
  EXPECT_EQ(path, folder.path() / "file.bin");
  std::ifstream stream(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), bytes);
  folder.require_room({});  // there is some, where tests run
}

TEST(TemporaryFolder, AFileThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder({"user.py", 2, ""});
  try {
    folder.write("no/such/folder", "text", {"user.py", 3, ""});
    ADD_FAILURE() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 3);
    EXPECT_THAT(e.report().why, HasSubstr("no/such/folder' cannot be written"));
    EXPECT_THAT(e.report().fix, HasSubstr("TMPDIR"));
  }
}

TEST(TemporaryFolder, SaysThatItsPlaceIsNotWritable) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/proc", 1);
  try {
    const TemporaryFolder folder({"user.py", 2, ""});
    ADD_FAILURE() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 2);
    EXPECT_THAT(e.report().why, HasSubstr("'/proc'"));
    EXPECT_THAT(e.report().fix, HasSubstr("TMPDIR"));
  }
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace solway::driver
