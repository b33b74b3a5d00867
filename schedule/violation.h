#pragma once

#include <string>

#include <isl/cpp.h>

#include "schedule/program.h"
#include "schedule/request.h"
#include "support/error.h"

/// What a broken dependence looks like to a user.
namespace solway::schedule {

/// The error for the smallest pair, in the program's own order, of dependences that a new order
/// turns around. `violated` is { S[iteration] -> T[iteration] }, not empty.
IllegalScheduleError order_violation(const Program& program, const isl::union_map& violated,
                                     const Request& request);

/// The error for the smallest pair of conflicting instances in different iterations of a loop
/// that is to run them at the same time.
IllegalScheduleError race_violation(const Program& program, const isl::union_map& crossing,
                                    const std::string& loop, const Request& request);

}  // namespace solway::schedule
