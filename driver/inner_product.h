#pragma once

#include <string>

#include "driver/stage_choice.h"
#include "memory_planner/plan_decisions.h"
#include "schedule/state.h"
#include "support/target.h"

/// Which code multiplies matrices, as the user asks auto_buffer for it.
namespace solway::driver {

/// The choice of that name: "auto", "c", "assembly". Throws ScheduleArgumentError for another one.
memory_planner::InnerProduct inner_product_of(const std::string& name, const SourceLoc& where);

/// Throws UnsupportedError where assembly cannot multiply: by the machine of the target, by a
/// planner that has loops of C alone, or as nothing is multiplied.
void require_assembly(const schedule::State& state, const Target& target,
                      const std::string& planner, const SourceLoc& where);

/// Throws UnsupportedError for a stage that adds up products and was planned without a
/// micro-kernel; says why there is none.
void require_micro_kernels(const AutoBufferResult& planned, const Target& target,
                           const SourceLoc& where);

}  // namespace solway::driver
