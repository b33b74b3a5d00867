#pragma once

#include "schedule/program.h"

namespace solway::schedule {

/// Collects the sizes of the program's tensors in `program.sizes`. Throws DslError when two of them
/// share a name.
void collect_sizes(Program& program, const SourceLoc& where);

/// Throws ScheduleArgumentError, which begins with `request`, when `condition` names a size that is
/// none of the program's: no call would give it a value.
void require_own_sizes(const Program& program, const dsl::Expr& condition,
                       const std::string& request, const SourceLoc& where);

/// { : bounds of the sizes and all assumptions }
isl::set context_of(const Program& program);

/// Bounds the sizes, to what the assumptions leave, in the domains and the accesses of all
/// statements and in the extents of all arrays, where they are parameters:
///
///   before:  { B[i] : 0 <= i < n }
///   after:   [n] -> { B[i] : 0 <= i < n and 1 <= n <= 4096 and n mod 16 = 0 }
///   of a size with these bounds and the assumption n % 16 == 0
void bound_sizes(Program& program);

/// Makes `order` the one that defines the program's meaning, with sizes bounded; a primitive that
/// makes statements or arrays does it anew.
void take_as_reference(Program& program, const Order& order);

}  // namespace solway::schedule
