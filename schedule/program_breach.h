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
  SlotBusy,       ///< a slot is asked for again before what it was asked for has been awaited
  SourceChanged,  ///< the source of a transfer changes between issue and complete
  LostPartial,    ///< a term is not added to the partial result of its reduction
  SharedPartial,  ///< two terms are added to one partial result
  EarlyRead,      ///< something takes a reduction before its last term
  SharedMerge,    ///< a partial result is not merged, or merged twice
  WrongTerms,     ///< a reduction adds other terms than the one that was written
  WrongValue      ///< a read, or what the caller sees, has another source
};

/// One broken clause of the legality rule, with everything that breaks it. Sources of values are
/// instances of the program as written in WrongValue, of the present one in the others.
struct Breach {
  BreachKind kind;
  isl::union_set sinks;     ///< { S[i] }: instances that are wrong
  isl::union_map found;     ///< { S[i] -> what it has }: an element, or the source of a value
  isl::union_map expected;  ///< { S[i] -> what it should have }
  std::size_t operand = 0;  ///< of the sinks, as it was written
};

/// What a program was found to do, where nothing is broken.
struct FoundFlow {
  Sources sources;
  isl::union_map landed;  ///< { complete -> the last instance that wrote what it completes }
};

/// All elements of all arrays of a program.
isl::union_set extents_of(const Program& program);

/// The first broken clause of `after` with respect to `before`; nullopt when it computes the same,
/// and then `found`, unless null, holds the flow of `after`.
///
/// Values: for each operand of each instance that has an origin, (the origin, then the source that
/// the operand had) equals (the source that it has now, then the origin). Reductions: a group is a
/// result in one place; each of its updates continues the chain from its one initialisation, and
/// the updates that it is made of, through merges, are those of the result as written, each once.
/// `extents` holds all elements of all arrays. Throws AnalysisBudgetError with `request` when
/// values pass through too many copies.
std::optional<Breach> find_breach(const ElementProgram& before, const ElementProgram& after,
                                  const isl::union_set& extents, const Request& request,
                                  FoundFlow* found = nullptr);

}  // namespace solway::schedule
