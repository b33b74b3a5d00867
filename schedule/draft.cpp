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

std::optional<State> try_settle(State draft, const Request& request) {
  const bool same_program = draft.program == draft.draft_of;
  draft.draft_of.reset();
  try {
    const bool is_legal =
        same_program ? try_prove_order(draft, request) : try_adopt_program(draft, request);
    if (is_legal) return draft;
  } catch (const AnalysisBudgetError&) {
  } catch (const IllegalScheduleError&) {
  } catch (const ScheduleArgumentError&) {
  }
  return std::nullopt;
}

}  // namespace solway::schedule
