#pragma once

#include <isl/cpp.h>

#include "schedule/program.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// Which arrays are looked at: those in main memory, buffers, or all.
enum class Storage : std::uint8_t { All, Main, Buffers };

/// { S[iteration] -> T[element] } of all statements.
isl::union_map writes_of(const Program& program, Storage storage = Storage::All);
isl::union_map reads_of(const Program& program, Storage storage = Storage::All);

/// Pairs of instances that access one element, at least one of them writing: raw, war and waw.
/// All pairs, not only the nearest, in both directions.
isl::union_map conflicts_of(const Program& program, Storage storage = Storage::All);

/// The pairs of `pairs` { S[iteration] -> T[iteration] } of which the first runs before the second
/// in `time`, { S[iteration] -> [time] }; or not before it.
isl::union_map in_order(const isl::union_map& pairs, const isl::union_map& time);
isl::union_map not_in_order(const isl::union_map& pairs, const isl::union_map& time);

/// { U[iteration] -> U'[iteration] } between updates of one declared reduction: what may be
/// reordered freely.
isl::union_map reorderable_pairs_of(const Program& program);

/// The conflicting pairs that must keep their order, first the instance that runs first in the
/// program's reference order. Pairs of updates of one declared reduction are left out.
isl::union_map dependences_of(const Program& program, Storage storage = Storage::All);

/// Pairs of issues and completes of one transfer that use one reply word, first the instance that
/// runs first in the program's reference order: a word counts one transfer at a time.
isl::union_map reply_dependences_of(const Program& program);

/// Of all conflicting pairs, first the instance that runs first, those that follow from no others:
/// no write of the element stands between that has to keep its order to both. Throws
/// AnalysisBudgetError when that takes more than `budget` operations.
isl::union_map direct_dependences_of(const Program& program, unsigned long budget = kOrderBudget);

}  // namespace solway::schedule
