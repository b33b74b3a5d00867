#include "runtime/gate.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace solway::runtime {
namespace {

TEST(Gate, LetsPassWhatItDoesNotHold) {
  Gate gate;
  gate.set(3);
  gate.wait_while(2, Wait::Sleep);
  EXPECT_EQ(gate.value(), 3U);
}

TEST(Gate, WakesAllThatSleep) {
  Gate gate;
  int written = 0;
  std::atomic<int> seen{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) {
    threads.emplace_back([&] {
      gate.wait_while(0, Wait::Sleep);
      seen += written;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  written = 7;
  gate.set(1);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, 21);
}

/// Neither side may miss the other at the moment when the spinning one goes to sleep.
TEST(Gate, ManyHandoversLoseNone) {
  Gate there;
  Gate back;
  constexpr std::uint32_t kRounds = 20000;
  std::uint32_t shared = 0;
  std::thread other([&] {
    for (std::uint32_t k = 0; k < kRounds; ++k) {
      there.wait_while(k, k % 2 == 0 ? Wait::Sleep : Wait::Spin);
      ++shared;
      back.set(k + 1);
    }
  });
  for (std::uint32_t k = 0; k < kRounds; ++k) {
    ++shared;
    there.set(k + 1);
    back.wait_while(k, k % 3 == 0 ? Wait::Sleep : Wait::Spin);
  }
  other.join();
  EXPECT_EQ(shared, 2 * kRounds);
}

}  // namespace
}  // namespace solway::runtime
