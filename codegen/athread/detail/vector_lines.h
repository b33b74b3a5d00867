#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/scalar_op.h"
#include "support/source_loc.h"

namespace solway::codegen {

/// A statement of C that computes with vectors that have been loaded.
struct VectorLine {
  SourceLoc where;
  std::string text;                   ///< empty: a call of `function`
  std::string sets{};                 ///< the variable that it sets; empty: none
  std::optional<UnaryOp> function{};  ///< that replaces the vector in `sets`
  bool is_effect = false;             ///< seen outside of variables: keeps its place among those
  int vectors = 1;                    ///< that `function` replaces
};

/// Lets values that do not depend on each other take turns, step by step, as cores issue in order
/// and would wait for each step. Functions of up to four vectors that come together become one
/// call (see VectorFunction).
///
///   before: v2 = simd_vsubs(v0, m);    after:  v2 = simd_vsubs(v0, m);
///           exp of v2                          v3 = simd_vsubs(v1, m);
///           simd_store(v2, &E[0]);             exp_of_2(&v2, &v3);
///           v3 = simd_vsubs(v1, m);            simd_store(v2, &E[0]);
///           exp of v3                          simd_store(v3, &E[4]);
///           simd_store(v3, &E[4]);
///
/// Needs: no line reads memory that another one stores. Keeps: for each variable, who sets what is
/// read; the order of effects.
std::vector<VectorLine> take_turns(std::vector<VectorLine> lines);

}  // namespace solway::codegen
