#pragma once

#include <vector>

#include "codegen/athread/assembly/modulo_schedule.h"
#include "codegen/athread/assembly/register_allocation.h"

namespace solway::codegen::assembly {

/// A loop whose iterations overlap by one: `begin` starts the first, each round of `kernel` ends
/// one and starts the next, `end` ends the last. For n iterations the kernel runs n - 1 times.
///
///   before: n times: load, multiply
///   after:  load; n - 1 times: multiply, load; multiply
struct PipelinedLoop {
  std::vector<Instruction> begin;
  std::vector<Instruction> kernel;       ///< with the count and the branch to `label`
  std::vector<Instruction> bare_kernel;  ///< without
  std::vector<Instruction> end;          ///< without additions that nothing reads any more
};

/// `counter` holds the rounds of the kernel. In a slot that is full, count and branch take cycles
/// of their own.
PipelinedLoop pipelined_loop(const std::vector<Instruction>& body, const ModuloSchedule& schedule,
                             const Allocation& allocation, Register counter,
                             const std::string& label);

}  // namespace solway::codegen::assembly
