#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/prefetch_lines.h"

namespace solway::lowering {

/// Puts requests for all lines of a buffer that an iteration of a loop will read, those with
/// LinesRequest::inside, at the beginning of another loop in it: each iteration of that one asks
/// for an equal share. Past the end of the loop it is the next iteration of the loop around it that
/// is asked for. `why` has, per request, why it has no effect; "" where it has.
///
///   before: for x in [0, 8) { for k in [0, 64) { XX[k] = X[x, k] } for f in [0, 4) { C[f] = 0 } }
///   after:  for x in [0, 8) { for k in [0, 64) { XX[k] = X[x, k] }
///                             for f in [0, 4) { prefetch X[0, (f * 16) + (x + 1) * 64] C[f] = 0 }
///                             }
///
/// The places are given in elements of the whole buffer. Needs: loops between the two, and around
/// the reads, of constant extents, and indices that are affine in them. Keeps: all that is
/// computed.
ir::Stmt spread_lines(const ir::Stmt& s, const std::vector<LinesRequest>& requests,
                      std::int64_t line_bytes, std::vector<std::string>& why);

}  // namespace solway::lowering
