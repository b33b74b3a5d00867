#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codegen/athread/assembly/instruction.h"
#include "lowering/ir/range.h"

namespace solway::codegen {

/// What one transfer can do; the defaults are those of SW26010.
struct TransferLimits {
  int ranks = 2;  ///< 1: one contiguous piece; 2: also blocks at a fixed distance; 3: also planes
  std::int64_t unit_bytes = 4;  ///< addresses, lengths and gaps are multiples of it
  std::int64_t min_bytes = 4;
  std::int64_t max_bytes = 16777212;
  std::int64_t max_block_bytes = 1048572;
};

/// The machine that C is written for; the defaults are those of SW26010.
struct AthreadOptions {
  int cores = 64;                   ///< that share the parallel loops, 1 to 64
  std::int64_t ldm_bytes = 65536;   ///< of one core; only printed, the memory planner checks it
  ir::Ranges sizes{};               ///< bounds of what is known at run time, by name
  std::string machine = "sw26010";  ///< whose calls: "sw26010", "sw26010pro" or "generic"
  std::string near = "ldm";         ///< the memory that transfers fill
  std::int64_t near_alignment_bytes = 32;  ///< of every buffer there
  /// The memory that all cores see, from which transfers fill `near` and which they fill; "": none.
  std::string shared{};
  std::int64_t shared_bytes = 0;            ///< of it; only printed
  std::int64_t shared_alignment_bytes = 1;  ///< of every buffer there
  /// Where buffers begin in a block of memory that they share, by name: nests that follow each
  /// other use the same bytes. Buffers that are not named have memory of their own.
  std::map<std::string, std::int64_t> near_offsets{};
  /// Of a layer, the network that it is in: that one starts the machine, and has a block of near
  /// memory, near_block(), for all layers. Needs: near_offsets has every buffer.
  std::optional<std::string> network{};
  TransferLimits transfers{};
  assembly::Latencies latencies{};  ///< that micro-kernels are ordered by

  /// The variable of a network's near memory: "net_ldm".
  std::string near_block() const { return *network + "_" + near; }
  /// Bytes, of every buffer there: what the memory and the engine want.
  std::int64_t least_alignment() const {
    return std::max(near_alignment_bytes, transfers.unit_bytes);
  }
};

}  // namespace solway::codegen
