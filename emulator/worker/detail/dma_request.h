#pragma once

#include <cstdint>

#include "emulator/worker/detail/cpe.h"

namespace solway::emulator {

class CoreGroup;

/// One DMA request with the numbers that the program gave, as both interfaces make it.
struct DmaRequest {
  Transfer::Direction direction;
  int mode;
  std::uint64_t main;
  std::uint64_t ldm;
  std::int64_t bytes;
  std::uint64_t counter;  ///< 0: a null pointer
  unsigned mask;          ///< of the rows of a broadcast
  std::int64_t stride;    ///< a gap
  std::int64_t block;     ///< 0: none
  const Site* site;
  std::int64_t plane_blocks = 0;  ///< as in Transfer
  std::int64_t plane_pitch = 0;
};

/// Issues it on the running CPE; fails where no transfer has such numbers.
void issue(CoreGroup& group, const DmaRequest& request);

}  // namespace solway::emulator
