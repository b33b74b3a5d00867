#pragma once

#include <array>
#include <cstdint>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/cpe.h"
#include "emulator/worker/detail/machine_options.h"
#include "emulator/worker/vector_clock.h"

namespace solway::emulator {

/// A copy between the LDM of CPEs (RMA) that has been issued and has not landed; in hazard mode,
/// that its issuer, or another of those that take part, does not know to be complete.
struct RemoteCopy {
  bool is_get = false;  ///< from the LDM of another CPE, else into that of others
  int issuer = 0;
  CpeSet others = 0;        ///< whose LDM it is; the issuer may be one of several receivers
  std::uint64_t here = 0;   ///< in the issuer's LDM
  std::uint64_t there = 0;  ///< in the others', as an address of the issuer's at the same place
  std::uint64_t bytes = 0;
  std::uint64_t local_counter = 0;   ///< 0: none
  std::uint64_t remote_counter = 0;  ///< as `there`; 0: none
  const Site* issued = nullptr;
  std::uint64_t number = 0;  ///< of timed mode
  bool landed = false;       ///< the bytes have moved, and the local counter has risen
  CpeSet moved = 0;          ///< others whose bytes have moved
  CpeSet counted = 0;        ///< others whose counter has risen

  // Of hazard mode.
  VectorClock order;          ///< what its issue comes after
  bool is_whole = true;       ///< all of its bytes had a value
  std::uint32_t written = 0;  ///< its number where LDM of other CPEs is watched
  std::uint32_t counter = 0;  ///< that of its remote counter
  std::uint32_t done = 0;     ///< its issuer's step when that knew it to be complete everywhere
  CpeSet known = 0;           ///< others that have read their counter since
  std::array<std::uint32_t, kCpes> step{};  ///< of each of these, when they did
};

/// Whether nobody has to learn of it any more.
inline bool is_over(const RemoteCopy& copy) {
  return copy.done != 0 && (copy.remote_counter == 0 || copy.known == copy.others);
}

inline bool is_other(const RemoteCopy& copy, int cpe) { return (copy.others >> cpe & 1) != 0; }

}  // namespace solway::emulator
