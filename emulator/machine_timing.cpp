#include "emulator/machine_timing.h"

#include "support/error.h"

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
  if (target.timing->instruction_cache && target.cores.icache_bytes == 0) {
    fail_untimed(target, "cores.icache_bytes above zero beside [timing.instruction_cache]");
  }
  const TransferEngine& engine = target.transfer_engines.front();
  MachineTiming out;
  out.figures = *target.timing;
  out.load_latency = target.vector->load_latency_cycles;
  out.float_latency = target.vector->fma_latency_cycles;
  out.icache_bytes = static_cast<int>(target.cores.icache_bytes);
  // 1e9 bytes per second over 1e6 cycles per second.
  const double cycles = static_cast<double>(target.cores.clock_mhz) / 1000;
  out.dma.startup = static_cast<int>(engine.startup_cycles);
  out.dma.put_startup = static_cast<int>(engine.put_startup_cycles);
  out.dma.pending = engine.max_pending;
  out.dma.transaction_bytes = static_cast<int>(engine.transaction_bytes);
  out.dma.buses = engine.buses;
  out.dma.misaligned_bytes_per_cycle = engine.misaligned_gb_per_s / cycles;
  out.dma.partial_put = engine.partial_put_cycles;
  out.dma.aligned_partial_put = engine.aligned_partial_put_cycles;
  for (const BandwidthPoint& point : engine.bandwidth) {
    out.dma.points.push_back({static_cast<double>(point.block_bytes), point.get_gb_per_s / cycles,
                              point.put_gb_per_s / cycles});
  }
  return out;
}

}  // namespace solway::emulator
