#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/machine_timing.h"
#include "emulator/worker/block_times.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/machine_options.h"
#include "emulator/worker/detail/remote_copy.h"
#include "emulator/worker/dma_queue.h"
#include "emulator/worker/dma_rate.h"
#include "emulator/worker/instruction_caches.h"
#include "emulator/worker/register_mesh.h"
#include "emulator/worker/rma_queue.h"
#include "emulator/worker/timeline_recorder.h"

namespace solway::emulator {

/// Time in timed mode of a core group, in ticks since the entry was called. Each processor has a
/// clock of its own, which its code moves on; what others see of it happens in the order of these
/// clocks.
class Clock {
 public:
  /// Of one core group; `recorder` takes what its CPEs do, from `first_core` on.
  Clock(const MachineTiming& timing, TimelineRecorder& recorder, int first_core);

  const MachineTiming& timing() const { return timing_; }
  const Timing& figures() const { return timing_.figures; }
  static std::int64_t ticks(double cycles);
  /// Of a plain load or store of main memory while so many CPEs run.
  std::int64_t main_load_ticks(int cpes) const;
  std::int64_t main_store_ticks(int cpes) const;

  /// A request that its CPE makes now; `transfer.number` is set. Needs: `advance(now)` first.
  void issue(const Cpe& cpe, Transfer& transfer, std::int64_t now);
  int pending(int cpe) const { return queue_.pending(cpe); }
  /// When the next transfer, or copy from LDM to LDM, will be complete, rounded up.
  std::optional<std::int64_t> next_completion() const;
  /// The transfers that are complete by then.
  std::vector<DmaCompletion> advance(std::int64_t now);

  bool knows_copies() const { return copies_.has_value(); }
  // Of copies from LDM to LDM; need `knows_copies()`.
  /// From when `cpe` can issue the next one.
  std::int64_t next_copy(int cpe) const { return ticks(copies_->next_issue(cpe)); }
  /// One that its CPE makes now; `copy.number` is set.
  void issue(RemoteCopy& copy, std::int64_t now);
  /// What has arrived by then of such copies.
  std::vector<RmaArrival> advance_copies(std::int64_t now);

  bool knows_messages() const { return figures().messages.has_value(); }
  // Of messages; need `knows_messages()`.
  /// `cpe` sends a message now: when its receivers can have it.
  std::int64_t send(int cpe, RegisterLine line, std::int64_t now);
  /// `cpe` takes, not before `now`, a message that it can have at `arrives`: when it has it.
  std::int64_t receive(int cpe, RegisterLine line, std::int64_t arrives, std::int64_t now);

  /// Ticks that `cpe` waits, from `now` on, for the code in [address, address + bytes).
  std::int64_t fetch(int cpe, std::int64_t address, std::int64_t bytes, std::int64_t now);

  /// A CPE has run its function from `cpe.began` to `end`.
  void note_run(const Cpe& cpe, std::int64_t end);
  /// The first start of a CPE, and the last end; 0: none ran.
  std::int64_t first_begin() const { return first_begin_; }
  std::int64_t last_end() const { return last_end_; }
  TimelineRecorder& recorder() { return recorder_; }

 private:
  /// From when a CPE can send, or have, the next message along a row and a column.
  using MessageTimes = std::array<std::array<std::int64_t, 2>, kCpes>;

  std::int64_t message_interval() const { return ticks(figures().messages->interval_cycles); }

  MachineTiming timing_;
  DmaRate rate_;
  DmaQueue queue_;
  std::optional<RmaQueue> copies_;
  std::optional<InstructionCaches> code_;
  std::uint64_t requests_ = 0;
  MessageTimes next_sent_{};
  MessageTimes next_received_{};
  std::int64_t first_begin_ = 0;
  std::int64_t last_end_ = 0;
  TimelineRecorder& recorder_;
  int first_core_;
  std::map<const Site*, int> places_;  ///< their names in the timeline
};

}  // namespace solway::emulator
