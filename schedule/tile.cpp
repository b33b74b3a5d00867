#include "schedule/tile.h"

#include "schedule/reorder.h"
#include "schedule/split.h"

namespace solway::schedule {

TileResult tile(const State& state, const std::string& stage, LoopId i, LoopId j, std::int64_t ti,
                std::int64_t tj, const SourceLoc& where) {
  require_loop(state, stage, i, "tile", where);
  require_loop(state, stage, j, "tile", where);
  require_distinct(state, {i, j}, "tile", where);
  const SplitResult a = split(state, stage, i, ti, where);
  const SplitResult b = split(a.state, stage, j, tj, where);
  return {reorder(b.state, stage, {a.outer, b.outer, a.inner, b.inner}, where), a.outer, b.outer,
          a.inner, b.inner};
}

}  // namespace solway::schedule
