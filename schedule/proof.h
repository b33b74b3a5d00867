#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "schedule/request.h"
#include "schedule/state.h"
#include "support/isl_context.h"

/// How primitives end: the new schedule is proved, section by section where it has several, and
/// those that are as they were are not proved again. A proof that fails on a section says nothing
/// to the user: the whole is proved then, which may succeed, or says what is wrong.
namespace solway::schedule {

/// What is known of the sections of a schedule.
struct ProvedSections {
  /// Each computes, in its present order, what its part of the program as written computes, and its
  /// marks are legal.
  std::vector<State> sections;
  /// Sets of statements that do so in the order of Program::reference, which runs set after set in
  /// the order of the stages as written.
  std::vector<std::set<std::string>> reference;
  /// The program as written in the layouts that its tensors have now, which was proved to compute
  /// the same: what sections are compared with. Null: the program as written.
  std::shared_ptr<const Program> stored = nullptr;
};

/// What is known of a schedule as the user wrote it.
std::shared_ptr<const ProvedSections> proved_as_written(const Program& program);

/// What sections of `state` are compared with.
std::shared_ptr<const Program> compared_with(const State& state);

/// Lets sections be compared with `stored` from now on; null: with the program as written. No
/// section is proved then.
void compare_with(State& state, std::shared_ptr<const Program> stored);

/// Requires that the order of `state`, whose program is a proved one, and its marks are legal, as
/// require_order_legal and require_marks_legal. Of a draft nothing is required.
void prove_order(State& state, const Request& request);

/// Makes `program`, in the state's order, the program of the state: how a primitive that changes
/// what runs ends. Slots of buffers are numbered over the loops that are now around them. Throws as
/// require_program_legal and require_marks_legal; not of a draft.
void adopt_program(State& state, std::shared_ptr<Program> program, const Request& request,
                   unsigned long budget = kProgramBudget);

/// adopt_program where nothing but layouts has changed what was written, stage after stage, and
/// sizes are known: `program`, proved as a whole, is what sections are compared with from now on,
/// so that none is to be proved by itself. False where something has, or that does not show it.
bool try_adopt_as_written(State& state, std::shared_ptr<Program> program, const Request& request);

/// prove_order without a reason: false where the order or a mark is illegal.
bool decide_order(State& state, const Request& request);

/// prove_order, and adopt_program of the program that the state has, by sections alone and without
/// a reason: false where that does not show it. Throws what ends the proof of a section otherwise.
bool try_prove_order(State& state, const Request& request);
bool try_adopt_program(State& state, const Request& request);

/// Requires that loop `id` may run as it is marked, where `before` is the loop without the mark, as
/// require_no_race. Of a draft nothing is required.
void prove_mark(State& state, LoopId id, const Loop& before, const Request& request);

}  // namespace solway::schedule
