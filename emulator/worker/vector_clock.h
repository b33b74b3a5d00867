#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace solway::emulator {

/// Threads that accesses are ordered between: the CPEs of the first core group by number, then the
/// first thread of the MPE; behind them the CPEs of other groups, then other threads of the MPE.
inline constexpr unsigned kMpeThread = 64;
inline constexpr unsigned kFirstThreads = 65;
inline constexpr unsigned kFirstOtherMpeThread = 385;  ///< behind six groups
inline constexpr unsigned kMostThreads = 510;

/// CPE `id` of a core group.
constexpr unsigned cpe_thread(int group, int id) {
  return static_cast<unsigned>(64 * group + id) + (group == 0 ? 0 : 1);
}
/// The MPE's threads, in the order of their numbers.
constexpr unsigned mpe_thread(int number) {
  return number == 0 ? kMpeThread : kFirstOtherMpeThread - 1 + static_cast<unsigned>(number);
}
constexpr bool is_mpe_thread(unsigned thread) {
  return thread == kMpeThread || thread >= kFirstOtherMpeThread;
}

/// For each thread, up to which of its steps the owner comes after.
class VectorClock {
 public:
  std::uint32_t operator[](unsigned thread) const {
    if (thread < kFirstThreads) return steps_[thread];
    const std::size_t at = thread - kFirstThreads;
    return at < more_.size() ? more_[at] : 0;
  }
  void advance(unsigned thread) {
    if (thread < kFirstThreads) {
      ++steps_[thread];
      return;
    }
    const std::size_t at = thread - kFirstThreads;
    if (at >= more_.size()) more_.resize(at + 1);
    ++more_[at];
  }
  /// The owner comes after all that `other` comes after.
  void join(const VectorClock& other) {
    for (unsigned i = 0; i < kFirstThreads; ++i) {
      steps_[i] = std::max(steps_[i], other.steps_[i]);
    }
    if (more_.size() < other.more_.size()) more_.resize(other.more_.size());
    for (std::size_t i = 0; i < other.more_.size(); ++i) {
      more_[i] = std::max(more_[i], other.more_[i]);
    }
  }

 private:
  std::array<std::uint32_t, kFirstThreads> steps_{};
  std::vector<std::uint32_t> more_;  ///< of programs that have more threads
};

}  // namespace solway::emulator
