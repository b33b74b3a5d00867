#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "emulator/timeline.h"

namespace solway::emulator {

/// Notes what cores do in timed mode. There are never more records than a limit: the resolution
/// gets coarser, until there are half as many. Times are ticks; those of one core do not go back.
class TimelineRecorder {
 public:
  TimelineRecorder(int cores, std::int64_t ticks_per_cycle, std::size_t limit = 100'000);

  /// There are so many cores from now on, or more.
  void require_cores(int cores);

  /// The place of a name in the timeline.
  int name(const std::string& text);

  void run(int core, int name, std::int64_t begin, std::int64_t end);
  void wait(int core, Stall stall, std::int64_t begin, std::int64_t end);
  /// Plain accesses of main memory are summed, and are no spans.
  void main_memory(int core, std::int64_t ticks);
  /// As are waits for code that is not in the instruction cache.
  void instructions(int core, std::int64_t ticks);
  void issue(int core, std::uint64_t request, bool is_put, int name, std::int64_t bytes,
             std::int64_t now);
  void complete(int core, std::uint64_t request, std::int64_t now);
  void ldm(int core, std::int64_t bytes, std::int64_t now);

  /// Everything, in cycles, each kind in the order of its begins.
  Timeline timeline() const;

 private:
  /// What is known of a core besides its times. The last records are those that the next can join.
  struct Core {
    std::map<std::uint64_t, TimelineTransfer> pending;
    std::int64_t in_flight_since = 0;
    std::int64_t ldm_bytes = -1;
    int last_run = -1;
    int last_wait = -1;
    int last_transfer[2] = {-1, -1};  ///< a get, a put
    int last_level = -1;
  };

  CoreTimes& times(int core) { return timeline_.cores[static_cast<std::size_t>(core)]; }
  Core& at(int core) { return cores_[static_cast<std::size_t>(core)]; }
  /// Whether a span that nothing has joined is left out.
  template <typename Span>
  bool is_short(const Span& span) const {
    return span.end - span.begin < timeline_.resolution;
  }
  void add(const TimelineRun& run);
  void add(const TimelineWait& wait);
  void add(const TimelineTransfer& transfer);
  void add(const LdmLevel& level);
  void keep_limit();
  std::size_t records() const;
  void coarsen();

  Timeline timeline_;  ///< in ticks
  std::vector<Core> cores_;
  std::map<std::string, int> names_;
  std::int64_t ticks_per_cycle_;
  std::size_t limit_;
};

}  // namespace solway::emulator
