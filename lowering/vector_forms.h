#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"
#include "support/dtype.h"
#include "support/target.h"

namespace solway::lowering {

/// Lanes of one vector register for each element type; a type without an entry has no vectors.
using LanesPerType = std::map<DType, int>;

/// Lanes that vectors of all of some types have; 0 where one has none.
inline int least_lanes(const LanesPerType& lanes, const std::set<DType>& types) {
  int out = INT32_MAX;
  for (const DType type : types) {
    const auto at = lanes.find(type);
    out = std::min(out, at == lanes.end() ? 0 : at->second);
  }
  return out;
}

/// How iterations run that do not fill a vector.
enum class VectorRest : std::uint8_t {
  Masked,   ///< as one vector with an active length
  Shorter,  ///< the same, where a vector costs as many lanes as are active
  Scalar    ///< one by one
};

/// What vector code a target has.
struct VectorForms {
  LanesPerType lanes{};
  /// Why a type without lanes has none.
  std::string no_lanes = "the target has no vectors of its element types";
  VectorRest rest = VectorRest::Masked;
  /// Why the target has no form for this VectorStore, Let of a vector, or Store that combines
  /// lanes; empty: it has one. Undefined: it has all.
  std::function<std::string(const ir::Stmt&)> lack{};
  std::vector<DotForm> dots{};          ///< instructions that add products of bytes
  std::string near_scope = "register";  ///< where vectors lie that loops index
  /// `lanes` per unit of the vector scale, of a target whose registers are scalable; else empty.
  LanesPerType scalable_lanes{};
  int registers = 16;  ///< that hold vectors
  /// Vectors that a round of a loop runs, in turns: a core that issues in order waits for each
  /// operation of one.
  int vectors_per_round = 1;
  /// That one long sum has at most, to hide the latency of an addition: 2 in a cycle, 4 cycles
  /// each.
  int accumulators = 4;
  /// Vectors that an extreme of floats takes for each accumulator in a turn: 2 where one
  /// instruction looks for NaN in both.
  int vectors_of_extreme = 1;
  /// Vectors whose functions of floats are computed together, each step for all: a core that orders
  /// instructions itself looks ahead past some of these long chains only. 1, 2 or 4.
  int functions_at_once = 1;
  /// The least element of which a vector with any active length costs what a whole one does; 0:
  /// none.
  int masked_bytes = 0;
  bool has_strides = false;  ///< loads of elements as far apart as a call says
};

}  // namespace solway::lowering
