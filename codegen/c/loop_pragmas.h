#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// What directives of NEC's C compiler (ncc, for SX-Aurora) are written by.
struct NecPragmas {
  std::int64_t vector_length = 256;  ///< the most iterations that one vector instruction runs
  /// Variables of Vectorized and Unrolled loops of which no two iterations touch one element that
  /// one of them writes. No other loop has such a variable.
  std::set<std::string> independent = {};
};

namespace c99 {

/// The directives that stand directly before a loop, in order, without "#pragma ". `ranges` are
/// those of the variables around it.
///
///   for i in [0, 256) vectorized { C[i] = (A[i] * 2.0f32) }    _NEC ivdep, _NEC shortloop
///
/// A Vectorized loop has `ivdep` if it is independent, else `vector`, and the compiler looks for
/// the reduction itself; `shortloop` if one vector holds all iterations, else `packed_vector` if
/// all data are neighbouring floats, of which two go into an element, and of a reduction whose
/// extent is not known `shortloop_reduction`. A loop around a Vectorized one has `novector`. An
/// Unrolled loop has `unroll_completely`, or, if loops stay inside, `outerloop_unroll` if it is
/// independent: the compiler then runs copies of the inner loop as one.
///
/// A loop of copies between two arrays is independent by itself. One that allocates is not, though
/// its iterations may be: they use one piece of memory.
std::vector<std::string> nec_pragmas(const ir::For& loop, const NecPragmas& pragmas,
                                     const ir::Ranges& ranges);

}  // namespace c99
}  // namespace solway::codegen
