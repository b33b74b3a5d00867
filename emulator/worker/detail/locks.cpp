/// Locks of CPEs and counters that they add to at once: words of main memory.
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

/// What the machine adds to at once.
constexpr std::uint64_t kWord = sizeof(std::int64_t);

}  // namespace

std::int64_t& Machine::atomic_word(std::uint64_t address, const char* call) {
  check_access(address, kWord, address, shared_.site, kAccessCpe | kAccessStore);
  if (in_region(address)) {
    fault("bad_transfer", shared_.site, std::string(call) + " of a word in the LDM",
          "each CPE has its own, and no other one sees it", "use a word of main memory");
  }
  if (address % kWord != 0) {
    fault("misaligned_access", shared_.site,
          std::string(call) + " of an address that is not a multiple of 8",
          "it is " + std::to_string(address % kWord) + " past one", "use a long");
  }
  take_turn();
  return *reinterpret_cast<std::int64_t*>(address);
}

void Machine::lock(std::uint64_t address) {
  volatile std::int64_t& word = atomic_word(address, "athread_lock");
  Cpe& self = *running_;
  const std::int64_t before = shared_.ticks;
  while (word != 0) {
    block(self, CpeState::Polling,
          {.reason = "waits in athread_lock for a lock that nobody opens",
           .where = shared_.site,
           .address = address,
           .bytes = kWord,
           .seen = static_cast<std::uint64_t>(word)});
  }
  word = 1;
  if (recorder_) recorder_->wait(self.number, Stall::Barrier, before, shared_.ticks);
  if (hazards_ != nullptr) hazards_->acquired(self, address);
}

void Machine::unlock(std::uint64_t address) {
  std::int64_t& word = atomic_word(address, "athread_unlock");
  if (hazards_ != nullptr) hazards_->released(*running_, address);
  word = 0;
}

std::int64_t Machine::fetch_add(std::uint64_t address) {
  std::int64_t& word = atomic_word(address, "faal");
  if (hazards_ != nullptr) {
    hazards_->acquired(*running_, address);
    hazards_->released(*running_, address);
  }
  return word++;
}

}  // namespace solway::emulator
