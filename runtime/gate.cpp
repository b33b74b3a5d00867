#include "runtime/gate.h"

#include <chrono>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace solway::runtime {
namespace {

/// Sleeping and waking cost about as much: a wait that is longer than this may as well sleep.
constexpr std::chrono::microseconds kSpinTime{50};
/// Reading the clock costs as much as so many looks.
constexpr int kLooksPerTime = 64;

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

bool spin_while(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int k = 0; k < kLooksPerTime; ++k) {
      if (word.load(std::memory_order_acquire) != old) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value) {
  // The answer does not matter: who wakes looks again.
  (void)syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation | FUTEX_PRIVATE_FLAG,
                value, nullptr, nullptr, 0);
}

}  // namespace

void Gate::set(std::uint32_t value) {
  // Sequentially consistent, here and in wait_while: either this sees the sleeper, or the sleeper
  // sees the value.
  value_.store(value, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) futex(value_, FUTEX_WAKE, INT32_MAX);
}

void Gate::wait_while(std::uint32_t old, Wait wait) {
  if (value() != old) return;
  if (wait == Wait::Spin && spin_while(value_, old)) return;
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  while (value_.load(std::memory_order_seq_cst) == old) futex(value_, FUTEX_WAIT, old);
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace solway::runtime
