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
/// Copies of 2 to 4 rows whose elements lie side by side in the destination, as groups of bytes do
/// for products (lowering/form_dots.h), run in vectors of each row: stores of vectors that lie
/// apart, which code generation puts together (codegen/llvm/detail/interleaved_stores.h).
///
///   before: for b in [0, 4) { for j in [0, 64) { BB[j, b] = B[b, j] } }
///   after:  for j_block in [0, 4) {
///             vstore(BB[(j_block * 16), 0], 16, stride 4) = vload(B[0, (j_block * 16)], 16)
///             and 3 more, of the next rows
///           }
///
/// Needs: constant extents of both loops; a destination in near memory. Keeps: everything else, by
/// identity.
ir::Stmt turn_copies(const ir::Stmt& s, const VectorForms& forms);

}  // namespace solway::lowering
