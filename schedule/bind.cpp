#include "schedule/bind.h"

#include "schedule/mark_loop.h"
#include "support/error.h"

namespace solway::schedule {

State bind(const State& state, const std::string& stage, LoopId axis, const std::string& hardware,
           const SourceLoc& where) {
  require_loop(state, stage, axis, "bind", where);
  const Request request{"bind(" + loop_name(state, axis) + ", \"" + hardware + "\")", where};
  if (hardware.empty()) {
    throw ScheduleArgumentError({where, request.text + ": the hardware has no name",
                                 "a target names its dimensions, such as \"core\"",
                                 "pass \"core\", \"row\" or \"column\""});
  }
  State out = mark_loop(state, axis, LoopMark::Parallel, request, {hardware, 0});
  out.log.push_back({"bind", stage, {{"", axis}, {"", hardware}}, {}, where});
  return out;
}

}  // namespace solway::schedule
