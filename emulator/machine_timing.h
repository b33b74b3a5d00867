#pragma once

#include <string>
#include <vector>

namespace solway {
struct Target;
}

namespace solway::emulator {

/// Measured throughput of the transfer engine with all cores transferring.
struct DmaPoint {
  double block_bytes = 0;  ///< contiguous bytes in main memory, aligned to transactions
  double get_bytes_per_cycle = 0;
  double put_bytes_per_cycle = 0;
};

/// The clock of a machine: what takes how many cycles of its computing cores.
struct MachineTiming {
  int load_latency = 1;  ///< of the LDM
  int float_latency = 1;
  int multiply_latency = 1;
  int vector_latency = 1;
  int float_divide = 1;
  int integer_divide = 1;
  int library_call = 0;
  int main_load = 0;
  int main_store = 0;
  int main_access = 0;  ///< for which an access keeps main memory busy
  int barrier = 0;
  int message = 0;
  int spawn = 0;
  int join = 0;
  int dma_startup = 0;
  int dma_pending = 1;  ///< unfinished requests of a core, then the issue waits
  int dma_transaction_bytes = 1;
  int dma_buses = 1;
  std::vector<DmaPoint> dma;  ///< at least two, by rising block size
};

/// Throws UnsupportedError for a target without [timing], a vector unit, or a transfer engine with
/// two points of bandwidth.
MachineTiming timing_of(const Target& target);

}  // namespace solway::emulator
