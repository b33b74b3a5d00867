#include "emulator/worker/detail/clock.h"

#include <algorithm>
#include <cmath>

namespace solway::emulator {

Clock::Clock(const MachineTiming& timing)
    : timing_(timing), rate_(timing.dma), queue_(kCpes, timing.dma.buses, timing.dma.startup) {}

std::int64_t Clock::ticks(double cycles) {
  return static_cast<std::int64_t>(std::ceil(cycles * kTicksPerCycle));
}

std::int64_t Clock::main_load_ticks(int cpes) const {
  return kTicksPerCycle * std::max(figures().main_load_cycles, cpes * figures().main_access_cycles);
}

std::int64_t Clock::main_store_ticks(int cpes) const {
  return kTicksPerCycle *
         std::max(figures().main_store_cycles, cpes * figures().main_access_cycles);
}

void Clock::issue(const Cpe& cpe, Transfer& transfer, std::int64_t now) {
  transfer.number = ++requests_;
  const DmaShape shape{transfer.direction, transfer.main_address, transfer.block, transfer.pitch,
                       block_count(transfer)};
  const int bus = cpe.id % kCpeColumns * timing_.dma.buses / kCpeColumns;
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

std::int64_t Clock::send(int cpe, RegisterLine line, std::int64_t now) {
  std::int64_t& next = next_sent_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
  const std::int64_t leaves = std::max(now, next);
  next = leaves + message_interval();
  return leaves + kTicksPerCycle * figures().message_cycles;
}

std::int64_t Clock::receive(int cpe, RegisterLine line, std::int64_t arrives, std::int64_t now) {
  std::int64_t& next =
      next_received_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
  const std::int64_t has = std::max(arrives, next);
  next = has + message_interval();
  return std::max(now, has);
}

void Clock::note_run(std::int64_t begin, std::int64_t end) {
  first_begin_ = last_end_ == 0 ? begin : std::min(first_begin_, begin);
  last_end_ = std::max(last_end_, end);
  busy_ += end - begin;
}

}  // namespace solway::emulator
