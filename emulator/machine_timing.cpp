#include "emulator/machine_timing.h"

#include "support/error.h"
#include "support/target.h"

namespace solway::emulator {
namespace {

[[noreturn]] void fail_untimed(const Target& target, const std::string& missing) {
  throw UnsupportedError({{},
                          "mode=\"timed\" on target '" + target.name + "'",
                          "its target file has no " + missing + ", so cycles cannot be counted",
                          "add it, or leave out mode="});
}

}  // namespace

MachineTiming timing_of(const Target& target) {
  if (!target.timing) fail_untimed(target, "table [timing]");
  if (!target.vector) fail_untimed(target, "table [vector]");
  if (target.cores.clock_mhz == 0) fail_untimed(target, "cores.clock_mhz");
  if (target.transfer_engines.empty() || target.transfer_engines.front().bandwidth.size() < 2) {
    fail_untimed(target, "transfer engine with two rows of bandwidth");
  }
  const TransferEngine& engine = target.transfer_engines.front();
  const Timing& from = *target.timing;
  MachineTiming out;
  out.load_latency = target.vector->load_latency_cycles;
  out.float_latency = target.vector->fma_latency_cycles;
  out.multiply_latency = from.multiply_latency_cycles;
  out.vector_latency = from.vector_latency_cycles;
  out.float_divide = from.float_divide_cycles;
  out.integer_divide = from.integer_divide_cycles;
  out.library_call = from.library_call_cycles;
  out.main_load = from.main_load_cycles;
  out.main_store = from.main_store_cycles;
  out.main_access = from.main_access_cycles;
  out.barrier = from.barrier_cycles;
  out.message = from.message_cycles;
  out.spawn = from.spawn_cycles;
  out.join = from.join_cycles;
  out.dma_startup = static_cast<int>(engine.startup_cycles);
  out.dma_pending = engine.max_pending;
  out.dma_transaction_bytes = static_cast<int>(engine.transaction_bytes);
  out.dma_buses = engine.buses;
  // 1e9 bytes per second over 1e6 cycles per second.
  const double cycles = static_cast<double>(target.cores.clock_mhz) / 1000;
  for (const BandwidthPoint& point : engine.bandwidth) {
    out.dma.push_back({static_cast<double>(point.block_bytes), point.get_gb_per_s / cycles,
                       point.put_gb_per_s / cycles});
  }
  return out;
}

}  // namespace solway::emulator
