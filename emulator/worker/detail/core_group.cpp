#include "emulator/worker/detail/core_group.h"

#include <algorithm>

#include "emulator/worker/detail/machine.h"

namespace solway::emulator {

CoreGroup::CoreGroup(Machine& machine, int number)
    : machine_(machine),
      number_(number),
      options_(machine.options()),
      program_(machine.program()),
      shared_(machine.shared()),
      random_(machine.random()),
      threads_(options_.cores),
      hazards_(machine.hazards_or_null()) {
  for (int id = 0; id < kCpes; ++id) {
    auto cpe = std::make_unique<Cpe>();
    cpe->id = id;
    cpe->number = number * kCpes + id;
    cpe->thread = cpe_thread(number, id);
    cpe->group = this;
    machine.place(*cpe);
    cpes_.push_back(std::move(cpe));
  }
  if (!options_.timing) return;
  clock_ = std::make_unique<Clock>(*options_.timing, *machine.recorder(), number * kCpes);
}

Cpe& CoreGroup::running() const { return *machine_.running(); }

void CoreGroup::fault(const char* kind, const Site* site, std::string what, std::string why,
                      std::string fix, const Site* cause) {
  machine_.fault(kind, site, std::move(what), std::move(why), std::move(fix), cause);
}

void CoreGroup::finish_running() {
  const Cpe& cpe = running();
  if (!cpe.pending.empty()) {
    const Transfer& transfer = cpe.pending.front();
    fault("unfinished_transfer", transfer.issued,
          "a CPE function returns with a transfer that nobody waited for",
          "at the return of '" + std::string(cpe.task.entry->name) + "' " +
              (cpe.pending.size() == 1 ? "1 transfer is"
                                       : std::to_string(cpe.pending.size()) + " transfers are") +
              " pending; the first was issued here",
          "wait until its reply counter has risen");
  }
  for (const RemoteCopy& copy : copies_) {
    const bool is_done = hazards_ != nullptr ? copy.done != 0 : copy.landed;
    if (copy.issuer != cpe.id || is_done) continue;
    // One without a counter is done when those that it goes to have it.
    if (clock_ != nullptr && copy.local_counter == 0) continue;
    fault("unfinished_transfer", copy.issued,
          "a CPE function returns with an RMA copy that nobody waited for",
          "at the return of '" + std::string(cpe.task.entry->name) + "' it is pending",
          "wait until its local counter has risen, or meet the others after they have waited");
  }
  require_no_messages(cpe);
  if (clock_ != nullptr) end_timed(cpe);
}

}  // namespace solway::emulator
