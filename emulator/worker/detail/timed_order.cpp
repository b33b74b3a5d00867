/// Timed mode: what CPEs do that others see happens in the order of their clocks.
#include <algorithm>
#include <bit>
#include <limits>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool CoreGroup::run_in_order() {
  bool any = false;
  for (;;) {
    Cpe* first = nullptr;
    next_turn_ = kNever;
    some_poll_ = false;
    for (const auto& cpe : cpes_) {
      some_poll_ = some_poll_ || cpe->state == CpeState::Polling;
      if (!is_runnable(*cpe)) continue;
      const bool is_first = first == nullptr || cpe->ticks < first->ticks;
      if (is_first && first != nullptr) note_ready(*first);
      if (!is_first) note_ready(*cpe);
      if (is_first) first = cpe.get();
    }
    const auto arrival = clock_->next_completion();
    if (arrival && (first == nullptr || *arrival <= first->ticks)) {
      land_until(*arrival);
    } else if (first != nullptr) {
      // A word that it polled was changed by one that ran after its clock.
      first->ticks = std::max(first->ticks, first->state == CpeState::Polling ? now_ : 0);
      now_ = std::max(now_, first->ticks);
      resume(*first);
    } else {
      return any;
    }
    any = true;
  }
}

void CoreGroup::take_turn() {
  if (clock_ == nullptr) return;
  const std::int64_t now = shared_.ticks;
  const bool may_wait = some_poll_ || next_turn_ < now;
  const auto goes_first = [&](const std::unique_ptr<Cpe>& cpe) {
    return cpe.get() != running_ && cpe->ticks < now && is_runnable(*cpe);
  };
  const bool waits = may_wait && std::any_of(cpes_.begin(), cpes_.end(), goes_first);
  if (waits) {
    block(*running_, CpeState::Ready, {});
  } else if (const auto arrival = clock_->next_completion(); arrival && *arrival <= now) {
    land_until(now);
  }
  now_ = std::max(now_, now);
}

void CoreGroup::stall(Cpe& cpe, Stall stall, Wait wait) {
  const std::int64_t before = shared_.ticks;
  block(cpe, CpeState::Blocked, std::move(wait));
  if (clock_ != nullptr) clock_->recorder().wait(cpe.id, stall, before, shared_.ticks);
}

void CoreGroup::wake(Cpe& cpe) {
  cpe.state = CpeState::Ready;
  if (clock_ == nullptr) return;
  cpe.ticks = std::max(cpe.ticks, shared_.ticks);
  note_ready(cpe);
}

void CoreGroup::land_until(std::int64_t now) {
  for (const DmaCompletion& done : clock_->advance(now)) {
    Cpe& cpe = *cpes_[static_cast<std::size_t>(done.cpe)];
    const auto is_it = [&](const Transfer& t) { return t.number == done.request; };
    const auto at = std::find_if(cpe.pending.begin(), cpe.pending.end(), is_it);
    land(cpe, static_cast<std::size_t>(at - cpe.pending.begin()));
    if (cpe.state == CpeState::Blocked && cpe.wait.is_for_transfer) {
      cpe.state = CpeState::Ready;
      cpe.ticks = std::max(cpe.ticks, Clock::ticks(done.cycle));
      note_ready(cpe);
    }
  }
}

void CoreGroup::issue_timed(Cpe& cpe, Transfer transfer) {
  take_turn();
  while (clock_->pending(cpe.id) >= clock_->timing().dma.pending) {
    stall(cpe, Stall::Channel,
          {.reason = "waits for room in the DMA channel",
           .where = transfer.issued,
           .is_for_transfer = true});
  }
  land_until(shared_.ticks);
  poison_destination(transfer);
  clock_->issue(cpe, transfer, shared_.ticks);
  cpe.pending.push_back(transfer);
}

void CoreGroup::end_timed(const Cpe& cpe) {
  clock_->note_run(cpe, shared_.ticks);
  const std::uint64_t kept = static_bytes_ + options_.reserved_bytes + cpe.heap.used_bytes();
  clock_->recorder().ldm(cpe.id, static_cast<std::int64_t>(kept), shared_.ticks);
}

std::uint64_t CoreGroup::cycles() {
  if (clock_ == nullptr) return ++(running_ != nullptr ? running_->readings : mpe_readings_);
  return static_cast<std::uint64_t>(shared_.ticks / kTicksPerCycle);
}

void CoreGroup::set_main_access_time() {
  const int running = std::popcount(started_);
  shared_.main_load_ticks = clock_->main_load_ticks(running);
  shared_.main_store_ticks = clock_->main_store_ticks(running);
}

}  // namespace solway::emulator
