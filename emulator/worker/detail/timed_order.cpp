/// Timed mode: what CPEs do that others see happens in the order of their clocks.
#include <algorithm>
#include <limits>

#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

}  // namespace

bool Machine::run_in_order() {
  bool any = false;
  for (;;) {
    Cpe* first = nullptr;
    next_turn_ = kNever;
    some_poll_ = false;
    for (Cpe* const cpe : cpes_) {
      some_poll_ = some_poll_ || cpe->state == CpeState::Polling;
      if (!is_runnable(*cpe)) continue;
      const bool is_first = first == nullptr || cpe->ticks < first->ticks;
      if (is_first && first != nullptr) note_ready(*first);
      if (!is_first) note_ready(*cpe);
      if (is_first) first = cpe;
    }
    MpeThread* mpe = nullptr;
    for (const auto& thread : mpe_threads_) {
      if (thread == nullptr || !is_runnable(*thread)) continue;
      if (mpe == nullptr || thread->ticks < mpe->ticks) mpe = thread.get();
    }
    if (mpe != nullptr && (first == nullptr || mpe->ticks <= first->ticks)) {
      resume(*mpe);
      any = true;
      continue;
    }
    const auto arrival = next_completion();
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

void Machine::take_turn() {
  if (!recorder_) return;
  const std::int64_t now = shared_.ticks;
  const bool may_wait = some_poll_ || next_turn_ < now;
  const auto goes_first = [&](const Cpe* cpe) {
    return cpe != running_ && cpe->ticks < now && is_runnable(*cpe);
  };
  const bool waits = may_wait && std::any_of(cpes_.begin(), cpes_.end(), goes_first);
  if (waits) {
    block(*running_, CpeState::Ready, {});
  } else if (const auto arrival = next_completion(); arrival && *arrival <= now) {
    land_until(now);
  }
  now_ = std::max(now_, now);
}

void Machine::fetch_code(std::int64_t address, std::int64_t bytes) {
  if (!recorder_ || running_ == nullptr) return;
  shared_.ticks += group().clock()->fetch(running_->id, address, bytes, shared_.ticks);
}

void Machine::stall(Cpe& cpe, Stall stall, Wait wait) {
  const std::int64_t before = shared_.ticks;
  block(cpe, CpeState::Blocked, std::move(wait));
  if (recorder_) recorder_->wait(cpe.number, stall, before, shared_.ticks);
}

void Machine::wake(Cpe& cpe) {
  cpe.state = CpeState::Ready;
  if (!recorder_) return;
  cpe.ticks = std::max(cpe.ticks, shared_.ticks);
  note_ready(cpe);
}

std::optional<std::int64_t> Machine::next_completion() const {
  std::optional<std::int64_t> first;
  for (CoreGroup* const group : present_) {
    const auto next = group->clock()->next_completion();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

void Machine::land_until(std::int64_t now) {
  for (CoreGroup* const group : present_) group->land_until(now);
}

std::uint64_t Machine::cycles() {
  if (!recorder_) return ++(running_ != nullptr ? running_->readings : mpe_->readings);
  return static_cast<std::uint64_t>(shared_.ticks / kTicksPerCycle);
}

std::int64_t Machine::cpe_ticks() const {
  std::int64_t begin = kNever;
  std::int64_t end = 0;
  for (CoreGroup* const group : present_) {
    if (group->clock()->last_end() == 0) continue;
    begin = std::min(begin, group->clock()->first_begin());
    end = std::max(end, group->clock()->last_end());
  }
  return end == 0 ? 0 : end - begin;
}

}  // namespace solway::emulator
