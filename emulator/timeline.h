#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace solway::emulator {

/// What a core waits for: the end of a transfer, room in the engine's channel, the others at a
/// barrier, a register message, room for one or a copy from LDM to LDM, plain loads and stores of
/// main memory, code that its instruction cache has not.
enum class Stall : std::uint8_t { Transfer, Channel, Barrier, Message, MainMemory, Instructions };
inline constexpr std::size_t kStalls = 6;

/// Where the time of one core went, in cycles; exact, whatever the resolution of the timeline.
struct CoreTimes {
  std::int64_t running = 0;  ///< from the starts of its functions to their ends
  std::array<std::int64_t, kStalls> stalled{};
  std::int64_t in_flight = 0;  ///< while it had a request that was not complete
  std::int64_t get_bytes = 0;
  std::int64_t put_bytes = 0;
  std::int64_t ldm_peak_bytes = 0;
};

/// A function of a core, from its start to its end. `name`: the place in `names`.
struct TimelineRun {
  int core = 0;
  int name = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// A core waits. `waited` is less than the span where shorter waits were joined.
struct TimelineWait {
  int core = 0;
  Stall stall = Stall::Transfer;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t waited = 0;
};

/// A request, or several joined ones, from the first issue to the last completion. `name`: the
/// place in `names` of the first one's "file:line".
struct TimelineTransfer {
  int core = 0;
  bool is_put = false;
  int name = 0;
  std::int64_t requests = 1;
  std::int64_t bytes = 0;
  std::int64_t issued = 0;
  std::int64_t completed = 0;
};

/// A core uses so much of its LDM from this cycle on.
struct LdmLevel {
  int core = 0;
  std::int64_t cycle = 0;
  std::int64_t bytes = 0;
};

/// A run in timed mode: what each core did when. All times are cycles since the entry was called.
struct Timeline {
  /// Waits of a core that lie nearer together are joined, and shorter ones left out, so that a
  /// long run can be drawn; 0: everything is there.
  std::int64_t resolution = 0;
  std::vector<CoreTimes> cores;
  std::vector<std::string> names;
  std::vector<TimelineRun> runs;
  std::vector<TimelineWait> waits;
  std::vector<TimelineTransfer> transfers;
  std::vector<LdmLevel> levels;

  /// Of all cores together.
  std::int64_t stalled(Stall stall) const;
};

/// The timeline as lines of text, as the worker writes it.
std::string to_text(const Timeline& timeline);
/// What `to_text` wrote; empty for anything else.
std::optional<Timeline> timeline_from_text(const std::string& text);

}  // namespace solway::emulator
