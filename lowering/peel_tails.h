#pragma once

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// Cuts a loop where the bounds of an unrolled or vectorized loop inside change, so that these get
/// constant extents in each part. A part of one iteration is no loop.
///
///   before: for io in [0, 43) {
///             for ii in [0, min(6, (256 - (io * 6)))) unrolled { C[((io * 6) + ii)] = 0.0f32 } }
///   after:  for io in [0, 42) { for ii in [0, 6) unrolled { C[((io * 6) + ii)] = 0.0f32 } }
///           for ii in [0, 4) unrolled { C[(ii + 252)] = 0.0f32 }
///
/// A parallel loop stays one, as cores share it out by its bounds; its body is cut:
///
///   before: for io in [0, 43) parallel {
///             for ii in [0, min(6, (256 - (io * 6)))) unrolled { C[((io * 6) + ii)] = 0.0f32 } }
///   after:  for io in [0, 43) parallel {
///             if (io < 42) { for ii in [0, 6) unrolled { C[((io * 6) + ii)] = 0.0f32 } }
///             else { for ii in [0, 4) unrolled { C[(ii + 252)] = 0.0f32 } } }
///
/// An unrolled loop, which is copied in any case, is cut where a vectorized loop inside changes:
///
///   before: for jo in [0, 2) unrolled { for ji in [0, min(16, (29 - (jo * 16)))) vectorized {
///             C[((jo * 16) + ji)] = 0.0f32 } }
///   after:  for ji in [0, 16) vectorized { C[ji] = 0.0f32 }
///           for ji in [0, 13) vectorized { C[(ji + 16)] = 0.0f32 }
///
/// And a loop is cut where a select inside of these takes its other side, as at a border of an
/// image, if that leaves room for the cuts above:
///
///   before: for yo in [0, 7) { for yi in [0, 2) unrolled {
///             C[yi] = select((1 <= ((yo * 2) + yi)), A[((yo * 2) + yi)], 0.0f32) } }
///   after:  for yi in [0, 2) unrolled { C[yi] = select((1 <= yi), A[yi], 0.0f32) }
///           for yo in [1, 7) { for yi in [0, 2) unrolled { C[yi] = A[((yo * 2) + yi)] } }
///
/// Of a loop of few iterations, with each of which a vectorized loop inside decides such a select,
/// these are written out:
///
///   before: for q in [0, 3) { for x in [0, 16) vectorized {
///             C[x] = (C[x] + select((2 <= (x + q)), A[((x + q) - 2)], 0.0f32)) } }
///   after:  for x in [0, 16) vectorized { C[x] = (C[x] + select((2 <= x), A[(x + -2)], 0.0f32)) }
///           for x in [0, 16) vectorized {
///             C[x] = (C[x] + select((2 <= (x + 1)), A[(x + -1)], 0.0f32)) }
///           for x in [0, 16) vectorized { C[x] = (C[x] + A[x]) }
///
/// Loops whose bounds change at more than two places, or that would multiply the code beyond 16
/// copies, stay whole.
///
/// Needs: constant bounds of the loop that is cut; names defined once around their uses. Keeps:
/// everything else, by identity, but for simplify_bounds on what was cut; names are then unique
/// around their uses but may occur in several copies.
ir::Stmt peel_tails(const ir::Stmt& s);

}  // namespace solway::lowering
