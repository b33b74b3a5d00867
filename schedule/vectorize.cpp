#include "schedule/vectorize.h"

#include "schedule/mark_loop.h"

namespace solway::schedule {

State vectorize(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where) {
  return marked(state, stage, axis, LoopMark::Vectorized, "vectorize", where);
}

}  // namespace solway::schedule
