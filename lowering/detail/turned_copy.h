#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lowering/detail/dot_excess.h"
#include "lowering/detail/dot_nest.h"

namespace solway::lowering {

/// A copy of what a nest reads of an operand, with its sign bits turned before the nest runs.
struct TurnedCopy {
  Prepared copy;
  ir::Expr group;  ///< of the copy, in place of turned(operand)
};

/// A copy larger than this is not made: it is to stay in the second-level cache.
inline constexpr std::int64_t kMostTurnedBytes = 262144;

/// nullopt unless all lanes have whole groups in common, neighbouring groups lie side by side along
/// one loop with constant bounds, and the copy is small. `around` are loops around the nest, the
/// outermost first, over whose iterations one copy is to do.
///
///   fill: for i { for byte in [0, 64) vectorized { turned[i, byte] = uint8((A[i, byte] ^ -128i8))
///   } } group: vload(turned[i, (k * 4)], 4)
std::optional<TurnedCopy> try_turned_copy(const DotNest& nest, const DotOperand& operand,
                                          std::vector<const ir::For*> around,
                                          const std::string& name, const std::string& scope);

}  // namespace solway::lowering
