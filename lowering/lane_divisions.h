#pragma once

#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"
#include "lowering/vector_body.h"

namespace solway::lowering {

/// The body of a Vectorized loop for one chunk, in which divisions by constants that all lanes
/// share, and remainders along neighbours, are told from others: a vector that lies within a block.
/// `ranges` are of the variables around it.
///
///   before: C[i] = B[(i // 16), (i % 16)]          with i = (v * 8), ..., ((v * 8) + 7)
///   after:  C[i] = B[(v // 2), (((v % 2) * 8) + (i - (v * 8)))]
///
/// Needs: lanes of a known number. Keeps: what differs from lane to lane otherwise, by identity.
ir::Stmt simplify_lane_divisions(const ir::Stmt& body, const VectorChunk& chunk,
                                 const ir::Ranges& ranges);

}  // namespace solway::lowering
