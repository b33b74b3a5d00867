#include "driver/find_program.h"

#include <gtest/gtest.h>

namespace solway::driver {
namespace {

TEST(FindProgram, OnThePath) {
  const auto found = find_program("sh");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->substr(found->rfind('/')), "/sh");
}

TEST(FindProgram, APathIsTakenAsItIs) {
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(find_program("/bin/no-such-program"));
}

TEST(FindProgram, NeitherMissingOnesNorFolders) {
  EXPECT_FALSE(find_program("no-such-program"));
  EXPECT_FALSE(find_program("/bin/"));
}

}  // namespace
}  // namespace solway::driver
