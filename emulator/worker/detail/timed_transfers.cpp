/// Timed mode: when transfers, and copies from LDM to LDM, of a core group are complete.
#include <algorithm>
#include <bit>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {

void CoreGroup::land_until(std::int64_t now) {
  // Who waits goes on with what comes first, a transfer or a copy.
  while (clock_->knows_copies()) {
    const auto next = clock_->next_completion();
    if (!next || *next >= now) break;
    land_by_kind(*next);
  }
  land_by_kind(now);
}

void CoreGroup::land_by_kind(std::int64_t now) {
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
  machine_.note_ready(cpe);
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
  const std::int64_t can = std::max(shared_.ticks, clock_->next_copy(running().id));
  clock_->recorder().wait(running().number, Stall::Message, shared_.ticks, can);
  shared_.ticks = can;
  machine_.take_turn();
  land_until(shared_.ticks);
  poison_destination(copy);
  clock_->issue(copy, shared_.ticks);
  copies_.push_back(copy);
}

void CoreGroup::wait_for_replies() {
  const auto waits = [&](const RemoteCopy& copy) {
    return copy.issuer == running().id && !copy.landed;
  };
  while (std::any_of(copies_.begin(), copies_.end(), waits)) {
    machine_.stall(
        running(), Stall::Message,
        {.reason = "waits for its RMA copies", .where = shared_.site, .is_for_transfer = true});
  }
}

void CoreGroup::fail_untimed(const char* what, const char* table) {
  fail({.kind = "unsupported",
        .where = shared_.site,
        .cpe = running().id,
        .what = std::string(what) + " in mode=\"timed\"",
        .why =
            std::string("the target file has no table ") + table + ", which says how long it takes",
        .fix = "add it, or leave out mode="});
}

void CoreGroup::issue_timed(Cpe& cpe, Transfer transfer) {
  machine_.take_turn();
  while (clock_->pending(cpe.id) >= clock_->timing().dma.pending) {
    machine_.stall(cpe, Stall::Channel,
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
  const std::uint64_t kept =
      machine_.static_ldm_bytes() + options_.reserved_bytes + cpe.heap.used_bytes();
  clock_->recorder().ldm(cpe.number, static_cast<std::int64_t>(kept), shared_.ticks);
}

void CoreGroup::set_main_access_time() {
  const int running = std::popcount(started_);
  main_load_ticks_ = clock_->main_load_ticks(running);
  main_store_ticks_ = clock_->main_store_ticks(running);
}

}  // namespace solway::emulator
