#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/scalar_op.h"
#include "support/source_loc.h"

namespace solway::codegen {

/// A statement of C that loads a vector or computes with vectors.
struct VectorLine {
  SourceLoc where;
  std::string text;                   ///< empty: a call of `function`
  std::string sets{};                 ///< the variable that it sets; empty: none
  std::optional<UnaryOp> function{};  ///< that replaces the vector in `sets`
  bool is_effect = false;             ///< seen outside of variables: keeps its place among those
  int vectors = 1;                    ///< that `function` replaces
};

/// Loads that may all stand before what uses them: they and 16 accumulators leave registers for
/// addresses.
constexpr std::size_t kLoadsTogether = 10;

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

/// Where the loads of a group of lines stand.
enum class LoadPlace : std::uint8_t {
  First,  ///< before all lines, as long as there are few
  Ahead   ///< each a few lines before its use: issued beside arithmetic
};

/// Puts loads before the lines that use them: a few before all, as cores issue in order; of more,
/// which registers would not hold together, or where that is asked for, each as many lines ahead as
/// it takes to arrive.
///
///   before: v3 = simd_vadds(v3, v0);    after:  simd_loadu(v1, &A[i + 1]);
///           v3 = simd_vadds(v3, v1);            v3 = simd_vadds(v3, v0);
///           v3 = simd_vadds(v3, v2);            simd_loadu(v2, &A[i + 2]);
///                                               v3 = simd_vadds(v3, v1); ...
///
/// Needs: no load reads memory that a line stores. Keeps: the order of lines, that of loads that
/// stand together.
std::vector<VectorLine> with_loads(std::vector<VectorLine> loads, std::vector<VectorLine> lines,
                                   LoadPlace place = LoadPlace::First);

}  // namespace solway::codegen
