#include "codegen/c/makefile.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::codegen {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// What `make -n` prints for the library of kernel "twice".
std::string commands(const std::string& options) {
  // Tests run at the same time.
  const char* const test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("solway_makefile_") + test);
  fs::create_directories(folder);
  std::ofstream(folder / "Makefile") << nec_makefile("twice");
  std::ofstream(folder / "twice.c") << "int twice;\n";
  const std::string log = (folder / "log").string();
  const std::string command = "env -u CC -u AR -u MAKEFLAGS make -n -C '" + folder.string() + "' " +
                              options + " > '" + log + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream stream(log);
  std::string out{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  fs::remove_all(folder);
  return out;
}

TEST(NecMakefile, CallsTheVendorsTools) {
  EXPECT_THAT(commands(""), HasSubstr("ncc -O3 -finline-functions -std=c99"));
  EXPECT_THAT(commands(""), HasSubstr("nar cr libtwice.a twice.o"));
  EXPECT_THAT(commands("CC=/opt/nec/ve/bin/ncc"), HasSubstr("nar cr libtwice.a twice.o"));
}

TEST(NecMakefile, CallsWhatIsGiven) {
  EXPECT_THAT(commands("CC=cc"), HasSubstr("cc -O3 -finline-functions -std=c99"));
  EXPECT_THAT(commands("CC=cc"), HasSubstr("\nar cr libtwice.a twice.o"));
}

}  // namespace
}  // namespace solway::codegen
