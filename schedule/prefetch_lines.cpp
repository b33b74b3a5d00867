#include "schedule/prefetch_lines.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "schedule/loop_paths.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

bool reads(const State& state, const std::string& stage, const std::string& tensor) {
  const std::vector<std::string> statements = statements_of(state, stage);
  return std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
    return state.program->statements.at(name).reads_from(tensor);
  });
}

/// The loops of a stage's statements that run in one of them.
std::vector<LoopId> loops_in(const State& state, const std::string& stage, LoopId at) {
  std::vector<LoopId> out;
  for (const std::string& statement : statements_of(state, stage)) {
    const std::vector<LoopId>& path = state.order.placement_of(statement).path;
    const auto outer = std::find(path.begin(), path.end(), at);
    if (outer == path.end()) continue;
    std::copy_if(outer + 1, path.end(), std::back_inserter(out),
                 [&](LoopId id) { return !contains(out, id); });
  }
  return out;
}

void require_in(const State& state, const std::string& stage, LoopId at, LoopId inside,
                const std::string& request, const SourceLoc& where) {
  const std::vector<LoopId> loops = loops_in(state, stage, at);
  if (contains(loops, inside)) return;
  throw ScheduleArgumentError(
      {where,
       request + ": '" + loop_name(state, inside) + "' does not run in '" + loop_name(state, at) +
           "'",
       "requests are spread over the iterations of a loop that runs in the one whose iterations "
       "count",
       loops.empty()
           ? "leave inside= out: no loop of '" + stage + "' runs in '" + loop_name(state, at) + "'"
           : "pass a loop that does: " + names_of(state, loops)});
}

}  // namespace

State prefetch_lines(const State& state, const std::string& stage, const std::string& tensor,
                     LoopId at, std::int64_t distance, std::optional<LoopId> inside,
                     const SourceLoc& where) {
  const std::string request = "prefetch_lines(" + tensor + ")";
  require_loop(state, stage, at, request, where);
  if (!reads(state, stage, tensor)) {
    throw ScheduleArgumentError(
        {where, request + ": '" + stage + "' does not read '" + tensor + "'",
         "what is asked for early has to be read later",
         "name a tensor in the expression of '" + stage + "', or a buffer that it reads"});
  }
  if (distance < 1) {
    throw ScheduleArgumentError(
        {where, request + ": the distance is " + std::to_string(distance),
         "it says how many iterations of '" + loop_name(state, at) + "' early a line is asked for",
         "pass 1 or more"});
  }
  if (inside) {
    require_loop(state, stage, *inside, request, where);
    require_in(state, stage, at, *inside, request, where);
  }
  const auto is_same = [&](const PrefetchedLines& other) {
    return other.tensor == tensor && other.loop == at;  // by whichever stage in the loop
  };
  const auto& present = state.prefetched_lines;
  if (const auto at_same = std::find_if(present.begin(), present.end(), is_same);
      at_same != present.end()) {
    throw ScheduleArgumentError(
        {where, request + ": '" + loop_name(state, at) + "' asks for its lines already",
         "it does so " + std::to_string(at_same->distance) + " iterations early, by " +
             at_same->where.to_string(),
         "leave one of them out"});
  }
  State out = state;
  out.prefetched_lines.push_back({stage, tensor, at, distance, inside.value_or(-1), where});
  out.log.push_back({"prefetch_lines",
                     stage,
                     {{"", StepText{"{" + tensor + "}"}}, {"", at}, {"distance", distance}},
                     {},
                     where});
  if (inside) out.log.back().arguments.push_back({"inside", *inside});
  return out;
}

}  // namespace solway::schedule
