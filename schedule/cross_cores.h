#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/state.h"

/// Which dependences lead from one core to another, once parallel loops are shared out.
namespace solway::schedule {

/// How the iterations of one parallel loop are shared out: the one of value v runs on the cores
/// whose index along a dimension is floor((v - begin) / chunk).
struct Share {
  LoopId loop = -1;
  std::int64_t begin = 0;
  std::int64_t chunk = 1;
  std::int64_t step = 1;  ///< from one index along the dimension to the next, in core numbers
};

/// Instances that the cores run without waiting for each other: one parallel loop at one place, or
/// statements that core 0 runs alone.
struct CorePiece {
  std::map<std::string, isl::set> instances;  ///< by statement: { S[iteration] }
  /// The number of the core is the sum over these; none: core 0.
  std::vector<Share> shares;
  /// Where nobody knows the number before the program runs: loops whose values decide it.
  std::vector<LoopId> deciding;
};

/// Known: two pieces come to the same core from the same shares, or from the same values of the
/// deciding loops, one by one. Unknown: from nothing.
enum class SharedOut : std::uint8_t { Known, Unknown };

/// Whether some instance of `from`, and one of `to` that may run on another core, access one
/// element of main memory or of a shared buffer, one of them writing, where the first runs before
/// the second: in the same iteration of the loops `around` both, outermost first, when `carrier` is
/// their number, else in the same iteration of those before around[carrier] and an earlier one of
/// this. nullopt when isl does not decide within kOrderBudget operations.
std::optional<bool> crosses_cores(const State& state, const CorePiece& from, const CorePiece& to,
                                  const std::vector<LoopId>& around, std::size_t carrier,
                                  SharedOut shared = SharedOut::Known);

}  // namespace solway::schedule
