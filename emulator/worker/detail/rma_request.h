#pragma once

#include <cstdint>

#include "emulator/worker/detail/cpe.h"

namespace solway::emulator {

class CoreGroup;

/// One copy from LDM to LDM with the numbers that the program gave.
struct RmaRequest {
  int operation;  ///< as rma.h of SW26010-Pro numbers them
  int other;      ///< the CPE, of a copy with one
  std::uint64_t here;
  std::uint64_t there;
  std::int64_t bytes;
  std::uint64_t local_counter;  ///< 0: none
  std::uint64_t remote_counter;
  int whom;
  int mask;  ///< of the rows, or columns, that it goes to
  const Site* site;
};

/// Issues it on the running CPE; fails where no copy has such numbers.
void issue(CoreGroup& group, const Cpe& issuer, const RmaRequest& request);

}  // namespace solway::emulator
