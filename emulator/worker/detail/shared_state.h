#pragma once

#include <cstdint>

#include "emulator/worker/detail/abi.h"

namespace solway::emulator {

/// Variables that instrumented code reads and writes.
struct SharedState {
  char* ldm = nullptr;          ///< LDM of the running CPE
  const Site* site = nullptr;   ///< the call under way
  std::int64_t steps_left = 0;  ///< loop iterations until the run is called endless
  // Of timed mode.
  std::int64_t ticks = 0;            ///< the clock of the running processor
  std::int64_t main_load_ticks = 0;  ///< that a plain load of main memory takes a CPE now
  std::int64_t main_store_ticks = 0;
  std::int64_t main_ticks = 0;  ///< that the running CPE has spent in such accesses
  // Of hazard mode.
  std::uint64_t region = 0;        ///< where the memory of the CPEs begins
  std::uint64_t region_bytes = 0;  ///< and how much it is
  std::uint64_t cell_bias = 0;     ///< (address >> 2) + this is the address of the shadow cell
  std::uint64_t mpe_watched = 0;   ///< 1 while CPEs may run beside the MPE
};

}  // namespace solway::emulator
