#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"
#include "support/remark.h"

namespace solway::lowering {

/// What a loop is to ask the caches for.
struct LinesRequest {
  std::string buffer;
  std::set<std::string> loops;  ///< its variables, one for each place where it stands
  std::int64_t distance = 1;
  SourceLoc where;
  std::set<std::string> inside = {};  ///< of the loop over which they are spread; empty: none
};

/// Puts, behind the statements that read a buffer inside a loop, prefetches of what they read
/// `distance` iterations of that loop later: one for each line of `line_bytes`, as far as the
/// distances between elements are constant.
///
///   before: for k in [0, n) { C[0] = (C[0] + W[k, 0]) }
///   after:  for k in [0, n) { C[0] = (C[0] + W[k, 0]) prefetch W[(k + 8), 0] }
///
/// Those with `inside` stand elsewhere, see spread_lines.h.
///
/// A request that finds no such read in any of its loops is a remark. Needs: vectors and copies of
/// unrolled loops, so that neighbours are told. Keeps: all that is computed.
ir::Stmt prefetch_lines(const ir::Stmt& s, const std::vector<LinesRequest>& requests,
                        std::int64_t line_bytes, Remarks& remarks);

}  // namespace solway::lowering
