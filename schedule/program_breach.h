#pragma once

#include <optional>

#include <isl/cpp.h>

#include "schedule/flow.h"
#include "schedule/request.h"

namespace solway::schedule {

/// How a program can differ from the one that it was made from.
enum class BreachKind : std::uint8_t {
  OutOfBounds,    ///< an access leaves its array
  SharedCell,     ///< a transfer puts two elements into one cell
  UsedInFlight,   ///< something uses what a transfer has not completed
  NeverAwaited,   ///< an issue without its complete
  Overwritten,    ///< the destination of a transfer changes between issue and complete
  SourceChanged,  ///< the source of a transfer changes between issue and complete
  LostPartial,    ///< a term is not added to the partial result of its reduction
  SharedPartial,  ///< two terms are added to one partial result
  EarlyRead,      ///< something takes a reduction before its last term
  WrongValue      ///< a read, or what the caller sees, has another source
};

/// One broken clause of the legality rule, with everything that breaks it.
struct Breach {
  BreachKind kind;
  isl::union_set sinks;     ///< { S[i] }: instances that are wrong
  isl::union_map found;     ///< { S[i] -> what it has }: an element, or the source of a value
  isl::union_map expected;  ///< { S[i] -> what it should have }
  std::size_t operand = 0;  ///< of the sinks
};

/// The first broken clause of `after` with respect to `before`; nullopt when it computes the same.
/// `extents` holds all elements of all arrays. Throws AnalysisBudgetError with `request` when
/// values pass through too many copies.
std::optional<Breach> find_breach(const ElementProgram& before, const ElementProgram& after,
                                  const isl::union_set& extents, const Request& request);

}  // namespace solway::schedule
