#pragma once

#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/program.h"
#include "schedule/request.h"
#include "support/error.h"

/// What a broken dependence looks like to a user.
namespace solway::schedule {

/// isl did not decide `request` within `budget` operations.
AnalysisBudgetError undecided(const Request& request, unsigned long budget);

/// One instance, `at` its coordinates. A transfer is called by the name of its buffer.
Instance instance_of(const Statement& s, const std::vector<std::int64_t>& at);

/// What there is of `pairs` for the smallest sizes for which there is any.
isl::union_map with_smallest_sizes(const isl::union_map& pairs);

/// The instance of `instances` { S[i] } that runs first in `time` { S[i] -> [t] }.
isl::point first_of(const isl::union_set& instances, const isl::union_map& time);

/// "T[0, 4]"
std::string element_text(const std::string& array, const std::vector<std::int64_t>& element);

/// " (stencil.py:7)", nothing for an unknown line.
std::string located(const SourceLoc& where);

/// The error for the smallest pair, in the program's own order, of dependences that `order` turns
/// around. `violated` is { S[iteration] -> T[iteration] }, not empty; where some of them are
/// direct, with no write of the element between, the pair is one of these; of many, the smallest of
/// one element. Bounded to kOrderBudget operations for the smallest pair and as many again for any
/// pair; beyond, the error names none.
IllegalScheduleError order_violation(const Program& program, const isl::union_map& violated,
                                     const Order& order, const Request& request);

/// The error for the smallest pair of conflicting instances in different iterations of a loop
/// that is to run them at the same time. `distance` is the least number of iterations between the
/// two of a pair, where vectors that are no longer would be legal.
IllegalScheduleError race_violation(const Program& program, const isl::union_map& crossing,
                                    const Loop& loop, std::optional<std::int64_t> distance,
                                    const Request& request);

/// The error for the smallest pair of `flow` { writer -> reader } of a core's own buffers that lies
/// in different iterations of parallel `loop`; `accesses` is { S[i] -> B[cell] } of the
/// readers.
IllegalScheduleError private_buffer_violation(const Program& program, const isl::union_map& flow,
                                              const isl::union_map& accesses, const Loop& loop,
                                              const Request& request);

}  // namespace solway::schedule
