#pragma once

#include <cstdint>
#include <vector>

#include "emulator/machine_timing.h"

namespace solway::emulator {

enum class DmaDirection : std::uint8_t { Get, Put };

/// What a request asks of main memory.
struct DmaShape {
  DmaDirection direction = DmaDirection::Get;
  std::uint64_t main_address = 0;
  std::uint64_t block_bytes = 0;
  std::int64_t pitch_bytes = 0;  ///< from the start of one block to the start of the next
  std::uint64_t blocks = 1;
};

/// How long main memory works at a request. It moves whole transactions (Fang, thesis, section
/// 3.2.3), so blocks that lie across their borders take longer: as long as blocks of all the
/// transactions that they touch.
class DmaRate {
 public:
  /// `points`: at least two, by rising block size.
  DmaRate(std::vector<DmaPoint> points, std::uint64_t transaction_bytes);

  /// Cycles that the request takes of an engine that does nothing else.
  double cycles(const DmaShape& shape) const;

 private:
  double block_cycles(DmaDirection direction, std::uint64_t address, std::uint64_t bytes) const;
  /// Of an aligned block, by the points; along the last two of them beyond the last one.
  double aligned_cycles(DmaDirection direction, double bytes) const;

  std::vector<DmaPoint> points_;
  std::uint64_t transaction_bytes_;
};

}  // namespace solway::emulator
