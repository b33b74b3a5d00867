#pragma once

#include "lowering/ir/stmt.h"
#include "lowering/vector_forms.h"

namespace solway::lowering {

/// Copies that turn a matrix, whose neighbours in the source are rows in the destination, run in
/// squares of as many rows as vectors have lanes. A square is a block of stores of vectors whose
/// loads are strided and start at neighbours: code generation loads its rows and turns them in
/// registers (codegen/llvm/detail/turned_square.h).
///
///   before: for r in [0, 64) { for j in [0, 64) { KK[r, j] = K[j, r] } }
///   after:  for r_block in [0, 16) {
///             for j_block in [0, 16) {
///               vstore(KK[(r_block * 4), (j_block * 4)], 4) = vload(K[(j_block * 4), (r_block *
///               4)], 4, stride 64)   and 3 more, from the next neighbours
///             }
///           }
///
/// What does not fill a square is copied element by element.
///
/// Needs: constant extents of both loops; a destination in near memory. Keeps: everything else, by
/// identity.
ir::Stmt turn_copies(const ir::Stmt& s, const VectorForms& forms);

}  // namespace solway::lowering
