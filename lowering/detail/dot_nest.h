#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Products that a dot adds to one lane.
inline constexpr int kDotTerms = 4;

/// Four bytes that lie side by side, from the first of them on, or the `count` ones of them that
/// are there. The others read as 0.
struct DotOperand {
  ir::Buffer buffer;
  std::vector<ir::Expr> indices;
  std::int64_t lane_step = 0;  ///< elements from one lane's group to the next

  int count = kDotTerms;

  ir::Expr group() const;
};

/// Loops around one store that adds products of bytes to elements of int32, of which one loop runs
/// over groups of bytes that lie side by side:
///
///   for .. { C[i] = (C[i] + (int32(x) * int32(y))) }
///
/// Up to three terms are a group of fewer bytes if all lanes have the same ones in common: where
/// these read as 0, whatever lies beside the bytes of the other operand does not count.
struct DotNest {
  std::vector<const ir::For*> loops;  ///< outermost first, without that one
  ir::Buffer place;
  std::vector<ir::Expr> place_indices;
  DotOperand x;
  DotOperand y;
  std::string terms;            ///< the loop over groups; empty: there is one group
  std::int64_t num_groups = 1;  ///< of four; more than one: the loop `terms` over them is innermost
  std::string vector;           ///< the Vectorized loop around the store
  bool has_vector_inside = false;  ///< it is one of `loops`
  SourceLoc where;
};

/// The nest that `root` is the outermost loop of, inside of `around`. nullopt where there is none;
/// `why` then says what is missing if it has the products.
std::optional<DotNest> try_dot_nest(const ir::For& root, const std::vector<const ir::For*>& around,
                                    std::string& why);

}  // namespace solway::lowering
