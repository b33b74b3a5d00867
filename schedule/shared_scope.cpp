#include "schedule/shared_scope.h"

#include <algorithm>
#include <optional>

#include "schedule/violation.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// A statement that fills a shared buffer inside of a parallel loop.
struct FilledInside {
  const Statement* statement = nullptr;
  std::string array;
  LoopId loop = -1;
};

std::optional<FilledInside> filled_inside(const State& state) {
  const Program& program = *state.program;
  for (const auto& [name, array] : program.arrays) {
    if (!is_shared(array)) continue;
    for (const Placement& p : state.order.placements) {
      const Statement& s = program.statement(p.statement);
      if (!s.writes_to(name)) continue;
      const auto parallel = std::find_if(p.path.begin(), p.path.end(), [&](LoopId id) {
        return state.order.loop(id).mark == LoopMark::Parallel;
      });
      if (parallel != p.path.end()) return FilledInside{&s, name, *parallel};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const State& state, const Statement& s, const std::string& array,
                         const Loop& loop, const Request& request) {
  const auto at = state.program->buffers.find(array);
  const SourceLoc& made = at == state.program->buffers.end() ? s.where : at->second.where;
  const auto one = [&](std::int64_t value) { return Instance{s.stage, {{loop.name, value}}}; };
  throw IllegalScheduleError(
      {request.where, request.text + " would let several cores fill '" + array + "' at once",
       "there is one '" + array + "' for all cores" + located(made) +
           ", and it is filled inside the parallel loop '" + loop.name +
           "', whose iterations run on different ones",
       "let it stand outside of '" + loop.name + "', or leave out scope=\"" + kSharedScope +
           "\": then each core has its own"},
      {one(loop.begin), one(loop.begin + 1), array, {}, request.text});
}

}  // namespace

bool is_shared(const Array& array) {
  return array.kind == ArrayKind::Buffer && array.scope == kSharedScope;
}

std::set<std::string> own_buffers(const Program& program) {
  std::set<std::string> out;
  for (const auto& [name, buffer] : program.buffers) {
    if (!is_shared(program.array(name))) out.insert(name);
  }
  return out;
}

bool is_shared_filled_outside(const State& state) { return !filled_inside(state); }

void require_shared_filled_outside(const State& state, const Request& request) {
  const auto found = filled_inside(state);
  if (!found) return;
  refuse(state, *found->statement, found->array, state.order.loop(found->loop), request);
}

}  // namespace solway::schedule
