/// Calls of the MPE for several core groups, and the end of the program.
#include <algorithm>
#include <bit>

#include "emulator/worker/detail/machine.h"

namespace solway::emulator {
namespace {

/// The first CPE that runs.
const Cpe& first_started(const CoreGroup& group) {
  return group.cpe(std::countr_zero(group.started()));
}

}  // namespace

bool Machine::is_any_started() const {
  return std::any_of(present_.begin(), present_.end(),
                     [](const CoreGroup* group) { return group->started() != 0; });
}

void Machine::init_groups() {
  for (int number = 0; number < options_.groups; ++number) group(number).init();
  all_groups_ = true;
  mpe_->has_init = true;
}

void Machine::spawn_groups(unsigned groups, const StartCall& call) {
  if (!all_groups_) {
    fault("not_initialised", shared_.site, std::string(call.call) + " without athread_init_cgs",
          "athread_init prepares one core group only", "call athread_init_cgs() first");
  }
  const unsigned there = (1U << options_.groups) - 1;
  if (groups != kAllGroups && ((groups & there) == 0 || (groups & ~there) != 0)) {
    fail({.kind = "program",
          .where = shared_.site,
          .what = std::string(call.call) + " with mask " + std::to_string(groups),
          .why = "bit g of the mask stands for group g, and the machine has " +
                 std::to_string(options_.groups) + " groups",
          .fix = "set bits of these"});
  }
  std::vector<std::pair<CoreGroup*, Task>> tasks;
  for (CoreGroup* const group : present_) {
    if ((groups >> group->number() & 1) == 0) continue;
    tasks.emplace_back(group, group->task_for(first_cpes(group->threads()), call));
  }
  if (recorder_) shared_.ticks += kTicksPerCycle * options_.timing->figures.spawn_cycles;
  for (const auto& [group, task] : tasks) group->start(first_cpes(group->threads()), task);
}

bool Machine::join_groups(unsigned groups, const char* call) {
  std::vector<std::pair<CoreGroup*, CpeSet>> joined;
  for (CoreGroup* const group : present_) {
    if ((groups >> group->number() & 1) == 0) continue;
    const CpeSet cpes = group->to_join(~CpeSet{0}, call);
    if (cpes != 0) joined.emplace_back(group, cpes);
  }
  if (joined.empty()) return false;
  wait_on_mpe(call, " for CPEs", [&joined] {
    return std::all_of(joined.begin(), joined.end(),
                       [](const auto& one) { return one.first->have_ended(one.second); });
  });
  for (const auto& [group, cpes] : joined) group->take_back(cpes);
  if (recorder_) shared_.ticks += kTicksPerCycle * options_.timing->figures.join_cycles;
  return true;
}

void Machine::finish() {
  for (const CoreGroup* const group : present_) {
    if (group->started() == 0) continue;
    const Task& task = first_started(*group).task;
    const bool names_group = has_several_groups();
    fault("missing_join", task.started, "the entry returns while CPE functions run",
          names_group ? "this spawn was not joined on group " + std::to_string(group->number())
                      : "this spawn was not joined",
          std::string("call ") + task.joined_by + "() before the return");
  }
  require_threads_joined();
}

Traffic Machine::traffic() const {
  Traffic sum;
  for (const CoreGroup* const group : present_) {
    sum.get += group->traffic().get;
    sum.put += group->traffic().put;
    sum.remote += group->traffic().remote;
  }
  return sum;
}

}  // namespace solway::emulator
