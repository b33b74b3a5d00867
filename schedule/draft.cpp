#include "schedule/draft.h"

#include <memory>
#include <utility>

#include "schedule/proof.h"
#include "support/error.h"

namespace solway::schedule {

State begin_draft(State state) {
  if (!state.draft_of) state.draft_of = state.program;
  return state;
}

namespace {

/// The draft, no draft any more, where `proves` shows it to be legal.
template <typename Proof>
std::optional<State> where_legal(State draft, const Proof& proves) {
  draft.draft_of.reset();
  try {
    if (proves(draft)) return draft;
  } catch (const AnalysisBudgetError&) {
  } catch (const IllegalScheduleError&) {
  } catch (const ScheduleArgumentError&) {
  }
  return std::nullopt;
}

}  // namespace

std::optional<State> try_settle(State draft, const Request& request) {
  const bool same_program = draft.program == draft.draft_of;
  return where_legal(std::move(draft), [&](State& state) {
    return same_program ? try_prove_order(state, request) : try_adopt_program(state, request);
  });
}

std::optional<State> settle_order(State draft, const Request& request) {
  return where_legal(std::move(draft), [&](State& state) { return decide_order(state, request); });
}

}  // namespace solway::schedule
