#include "runtime/cores.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <sched.h>

namespace solway::runtime {
namespace {

TEST(UsableCores, AreProcessorsOfTheMask) {
  const std::vector<int> cores = usable_cores();
  ASSERT_FALSE(cores.empty());
  EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
  EXPECT_EQ(std::set<int>(cores.begin(), cores.end()).size(), cores.size());
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  for (const int core : cores) EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(core), &mask));
  EXPECT_LE(static_cast<int>(cores.size()), CPU_COUNT(&mask));
}

TEST(UsableCores, AThreadOnOneProcessorHasOne) {
  const std::vector<int> all = usable_cores();
  std::vector<int> found;
  std::thread([&] {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(static_cast<std::size_t>(all.back()), &mask);
    if (sched_setaffinity(0, sizeof mask, &mask) == 0) found = usable_cores();
  }).join();
  EXPECT_EQ(found, (std::vector<int>{all.back()}));
}

TEST(DefaultThreads, AreNoMoreThanCores) {
  EXPECT_GE(default_threads(), 1);
  EXPECT_LE(default_threads(), static_cast<int>(usable_cores().size()));
}

}  // namespace
}  // namespace solway::runtime
