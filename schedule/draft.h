#pragma once

#include <optional>

#include "schedule/request.h"
#include "schedule/state.h"

/// Many primitives with one proof, for a planner that applies them in a row and shows nobody what
/// is between: only the last schedule has to be legal.
namespace solway::schedule {

/// The same schedule, on which primitives apply without the proofs of order, values and loops that
/// run at once. They refuse what cannot be asked for as ever.
State begin_draft(State state);

/// The schedule proved, no draft any more; nullopt when it is not shown to be legal. Which
/// primitive is wrong is then found by applying them one by one to what the draft began with.
std::optional<State> try_settle(State draft, const Request& request);

/// try_settle of a draft that changed nothing but the order, with the proof of the whole where that
/// of its sections says nothing: nullopt when the order is illegal or not decided. Cheaper than
/// primitives one by one, where nobody wants to know which one is wrong.
std::optional<State> settle_order(State draft, const Request& request);

}  // namespace solway::schedule
