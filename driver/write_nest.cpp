#include "driver/write_nest.h"

#include "driver/detail/nest_writer.h"
#include "driver/planned_draft.h"

namespace solway::driver {

using memory_planner::NestPlan;
using memory_planner::PlannedStage;

Remark left_in_main_memory(const std::string& tensor, const std::string& stage, const Error& error,
                           const SourceLoc& where) {
  return {"auto_buffer of '" + tensor + "' in '" + stage + "'", "accessed in main memory",
          error.report().what + ": " + error.report().why, where};
}

WrittenNest write_nest(const schedule::State& state, const PlannedStage& stage,
                       const NestPlan& plan, const SourceLoc& where) {
  if (auto out = try_draft(NestWriter(state, stage, plan, where), where)) return *std::move(out);
  return NestWriter(state, stage, plan, where).write();
}

}  // namespace solway::driver
