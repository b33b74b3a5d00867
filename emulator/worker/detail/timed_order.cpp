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

void CoreGroup::fetch_code(std::int64_t address, std::int64_t bytes) {
  if (clock_ == nullptr || running_ == nullptr) return;
  shared_.ticks += clock_->fetch(running_->id, address, bytes, shared_.ticks);
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
    wake_at(cpe, done.cycle);
  }
  for (const RmaArrival& arrival : clock_->advance_copies(now)) arrive(arrival);
}

void CoreGroup::wake_at(Cpe& cpe, double cycle) {
  const bool waits = cpe.state == CpeState::Blocked || cpe.state == CpeState::Polling;
  if (!waits || !cpe.wait.is_for_transfer) return;
  cpe.state = CpeState::Ready;
  cpe.ticks = std::max(cpe.ticks, Clock::ticks(cycle));
  note_ready(cpe);
}

void CoreGroup::arrive(const RmaArrival& arrival) {
  const auto at = std::find_if(copies_.begin(), copies_.end(),
                               [&](const RemoteCopy& copy) { return copy.number == arrival.copy; });
  RemoteCopy& copy = *at;
  if (arrival.is_reply) {
    // The program may go by the reply alone: nothing is under way any more.
    copy.landed = true;
    for_each_cpe(copy.others, [&](int id) { move_data(copy, id); });
    if (copy.local_counter != 0) *reinterpret_cast<std::uint32_t*>(copy.local_counter) += 1;
  } else {
    move_data(copy, arrival.cpe);
    count_there(copy, arrival.cpe);
  }
  if (copy.landed && copy.counted == copy.others) copies_.erase(at);
  wake_at(*cpes_[static_cast<std::size_t>(arrival.cpe)], arrival.cycle);
}

void CoreGroup::issue_timed(RemoteCopy copy) {
  if (!clock_->knows_copies()) fail_untimed("an RMA copy", "[timing.remote_copies]");
  const std::int64_t can = std::max(shared_.ticks, clock_->next_copy(running_->id));
  clock_->recorder().wait(running_->id, Stall::Message, shared_.ticks, can);
  shared_.ticks = can;
  take_turn();
  land_until(shared_.ticks);
  poison_destination(copy);
  clock_->issue(copy, shared_.ticks);
  copies_.push_back(copy);
}

void CoreGroup::wait_for_replies() {
  const auto waits = [&](const RemoteCopy& copy) {
    return copy.issuer == running_->id && !copy.landed;
  };
  while (std::any_of(copies_.begin(), copies_.end(), waits)) {
    stall(*running_, Stall::Message,
          {.reason = "waits for its RMA copies", .where = shared_.site, .is_for_transfer = true});
  }
}

void CoreGroup::fail_untimed(const char* what, const char* table) {
  fail({.kind = "unsupported",
        .where = shared_.site,
        .cpe = running_->id,
        .what = std::string(what) + " in mode=\"timed\"",
        .why =
            std::string("the target file has no table ") + table + ", which says how long it takes",
        .fix = "add it, or leave out mode="});
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
