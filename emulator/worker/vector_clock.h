#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace solway::emulator {

/// Threads that accesses are ordered between: the CPEs by number, then the MPE.
inline constexpr unsigned kThreads = 65;
inline constexpr unsigned kMpeThread = 64;

/// For each thread, up to which of its steps the owner comes after.
class VectorClock {
 public:
  std::uint32_t operator[](unsigned thread) const { return steps_[thread]; }
  void advance(unsigned thread) { ++steps_[thread]; }
  /// The owner comes after all that `other` comes after.
  void join(const VectorClock& other) {
    for (unsigned i = 0; i < kThreads; ++i) steps_[i] = std::max(steps_[i], other.steps_[i]);
  }

 private:
  std::array<std::uint32_t, kThreads> steps_{};
};

}  // namespace solway::emulator
