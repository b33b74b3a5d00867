#include "emulator/worker/instruction_caches.h"

#include <algorithm>

namespace solway::emulator {

InstructionCaches::Cache::Cache(int bytes, const InstructionCacheTiming& timing) {
  const int lines = bytes / timing.line_bytes;
  ways_ = std::min(timing.ways, lines);
  sets_ = ways_ == 0 ? 0 : lines / ways_;
  lines_.resize(static_cast<std::size_t>(ways_ * sets_));
}

InstructionCaches::Line* InstructionCaches::Cache::begin_of_set(std::int64_t number) {
  return lines_.data() + number % sets_ * ways_;
}

InstructionCaches::Line* InstructionCaches::Cache::use(std::int64_t number) {
  if (lines_.empty()) return nullptr;
  Line* const begin = begin_of_set(number);
  Line* const found =
      std::find_if(begin, begin + ways_, [&](const Line& line) { return line.number == number; });
  if (found == begin + ways_) return nullptr;
  found->used = ++uses_;
  return found;
}

void InstructionCaches::Cache::add(Line line) {
  if (lines_.empty()) return;
  Line* const begin = begin_of_set(line.number);
  line.used = ++uses_;
  *std::min_element(begin, begin + ways_,
                    [](const Line& a, const Line& b) { return a.used < b.used; }) = line;
}

InstructionCaches::InstructionCaches(const InstructionCacheTiming& timing, int bytes, int cores)
    : timing_(timing),
      own_(static_cast<std::size_t>(cores), Cache(bytes, timing)),
      shared_(timing.shared_bytes, timing) {}

std::int64_t InstructionCaches::fetch(int core, std::int64_t address, std::int64_t bytes,
                                      std::int64_t cycle) {
  Cache& own = own_[static_cast<std::size_t>(core)];
  std::int64_t waited = 0;
  const std::int64_t end = (address + bytes + timing_.line_bytes - 1) / timing_.line_bytes;
  for (std::int64_t number = address / timing_.line_bytes; number < end; ++number) {
    if (own.use(number) != nullptr) continue;
    waited += wait_for(number, cycle + waited);
    own.add({number});
  }
  return waited;
}

std::int64_t InstructionCaches::wait_for(std::int64_t number, std::int64_t cycle) {
  const std::int64_t from_main = timing_.main_cycles;
  Line* const line = shared_.use(number);
  if (line == nullptr) {
    shared_.add({number, 0, cycle + from_main});
    return from_main;
  }
  // Cores run ahead of each other here: another one may have asked later than this one does.
  const std::int64_t wait =
      std::min(from_main, std::max<std::int64_t>(timing_.shared_cycles, line->there - cycle));
  line->there = std::min(line->there, cycle + wait);
  return wait;
}

}  // namespace solway::emulator
