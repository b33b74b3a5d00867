#include "emulator/worker/detail/clock.h"

#include <algorithm>
#include <cmath>

#include "emulator/worker/detail/machine_options.h"

namespace solway::emulator {

Clock::Clock(const MachineTiming& timing)
    : timing_(timing),
      rate_(timing.dma, static_cast<std::uint64_t>(timing.dma_transaction_bytes)),
      queue_(kCpes, timing.dma_buses, timing.dma_startup) {}

std::int64_t Clock::ticks(double cycles) {
  return static_cast<std::int64_t>(std::ceil(cycles * kTicksPerCycle));
}

std::int64_t Clock::main_load_ticks(int cpes) const {
  return kTicksPerCycle * std::max(timing_.main_load, cpes * timing_.main_access);
}

std::int64_t Clock::main_store_ticks(int cpes) const {
  return kTicksPerCycle * std::max(timing_.main_store, cpes * timing_.main_access);
}

void Clock::issue(const Cpe& cpe, Transfer& transfer, std::int64_t now) {
  transfer.number = ++requests_;
  const DmaShape shape{transfer.direction, transfer.main_address, transfer.block, transfer.pitch,
                       block_count(transfer)};
  const int bus = cpe.id % kCpeColumns * timing_.dma_buses / kCpeColumns;
  queue_.issue(cpe.id, bus, transfer.number, static_cast<double>(now) / kTicksPerCycle,
               rate_.cycles(shape));
}

std::optional<std::int64_t> Clock::next_completion() const {
  const auto cycle = queue_.next_completion();
  if (!cycle) return std::nullopt;
  return ticks(*cycle);
}

std::vector<DmaCompletion> Clock::advance(std::int64_t now) {
  return queue_.advance(static_cast<double>(now) / kTicksPerCycle);
}

void Clock::note_run(std::int64_t begin, std::int64_t end) {
  first_begin_ = last_end_ == 0 ? begin : std::min(first_begin_, begin);
  last_end_ = std::max(last_end_, end);
  busy_ += end - begin;
}

}  // namespace solway::emulator
