#include "emulator/worker/timeline_recorder.h"

#include <algorithm>
#include <utility>

namespace solway::emulator {
namespace {

constexpr std::int64_t kFirstResolution = 16;  // cycles

/// Appends `record` and says where it is.
template <typename Record>
int append(std::vector<Record>& records, const Record& record) {
  records.push_back(record);
  return static_cast<int>(records.size()) - 1;
}

/// The record that the next one of a core may join.
template <typename Record>
Record* joinable(std::vector<Record>& records, int last) {
  return last < 0 ? nullptr : &records[static_cast<std::size_t>(last)];
}

template <typename Record>
void sort_by(std::vector<Record>& records, std::int64_t Record::*begin) {
  std::stable_sort(records.begin(), records.end(),
                   [&](const Record& a, const Record& b) { return a.*begin < b.*begin; });
}

}  // namespace

TimelineRecorder::TimelineRecorder(int cores, std::int64_t ticks_per_cycle, std::size_t limit)
    : cores_(static_cast<std::size_t>(cores)), ticks_per_cycle_(ticks_per_cycle), limit_(limit) {
  timeline_.cores.resize(cores_.size());
}

void TimelineRecorder::require_cores(int cores) {
  cores_.resize(std::max(cores_.size(), static_cast<std::size_t>(cores)));
  timeline_.cores.resize(cores_.size());
}

int TimelineRecorder::name(const std::string& text) {
  const auto [found, is_new] = names_.emplace(text, static_cast<int>(timeline_.names.size()));
  if (is_new) timeline_.names.push_back(text);
  return found->second;
}

void TimelineRecorder::run(int core, int name, std::int64_t begin, std::int64_t end) {
  times(core).running += end - begin;
  add(TimelineRun{core, name, begin, end});
  keep_limit();
}

void TimelineRecorder::wait(int core, Stall stall, std::int64_t begin, std::int64_t end) {
  if (end <= begin) return;
  times(core).stalled[static_cast<std::size_t>(stall)] += end - begin;
  add(TimelineWait{core, stall, begin, end, end - begin});
  keep_limit();
}

void TimelineRecorder::main_memory(int core, std::int64_t ticks) {
  times(core).stalled[static_cast<std::size_t>(Stall::MainMemory)] += ticks;
}

void TimelineRecorder::instructions(int core, std::int64_t ticks) {
  times(core).stalled[static_cast<std::size_t>(Stall::Instructions)] += ticks;
}

void TimelineRecorder::issue(int core, std::uint64_t request, bool is_put, int name,
                             std::int64_t bytes, std::int64_t now) {
  Core& state = at(core);
  if (state.pending.empty()) state.in_flight_since = now;
  state.pending[request] = {core, is_put, name, 1, bytes, now, now};
  (is_put ? times(core).put_bytes : times(core).get_bytes) += bytes;
}

void TimelineRecorder::complete(int core, std::uint64_t request, std::int64_t now) {
  Core& state = at(core);
  const auto found = state.pending.find(request);
  found->second.completed = now;
  add(found->second);
  state.pending.erase(found);
  if (state.pending.empty()) times(core).in_flight += now - state.in_flight_since;
  keep_limit();
}

void TimelineRecorder::ldm(int core, std::int64_t bytes, std::int64_t now) {
  times(core).ldm_peak_bytes = std::max(times(core).ldm_peak_bytes, bytes);
  if (std::exchange(at(core).ldm_bytes, bytes) == bytes) return;
  add(LdmLevel{core, now, bytes});
  keep_limit();
}

void TimelineRecorder::add(const TimelineRun& run) {
  TimelineRun* const last = joinable(timeline_.runs, at(run.core).last_run);
  if (last != nullptr && last->name == run.name && run.begin - last->end < timeline_.resolution) {
    last->end = run.end;
  } else if (last != nullptr && is_short(*last)) {
    *last = run;
  } else {
    at(run.core).last_run = append(timeline_.runs, run);
  }
}

void TimelineRecorder::add(const TimelineWait& wait) {
  TimelineWait* const last = joinable(timeline_.waits, at(wait.core).last_wait);
  if (last != nullptr && last->stall == wait.stall &&
      wait.begin - last->end < timeline_.resolution) {
    last->end = wait.end;
    last->waited += wait.waited;
  } else if (last != nullptr && is_short(*last)) {
    *last = wait;
  } else {
    at(wait.core).last_wait = append(timeline_.waits, wait);
  }
}

void TimelineRecorder::add(const TimelineTransfer& transfer) {
  int& place = at(transfer.core).last_transfer[transfer.is_put ? 1 : 0];
  TimelineTransfer* const last = joinable(timeline_.transfers, place);
  if (last != nullptr && timeline_.resolution != 0 &&
      transfer.issued - last->completed < timeline_.resolution) {
    last->completed = transfer.completed;
    last->requests += transfer.requests;
    last->bytes += transfer.bytes;
  } else {
    place = append(timeline_.transfers, transfer);
  }
}

void TimelineRecorder::add(const LdmLevel& level) {
  LdmLevel* const last = joinable(timeline_.levels, at(level.core).last_level);
  if (last != nullptr && level.cycle - last->cycle < timeline_.resolution) {
    last->bytes = std::max(last->bytes, level.bytes);
  } else {
    at(level.core).last_level = append(timeline_.levels, level);
  }
}

void TimelineRecorder::keep_limit() {
  if (records() <= limit_) return;
  while (records() > limit_ / 2) coarsen();
}

std::size_t TimelineRecorder::records() const {
  return timeline_.runs.size() + timeline_.waits.size() + timeline_.transfers.size() +
         timeline_.levels.size();
}

void TimelineRecorder::coarsen() {
  timeline_.resolution = std::max(kFirstResolution * ticks_per_cycle_, 2 * timeline_.resolution);
  const auto join_again = [&](auto& records) {
    for (const auto& record : std::exchange(records, {})) add(record);
  };
  for (Core& core : cores_) {
    core.last_run = core.last_wait = core.last_level = -1;
    core.last_transfer[0] = core.last_transfer[1] = -1;
  }
  join_again(timeline_.runs);
  join_again(timeline_.waits);
  join_again(timeline_.transfers);
  join_again(timeline_.levels);
}

Timeline TimelineRecorder::timeline() const {
  Timeline made = timeline_;
  const auto cycles = [&](auto&... ticks) { ((ticks /= ticks_per_cycle_), ...); };
  cycles(made.resolution);
  for (CoreTimes& core : made.cores) {
    cycles(core.running, core.in_flight);
    for (std::int64_t& stall : core.stalled) cycles(stall);
  }
  for (TimelineRun& run : made.runs) cycles(run.begin, run.end);
  for (TimelineWait& wait : made.waits) cycles(wait.begin, wait.end, wait.waited);
  for (TimelineTransfer& transfer : made.transfers) cycles(transfer.issued, transfer.completed);
  for (LdmLevel& level : made.levels) cycles(level.cycle);
  sort_by(made.runs, &TimelineRun::begin);
  sort_by(made.waits, &TimelineWait::begin);
  sort_by(made.transfers, &TimelineTransfer::issued);
  sort_by(made.levels, &LdmLevel::cycle);
  return made;
}

}  // namespace solway::emulator
