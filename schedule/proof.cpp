#include "schedule/proof.h"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/buffer_slots.h"
#include "schedule/legality.h"
#include "schedule/program_legality.h"
#include "schedule/same_state.h"
#include "schedule/section.h"
#include "schedule/sizes.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

using Names = std::set<std::string>;

bool is_proved(const State& state, const State& section) {
  if (!state.proved) return false;
  const std::vector<State>& known = state.proved->sections;
  return std::any_of(known.begin(), known.end(),
                     [&](const State& one) { return is_same_section(one, section); });
}

Names statements_in(const State& section) {
  Names out;
  for (const auto& [name, s] : section.program->statements) out.insert(name);
  return out;
}

/// Whether the reference order runs the statements of a section one set after the other, and
/// nothing else between them.
bool is_made_of(const std::vector<Names>& sets, const State& section) {
  const Names own = statements_in(section);
  std::size_t found = 0;
  for (const Names& set : sets) {
    const auto here = std::count_if(set.begin(), set.end(),
                                    [&](const std::string& name) { return own.count(name) != 0; });
    if (here != 0 && static_cast<std::size_t>(here) != set.size()) return false;
    found += static_cast<std::size_t>(here);
  }
  return found == own.size();
}

void keep(State& state, std::vector<State> sections, std::vector<Names> reference) {
  state.proved = std::make_shared<const ProvedSections>(ProvedSections{
      std::move(sections), std::move(reference), state.proved ? state.proved->stored : nullptr});
}

std::vector<Names> reference_of(const State& state) {
  return state.proved ? state.proved->reference : std::vector<Names>{};
}

/// What sections show of the order of a schedule.
enum class Shown : std::uint8_t { Legal, Illegal, Nothing };

/// A dependence that the order of a section breaks is one of the whole.
Shown show_order(State& state, std::vector<State> sections, const Request& request) {
  for (const State& section : sections) {
    if (is_proved(state, section)) continue;
    if (!is_made_of(reference_of(state), section)) return Shown::Nothing;
    const OrderVerdict verdict = judge_order(section, request);
    if (verdict == OrderVerdict::BreaksDependence) return Shown::Illegal;
    if (verdict != OrderVerdict::Legal || !are_marks_legal(section, request)) return Shown::Nothing;
  }
  keep(state, std::move(sections), reference_of(state));
  return Shown::Legal;
}

bool try_order(State& state, std::vector<State> sections, const Request& request) {
  return show_order(state, std::move(sections), request) == Shown::Legal;
}

bool try_program(State& state, std::vector<State> sections, const Request& request,
                 unsigned long budget) {
  std::vector<Names> reference;
  for (const State& section : sections) {
    reference.push_back(statements_in(section));
    if (is_proved(state, section)) continue;
    FoundProgram found;
    const bool is_legal =
        is_program_legal(*section.original, *section.program, request, budget, &found) &&
        are_marks_legal(section, request, &found);
    if (!is_legal) return false;
  }
  keep(state, std::move(sections), std::move(reference));
  return true;
}

/// The part of a schedule, and there is but one, in which a loop stands.
const State* section_around(const std::vector<State>& sections, LoopId id) {
  const auto has = [&](const State& section) { return section.order.loops.count(id) != 0; };
  const auto first = std::find_if(sections.begin(), sections.end(), has);
  if (first == sections.end() || std::any_of(first + 1, sections.end(), has)) return nullptr;
  return &*first;
}

}  // namespace

std::shared_ptr<const ProvedSections> proved_as_written(const Program& program) {
  std::map<std::string, Names> stages;
  for (const auto& [name, s] : program.statements) stages[s.stage].insert(name);
  ProvedSections out;
  for (auto& [stage, statements] : stages) out.reference.push_back(std::move(statements));
  return std::make_shared<const ProvedSections>(std::move(out));
}

std::shared_ptr<const Program> compared_with(const State& state) {
  return state.proved && state.proved->stored ? state.proved->stored : state.original;
}

void compare_with(State& state, std::shared_ptr<const Program> stored) {
  state.proved = std::make_shared<const ProvedSections>(
      ProvedSections{{}, reference_of(state), std::move(stored)});
}

void prove_order(State& state, const Request& request) {
  if (state.draft_of) return;
  std::vector<State> sections = sections_of(state);
  const bool is_cut = sections.size() > 1;
  if (is_cut && try_order(state, sections, request)) return;
  require_order_legal(state, request);
  require_marks_legal(state, request);
  if (is_cut) sections.clear();
  keep(state, std::move(sections), reference_of(state));
}

void adopt_program(State& state, std::shared_ptr<Program> program, const Request& request,
                   unsigned long budget) {
  renumber_slots(*program, state.order);
  if (state.draft_of) {  // nobody asks for its reference order until it is proved
    state.program = std::move(program);
    return;
  }
  take_as_reference(*program, state.order);
  State next = state;
  next.program = program;
  std::vector<State> sections = sections_of(next);
  const bool is_cut = sections.size() > 1;
  if (!is_cut || !try_program(next, sections, request, budget)) {
    FoundProgram found;
    require_program_legal(*state.original, *program, request, budget, &found);
    require_marks_legal(next, request, &found);
    std::vector<Names> reference;
    if (is_cut) {
      sections.clear();
    } else {
      reference.push_back(statements_in(next));
    }
    keep(next, std::move(sections), std::move(reference));
  }
  state = std::move(next);
}

bool try_adopt_as_written(State& state, std::shared_ptr<Program> program, const Request& request) {
  const bool is_as_written = state.program == compared_with(state) &&
                             std::all_of(state.log.begin(), state.log.end(), [](const Step& step) {
                               return step.primitive == "transform_layout";
                             });
  if (!is_as_written || !state.original->sizes.empty()) return false;
  take_as_reference(*program, state.order);
  State next = state;
  next.program = program;
  FoundProgram found;
  try {
    if (!is_program_legal(*state.original, *program, request, kProgramBudget, &found)) return false;
  } catch (const AnalysisBudgetError&) {
    return false;
  }
  require_marks_legal(next, request, &found);
  compare_with(next, std::move(program));
  std::vector<State> sections = sections_of(next);
  std::vector<Names> reference;
  for (const State& section : sections) reference.push_back(statements_in(section));
  keep(next, std::move(sections), std::move(reference));
  state = std::move(next);
  return true;
}

bool try_prove_order(State& state, const Request& request) {
  return try_order(state, sections_of(state), request);
}

bool decide_order(State& state, const Request& request) {
  std::vector<State> sections = sections_of(state);
  const bool is_cut = sections.size() > 1;
  const Shown shown = is_cut ? show_order(state, sections, request) : Shown::Nothing;
  if (shown != Shown::Nothing) return shown == Shown::Legal;
  if (!is_order_legal(state, request) || !are_marks_legal(state, request)) return false;
  if (is_cut) sections.clear();
  keep(state, std::move(sections), reference_of(state));
  return true;
}

bool try_adopt_program(State& state, const Request& request) {
  auto program = std::make_shared<Program>(*state.program);
  renumber_slots(*program, state.order);
  take_as_reference(*program, state.order);
  state.program = std::move(program);
  return try_program(state, sections_of(state), request, kProgramBudget);
}

void prove_mark(State& state, LoopId id, const Loop& before, const Request& request) {
  if (state.draft_of) return;
  const std::vector<State> sections = sections_of(state);
  const State* const around = section_around(sections, id);
  if (around == nullptr || sections.size() == 1) {
    require_no_race(state, id, request);
    return;
  }
  if (!is_mark_legal(*around, id, request)) require_no_race(state, id, request);
  State unmarked = *around;
  unmarked.order.loops.at(id) = before;
  std::vector<State> known = state.proved ? state.proved->sections : std::vector<State>{};
  for (State& one : known) {
    if (is_same_section(one, unmarked)) one = *around;
  }
  keep(state, std::move(known), reference_of(state));
}

}  // namespace solway::schedule
