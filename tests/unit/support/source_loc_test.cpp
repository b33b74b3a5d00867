#include "support/source_loc.h"

#include <gtest/gtest.h>

namespace solway {
namespace {

TEST(SourceLoc, PrintsFileAndLine) {
  EXPECT_EQ((SourceLoc{"user.py", 7, "s.reorder(i, j)"}).to_string(), "user.py:7");
}

TEST(SourceLoc, IsEmptyWhenUnknown) { EXPECT_EQ((SourceLoc{"user.py", 0, ""}).to_string(), ""); }

}  // namespace
}  // namespace solway
