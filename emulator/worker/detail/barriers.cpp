/// Where CPEs meet.
#include <algorithm>

#include "emulator/worker/detail/core_group.h"
#include "emulator/worker/detail/failure.h"
#include "emulator/worker/detail/hazards.h"
#include "emulator/worker/detail/machine.h"

namespace solway::emulator {

void CoreGroup::barrier(int scope, int mask) {
  Cpe& self = running();
  const int row = self.id / kCpeColumns;
  const int column = self.id % kCpeColumns;
  const auto member = [&](int id) {
    const int r = id / kCpeColumns;
    const int c = id % kCpeColumns;
    if (!is_started(id)) return false;
    if (scope == kRowScope) return r == row && (mask >> c & 1) != 0;
    if (scope == kColumnScope) return c == column && (mask >> r & 1) != 0;
    if (scope == kPairScope) return id == self.id || id == mask;
    return (mask >> c & 1) != 0 && (mask >> (8 + r) & 1) != 0;
  };
  if (scope < kRowScope || scope > kMachineScope) {
    fail({.kind = "unsupported",
          .where = shared_.site,
          .cpe = self.id,
          .what = std::string(options_.barrier_name) + " has no scope " + std::to_string(scope),
          .why = "the scopes are ROW_SCOPE, COL_SCOPE and ARRAY_SCOPE",
          .fix = "use one of these"});
  }
  std::uint64_t key =
      1 + static_cast<std::uint64_t>(scope) + (static_cast<std::uint64_t>(mask) << 8);
  if (scope == kRowScope) key |= static_cast<std::uint64_t>(row) << 40;
  if (scope == kColumnScope) key |= static_cast<std::uint64_t>(column) << 40;
  if (scope == kPairScope) {
    key = 1 + kPairScope + (static_cast<std::uint64_t>(std::min(self.id, mask)) << 8) +
          (static_cast<std::uint64_t>(std::max(self.id, mask)) << 16);
  }
  if (!member(self.id)) return;
  int groups = 1;
  const auto for_each_member = [&](auto visit) {
    if (scope != kMachineScope) {
      for (const auto& cpe : cpes_) {
        if (member(cpe->id)) visit(*cpe);
      }
      return;
    }
    groups = 0;
    for (CoreGroup* const group : machine_.groups()) {
      if (group->started_ != 0) ++groups;
      for_each_cpe(group->started_,
                   [&](int id) { visit(*group->cpes_[static_cast<std::size_t>(id)]); });
    }
  };
  bool all = true;
  for_each_member([&](const Cpe& cpe) {
    if (&cpe == &self) return;
    all = all && cpe.state == CpeState::Blocked && cpe.wait.barrier == key;
  });
  if (!all) {
    const char* const name =
        scope == kMachineScope ? options_.machine_barrier_name : options_.barrier_name;
    machine_.stall(self, Stall::Barrier,
                   {.reason = std::string("waits in ") + name + " for CPEs that do not come",
                    .where = shared_.site,
                    .barrier = key});
    return;
  }
  std::vector<Cpe*> members;
  std::int64_t last = shared_.ticks;
  for_each_member([&](Cpe& cpe) {
    members.push_back(&cpe);
    if (&cpe != &self) last = std::max(last, cpe.ticks);
  });
  if (clock_ != nullptr) {
    const Timing& figures = clock_->figures();
    // Groups meet by a word of main memory that one CPE of each reads, between two barriers.
    last += kTicksPerCycle * (groups == 1 ? figures.barrier_cycles
                                          : 2 * figures.barrier_cycles + figures.main_load_cycles);
  }
  for (Cpe* const cpe : members) {
    if (cpe == &self) continue;
    cpe->state = CpeState::Ready;
    cpe->ticks = last;
    machine_.note_ready(*cpe);
  }
  if (clock_ != nullptr) clock_->recorder().wait(self.number, Stall::Barrier, shared_.ticks, last);
  shared_.ticks = last;
  if (hazards_ != nullptr) hazards_->met(members);
}

}  // namespace solway::emulator
