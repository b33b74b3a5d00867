#include "schedule/double_buffer.h"

#include <utility>

#include "schedule/buffer_depth.h"

namespace solway::schedule {

State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where,
                    const std::optional<LoopId>& across) {
  const Request request{"double_buffer(" + buffer + ")", where};
  require_buffer(*state.program, buffer, request);
  BufferDepth depth = depth_of(*state.program, buffer, 2);
  depth.across = loops_across(*state.program, state.order, buffer, across, request);
  State out = with_depth(state, buffer, depth, request);
  Step step{"double_buffer",
            state.program->buffers.at(buffer).stage,
            {{"", StepText{"{" + buffer + "}"}}},
            {},
            where};
  if (across) step.arguments.emplace_back("across", *across);
  out.log.push_back(std::move(step));
  return out;
}

}  // namespace solway::schedule
