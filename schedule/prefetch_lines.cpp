#include "schedule/prefetch_lines.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace solway::schedule {
namespace {

bool reads(const State& state, const std::string& stage, const std::string& tensor) {
  const std::vector<std::string> statements = statements_of(state, stage);
  return std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
    return state.program->statements.at(name).reads_from(tensor);
  });
}

}  // namespace

State prefetch_lines(const State& state, const std::string& stage, const std::string& tensor,
                     LoopId at, std::int64_t distance, const SourceLoc& where) {
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
  const auto is_same = [&](const PrefetchedLines& other) {
    return other.stage == stage && other.tensor == tensor && other.loop == at;
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
  out.prefetched_lines.push_back({stage, tensor, at, distance, where});
  out.log.push_back({"prefetch_lines",
                     stage,
                     {{"", StepText{"{" + tensor + "}"}}, {"", at}, {"distance", distance}},
                     {},
                     where});
  return out;
}

}  // namespace solway::schedule
