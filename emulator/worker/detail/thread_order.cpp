/// What hazard mode knows of threads of the MPE, and of locks.
#include <algorithm>

#include "emulator/worker/detail/hazards.h"

namespace solway::emulator {

void Hazards::created(unsigned by, unsigned thread) {
  clocks_.resize(std::max<std::size_t>(clocks_.size(), thread + 1));
  clocks_[thread].join(clocks_[by]);
  clocks_[thread].advance(thread);
  clocks_[by].advance(by);
}

void Hazards::joined(unsigned by, unsigned thread) { clocks_[by].join(clocks_[thread]); }

void Hazards::met(const std::vector<unsigned>& mpe_threads) {
  VectorClock all;
  for (const unsigned thread : mpe_threads) all.join(clocks_[thread]);
  for (const unsigned thread : mpe_threads) {
    clocks_[thread] = all;
    clocks_[thread].advance(thread);
  }
}

void Hazards::acquired(const Cpe& cpe, std::uint64_t word) {
  const auto found = released_.find(word);
  if (found != released_.end()) received(cpe, found->second);
}

void Hazards::released(const Cpe& cpe, std::uint64_t word) { released_[word].join(sent(cpe)); }

void Hazards::acquired(unsigned mpe_thread, std::uint64_t mutex) {
  const auto found = released_.find(mutex);
  if (found != released_.end()) clocks_[mpe_thread].join(found->second);
}

void Hazards::released(unsigned mpe_thread, std::uint64_t mutex) {
  released_[mutex].join(clocks_[mpe_thread]);
  clocks_[mpe_thread].advance(mpe_thread);
}

}  // namespace solway::emulator
