#pragma once

#include <atomic>
#include <cstdint>

namespace solway::runtime {

/// How long a thread that waits stays on its core before it sleeps.
enum class Wait : std::uint8_t {
  Spin,  ///< about 50 us: as long as threads have a core each, what they wait for comes sooner
  Sleep  ///< not at all: there are more threads than cores
};

/// A number that threads wait on until it changes.
class Gate {
 public:
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }
  /// Gives it another value and wakes who waits. What was written before is seen after the wait.
  void set(std::uint32_t value);
  /// Returns once it has another value than `old`.
  void wait_while(std::uint32_t old, Wait wait);

 private:
  std::atomic<std::uint32_t> value_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace solway::runtime
