#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Products that a dot adds to one lane: of bytes, and of bfloat16.
inline constexpr int kDotTerms = 4;
inline constexpr int kDotHalves = 2;

/// A group of elements that lie side by side, from the first of them on: four bytes, or the `count`
/// ones of them that are there, the others read as 0; or two bfloat16.
struct DotOperand {
  ir::Buffer buffer;
  std::vector<ir::Expr> indices;
  std::int64_t lane_step = 0;  ///< elements from one lane's group to the next

  int count = kDotTerms;
  int size = kDotTerms;  ///< of a whole group

  ir::Expr group() const;
};

/// Loops around one store that adds products of bytes to elements of int32, or of bfloat16 to those
/// of float32, of which one loop runs over groups that lie side by side:
///
///   for .. { C[i] = (C[i] + (int32(x) * int32(y))) }
///
/// Up to three terms of bytes are a group of fewer bytes if all lanes have the same ones in common:
/// where these read as 0, whatever lies beside the bytes of the other operand does not count.
struct DotNest {
  std::vector<const ir::For*> loops;  ///< outermost first, without that one
  ir::Buffer place;
  std::vector<ir::Expr> place_indices;
  DotOperand x;
  DotOperand y;
  std::string terms;  ///< the loop over groups; empty: there is one group
  std::int64_t num_groups =
      1;               ///< of `group`; more than one: the loop `terms` over them is innermost
  std::string vector;  ///< the Vectorized loop around the store
  bool has_vector_inside = false;  ///< it is one of `loops`
  int group = kDotTerms;           ///< terms of one
  SourceLoc where;
};

/// The nest that `root` is the outermost loop of, inside of `around`. nullopt where there is none;
/// `why` then says what is missing if it has the products. `sums` are the types that are added to.
std::optional<DotNest> try_dot_nest(const ir::For& root, const std::vector<const ir::For*>& around,
                                    const std::vector<DType>& sums, std::string& why);

}  // namespace solway::lowering
