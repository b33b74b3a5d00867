#include "runtime/large_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace solway::runtime {
namespace {

std::uintptr_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST(LargeMemory, SmallOnesHaveTheirAlignment) {
  void* const memory = allocate(64, 1024);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(address_of(memory) % 64, 0U);
  std::memset(memory, 1, 1024);
  std::free(memory);
}

TEST(LargeMemory, LargeOnesBeginOnALargePage) {
  for (const std::size_t bytes : {kLargeBytes, kLargeBytes + 64, 3 * kLargeBytes + 8}) {
    void* const memory = allocate(64, bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(address_of(memory) % kLargePageBytes, 0U);
    std::memset(memory, 1, bytes);
    std::free(memory);
  }
}

TEST(LargeMemory, NullWhereWholePagesAreMoreThanSizesCount) {
  EXPECT_EQ(allocate(64, std::numeric_limits<std::size_t>::max() - 100), nullptr);
}

}  // namespace
}  // namespace solway::runtime
