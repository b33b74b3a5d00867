#pragma once

#include <string>
#include <vector>

#include "support/target.h"

namespace solway::emulator {

/// Measured throughput of the transfer engine with all cores transferring.
struct DmaPoint {
  double block_bytes = 0;  ///< contiguous bytes in main memory, aligned to transactions
  double get_bytes_per_cycle = 0;
  double put_bytes_per_cycle = 0;
};

/// The clock of a transfer engine.
struct DmaTiming {
  int startup = 0;
  int put_startup = 0;
  int pending = 1;  ///< unfinished requests of a core, then the issue waits
  int transaction_bytes = 1;
  int buses = 1;
  /// Of the transactions that blocks touch which begin within one; 0: as fast as others.
  double misaligned_bytes_per_cycle = 0;
  /// A transaction that such a block writes in part takes so much longer.
  int partial_put = 0;
  int aligned_partial_put = 0;   ///< and the last one of a block that begins with a transaction
  std::vector<DmaPoint> points;  ///< at least two, by rising block size
};

/// The clock of a machine: what takes how many cycles of its computing cores.
struct MachineTiming {
  Timing figures;        ///< as its target file states them
  int load_latency = 1;  ///< of the LDM
  int float_latency = 1;
  int icache_bytes = 0;  ///< of each core; counts where `figures.instruction_cache` is there
  DmaTiming dma;
};

/// Throws UnsupportedError for a target without [timing], a vector unit, or a transfer engine with
/// two points of bandwidth, and for one that says what misses of an instruction cache cost and not
/// how large that is.
MachineTiming timing_of(const Target& target);

}  // namespace solway::emulator
