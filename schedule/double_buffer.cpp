#include "schedule/double_buffer.h"

#include "schedule/buffer_depth.h"

namespace solway::schedule {

State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where) {
  const Request request{"double_buffer(" + buffer + ")", where};
  require_buffer(*state.program, buffer, request);
  State out = with_depth(state, buffer, depth_of(*state.program, buffer, 2), request);
  out.log.push_back({"double_buffer",
                     state.program->buffers.at(buffer).stage,
                     {{"", StepText{"{" + buffer + "}"}}},
                     {},
                     where});
  return out;
}

}  // namespace solway::schedule
