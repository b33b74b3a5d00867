#include "emulator/toolchain.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::emulator {
namespace {

TEST(Toolchain, FindsEverythingInTheBuild) {
  const Toolchain toolchain = Toolchain::locate();
  EXPECT_TRUE(std::filesystem::exists(toolchain.clang));
  EXPECT_TRUE(std::filesystem::exists(toolchain.headers / "sw26010" / "athread.h"));
  EXPECT_EQ(toolchain.worker.filename(), "solway-emulator-worker");
}

TEST(Toolchain, NamesTheVariableThatPointsNowhere) {
  for (const char* const variable :
       {"SOLWAY_CLANG", "SOLWAY_EMULATOR_HEADERS", "SOLWAY_EMULATOR_WORKER"}) {
    setenv(variable, "/nowhere/at/all", 1);
    try {
      Toolchain::locate();
      ADD_FAILURE() << "expected UnsupportedError";
    } catch (const UnsupportedError& e) {
      EXPECT_THAT(e.what(), ::testing::HasSubstr(variable));
    }
    unsetenv(variable);
  }
}

}  // namespace
}  // namespace solway::emulator
