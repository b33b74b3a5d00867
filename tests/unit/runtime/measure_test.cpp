#include "runtime/measure.h"

#include <gtest/gtest.h>

namespace solway::runtime {
namespace {

TEST(Measure, TimesArePositiveAndInOrder) {
  for (const Times times : {fork_join_times(2, 50), barrier_times(2, 50), fork_join_times(1, 5)}) {
    EXPECT_GT(times.least, 0);
    EXPECT_LE(times.least, times.median);
    EXPECT_LT(times.least, 0.1);
  }
}

}  // namespace
}  // namespace solway::runtime
