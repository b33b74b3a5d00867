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
/// 3.2.3): a block that begins with one takes as long as was measured, others at least as long as
/// the transactions that they touch at a throughput of their own, and longer for those that they
/// write in part, which main memory has to read before.
class DmaRate {
 public:
  explicit DmaRate(const DmaTiming& timing);

  /// Cycles that the request takes of an engine that does nothing else.
  double cycles(const DmaShape& shape) const;

 private:
  double block_cycles(DmaDirection direction, std::uint64_t address, std::uint64_t bytes) const;
  /// Of a block that begins with a transaction: of the next larger block that was measured if that
  /// needs no more transactions, else between those around it; along the last two beyond the last.
  double aligned_cycles(DmaDirection direction, std::uint64_t bytes) const;

  DmaTiming timing_;
};

}  // namespace solway::emulator
