#include "schedule/double_buffer.h"

#include "schedule/buffer_depth.h"

namespace solway::schedule {

State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where,
                    const std::optional<LoopId>& across) {
  const Request request{"double_buffer(" + buffer + ")", where};
  require_buffer(*state.program, buffer, request);
  BufferDepth depth = depth_of(*state.program, buffer, 2);
  depth.across = loops_across(*state.program, state.order, buffer, across, request);
  State out = with_depth(state, buffer, depth, request);
  log_depth(out, "double_buffer", buffer, {}, across, where);
  return out;
}

}  // namespace solway::schedule
