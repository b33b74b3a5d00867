#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "schedule/known_dependences.h"
#include "schedule/order.h"
#include "schedule/program.h"

namespace solway::schedule {

/// An argument that is more than a loop, a number or a word: the Python text of it, in which {3}
/// stands for loop 3, {C} for the tensor or buffer C and {sizes.n} for the size n:
/// "[{3}, {4}*2 + 1]".
struct StepText {
  std::string text;
};

/// One primitive that was applied, with the user's line: data, so that a schedule prints as the
/// script that made it and replays. `primitive` and `arguments` are those of the Python method.
struct Step {
  using Argument = std::variant<LoopId, std::int64_t, std::string, StepText>;

  std::string primitive;                                    ///< "split"
  std::string stage;                                        ///< the tensor whose loops it took
  std::vector<std::pair<std::string, Argument>> arguments;  ///< name ("" when positional), value
  std::vector<LoopId> results;                              ///< the loops that it made
  SourceLoc where;
  std::string buffer = {};  ///< the buffer that it made
};

/// A loop that a primitive took away.
struct Replacement {
  std::string primitive;  ///< "split(x, factor=4)"
  SourceLoc where;
  std::vector<LoopId> by;
};

/// Lines of a tensor that a loop asks the caches for before they are read, see prefetch_lines.h.
struct PrefetchedLines {
  std::string stage;   ///< that asked; what others read of it in the loop counts, too
  std::string tensor;  ///< or a buffer
  LoopId loop = -1;
  std::int64_t distance = 1;  ///< iterations of the loop
  LoopId inside = -1;         ///< the loop over whose iterations they are spread; -1: none
  SourceLoc where;
};

struct ProvedSections;

/// Everything a schedule is: what is computed, and when. An immutable value; a primitive is a
/// function from one to the next.
struct State {
  std::shared_ptr<const Program> program;
  Order order;
  std::map<std::string, std::vector<LoopId>> stage_loops;  ///< present loops, outermost first
  /// The loop that each axis of the user's expression became first.
  std::map<std::string, std::vector<std::pair<dsl::Axis, LoopId>>> axis_loops;
  std::map<LoopId, Loop> removed;  ///< loops that are no longer there, for messages and the log
  std::map<LoopId, Replacement> replaced;
  std::vector<Step> log;
  std::vector<PrefetchedLines> prefetched_lines;
  /// What of it was proved section by section; null: nothing.
  std::shared_ptr<const ProvedSections> proved;
  /// Shared with the schedules that it was made of, and with those made of it.
  std::shared_ptr<KnownDependences> known = std::make_shared<KnownDependences>();
  /// Of a draft, in which primitives are applied without a proof, the program with which it began;
  /// else null. See draft.h.
  std::shared_ptr<const Program> draft_of;
  /// What the user wrote: the program before any primitive, with the stages that pad put into it,
  /// which it has proved to compute the same. Statements that are no transfers keep
  /// their names, domains and bodies, or say by Statement::origin what they compute. Declared last,
  /// as `program` is first: one of them holds the isl context while the members between are
  /// destroyed, and while they are assigned.
  std::shared_ptr<const Program> original;
};

/// The schedule in which every stage runs as it was written. Tensors of `given` are read and not
/// computed. Throws DslError when two tensors share a name or an output is a placeholder, and what
/// make_program() throws.
State make_state(const std::vector<dsl::Tensor>& outputs, const SourceLoc& where,
                 const std::vector<dsl::Tensor>& given = {});

/// The name of a loop, present or removed.
const std::string& loop_name(const State& state, LoopId id);

/// Throws ScheduleArgumentError unless `id` is a present loop of `stage`: names the primitive that
/// replaced it, or the stage that it belongs to.
void require_loop(const State& state, const std::string& stage, LoopId id,
                  const std::string& request, const SourceLoc& where);

/// Throws ScheduleArgumentError when one of the loops is named twice.
void require_distinct(const State& state, const std::vector<LoopId>& axes,
                      const std::string& request, const SourceLoc& where);

/// Takes loop `id` out of `order`, remembering what replaced it.
void replace_loop(State& state, LoopId id, const std::string& request, const SourceLoc& where,
                  const std::vector<LoopId>& by);

/// Takes a statement out of the order, with the loops that only it stood under.
void remove_statement(State& state, const std::string& statement, const std::string& request,
                      const SourceLoc& where);

/// The statements that stage `stage` consists of, in textual order.
std::vector<std::string> statements_of(const State& state, const std::string& stage);

}  // namespace solway::schedule
