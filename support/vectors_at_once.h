#pragma once

#include <cstdint>

namespace solway {

/// More vectors of a row than these are a loop when code is generated, unless a buffer of registers
/// has them or the schedule itself writes them out: what is near memory then leaves the registers.
/// The planner of vector CPUs counts on what lowering does.
inline constexpr std::int64_t kMostVectorsWritten = 4;

/// How many vectors run at a time where each lane has `own_elements` in registers of its own: 1, 2
/// or 4, as many as `registers` hold beside what is loaded. The planner of vector CPUs counts on
/// what lowering does.
inline int vectors_at_once(std::int64_t own_elements, std::int64_t registers) {
  constexpr int kMost = 4;
  constexpr std::int64_t kToLoad = 4;
  if (own_elements == 0) return 1;
  int out = 1;
  while (out < kMost && std::int64_t{2} * out * own_elements <= registers - kToLoad) out *= 2;
  return out;
}

}  // namespace solway
