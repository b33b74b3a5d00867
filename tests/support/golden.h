#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/source_dir.h"

namespace solway {

/// Compares `actual` with the file `name` in the layer's folder of goldens. With
/// SOLWAY_UPDATE_GOLDEN=1 rewrites the file instead; a missing file fails, so a new golden is never
/// accepted unseen.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path =
      std::filesystem::path(source_dir()) / "tests/golden" / SOLWAY_TEST_LAYER / name;
  if (std::getenv("SOLWAY_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << actual;
    return;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << path << " is missing; review and create it with SOLWAY_UPDATE_GOLDEN=1\n"
                  << actual;
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(expected.str(), actual) << "golden " << path;
}

}  // namespace solway
