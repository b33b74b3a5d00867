#include "emulator/worker/detail/clock.h"

#include <algorithm>
#include <cmath>

#include "emulator/worker/detail/failure.h"

namespace solway::emulator {

Clock::Clock(const MachineTiming& timing, TimelineRecorder& recorder, int first_core)
    : timing_(timing),
      rate_(timing.dma),
      queue_(kCpes, timing.dma.buses),
      recorder_(recorder),
      first_core_(first_core) {
  if (figures().remote_copies) {
    copies_.emplace(*figures().remote_copies, kCpeRows, kCpeColumns);
  }
  if (figures().instruction_cache) {
    code_.emplace(*figures().instruction_cache, timing.icache_bytes, kCpes);
  }
}

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
  const std::uint64_t blocks = block_count(transfer);
  const std::uint64_t each = transfer.plane_blocks == 0 ? blocks : transfer.plane_blocks;
  double cycles = 0;
  for (std::uint64_t first = 0; first < blocks; first += each) {
    cycles += rate_.cycles(
        {transfer.direction, block_address(transfer, first), transfer.block, transfer.pitch, each});
  }
  const int bus = cpe.id % kCpeColumns * timing_.dma.buses / kCpeColumns;
  const bool is_put = transfer.direction == Transfer::Direction::Put;
  const double startup = is_put ? timing_.dma.put_startup : timing_.dma.startup;
  queue_.issue(cpe.id, bus, transfer.number, static_cast<double>(now) / kTicksPerCycle,
               {startup, cycles});
  const auto [place, is_new] = places_.try_emplace(transfer.issued);
  if (is_new) place->second = recorder_.name(to_string(transfer.issued));
  recorder_.issue(cpe.number, transfer.number, is_put, place->second,
                  static_cast<std::int64_t>(transfer.bytes), now);
}

std::optional<std::int64_t> Clock::next_completion() const {
  std::optional<double> cycle = queue_.next_completion();
  const auto arrival = copies_ ? copies_->next_arrival() : std::nullopt;
  if (arrival && (!cycle || *arrival < *cycle)) cycle = arrival;
  if (!cycle) return std::nullopt;
  return ticks(*cycle);
}

void Clock::issue(RemoteCopy& copy, std::int64_t now) {
  copy.number = ++requests_;
  copies_->issue(copy.number, {copy.is_get, copy.issuer, copy.others, copy.bytes},
                 static_cast<double>(now) / kTicksPerCycle);
}

std::vector<RmaArrival> Clock::advance_copies(std::int64_t now) {
  if (!copies_) return {};
  return copies_->advance(static_cast<double>(now) / kTicksPerCycle);
}

std::vector<DmaCompletion> Clock::advance(std::int64_t now) {
  std::vector<DmaCompletion> done = queue_.advance(static_cast<double>(now) / kTicksPerCycle);
  for (const DmaCompletion& completion : done) {
    recorder_.complete(first_core_ + completion.cpe, completion.request, ticks(completion.cycle));
  }
  return done;
}

std::int64_t Clock::send(int cpe, RegisterLine line, std::int64_t now) {
  std::int64_t& next = next_sent_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
  const std::int64_t leaves = std::max(now, next);
  next = leaves + message_interval();
  return leaves + kTicksPerCycle * figures().messages->latency_cycles;
}

std::int64_t Clock::receive(int cpe, RegisterLine line, std::int64_t arrives, std::int64_t now) {
  std::int64_t& next =
      next_received_[static_cast<std::size_t>(cpe)][static_cast<std::size_t>(line)];
  const std::int64_t has = std::max(arrives, next);
  next = has + message_interval();
  return std::max(now, has);
}

std::int64_t Clock::fetch(int cpe, std::int64_t address, std::int64_t bytes, std::int64_t now) {
  if (!code_) return 0;
  const std::int64_t waited =
      kTicksPerCycle * code_->fetch(cpe, address, bytes, now / kTicksPerCycle);
  recorder_.instructions(first_core_ + cpe, waited);
  return waited;
}

void Clock::note_run(const Cpe& cpe, std::int64_t end) {
  first_begin_ = last_end_ == 0 ? cpe.began : std::min(first_begin_, cpe.began);
  last_end_ = std::max(last_end_, end);
  recorder_.run(cpe.number, recorder_.name(cpe.task.entry->name), cpe.began, end);
}

}  // namespace solway::emulator
