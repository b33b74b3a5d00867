#include "schedule/prefetch.h"

#include <algorithm>

#include "schedule/buffer_depth.h"
#include "support/error.h"

namespace solway::schedule {

State prefetch(const State& state, const std::string& buffer, int distance, const SourceLoc& where,
               const std::optional<LoopId>& across) {
  const Request request{"prefetch(" + buffer + ", distance=" + std::to_string(distance) + ")",
                        where};
  require_buffer(*state.program, buffer, request);
  const Buffer& present = state.program->buffers.at(buffer);
  if (!is_loaded(*state.program, buffer)) {
    throw ScheduleArgumentError({where, request.text + ": '" + buffer + "' is not loaded",
                                 present.primitive + " made it to be stored, and nothing reads '" +
                                     present.tensor + "' before it is written there",
                                 "use double_buffer, which lets it be stored during the next "
                                 "iteration"});
  }
  if (distance < 0) {
    throw ScheduleArgumentError({where, request.text + ": the distance is negative",
                                 "nothing is loaded after it is used",
                                 "pass how many iterations early to load it"});
  }
  const int loops = loops_across(*state.program, state.order, buffer, across, request);
  State out =
      with_depth(state, buffer, {std::max(present.depth, distance + 1), distance, loops}, request);
  log_depth(out, "prefetch", buffer, {{"distance", std::int64_t{distance}}}, across, where);
  return out;
}

}  // namespace solway::schedule
