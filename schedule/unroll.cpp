#include "schedule/unroll.h"

#include "schedule/mark_loop.h"

namespace solway::schedule {

State unroll(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return marked(state, stage, axis, LoopMark::Unrolled, "unroll", where);
}

}  // namespace solway::schedule
