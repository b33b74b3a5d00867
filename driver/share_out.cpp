#include "driver/share_out.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/refusal.h"
#include "schedule/parallel.h"
#include "schedule/share_buffers.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;

/// Numbers of threads for which the iterations should come out even.
constexpr std::array<int, 4> kTeams{2, 4, 8, 16};
/// A loop further inside counts so many times: its threads all go through what the loop outside
/// reads.
constexpr double kFurtherInside = 1.25;
/// A loop counts so many times where the first thread computes alone beside it, in the loop around
/// both: the model does not say how long.
constexpr double kPartAlone = 2;
/// Cycles that one thread more adds to a meeting of all, and that a loop without one takes to
/// begin.
constexpr double kMeetingCycles = 60;
constexpr double kBeginCycles = 20;
/// The least work of one run of a loop that is shared out.
constexpr double kLeastOfOneRun = 3000;
/// Each attempt is a proof.
constexpr int kAttempts = 3;

bool is_in_another_stage(const State& state, const std::string& stage) {
  return std::any_of(state.log.begin(), state.log.end(), [&](const schedule::Step& step) {
    const bool is_placed = step.primitive == "compute_at" || step.primitive == "fuse_with" ||
                           step.primitive == "compute_inline";
    return is_placed && step.stage == stage;
  });
}

/// What teams take for a loop, of what they would if all its threads had the same work at any time:
/// the mean. `outside` is how often the loop runs.
double unevenness(const State& state, LoopId id, double cycles, double outside) {
  const std::int64_t extent = state.order.loop(id).extent();
  const bool meets = !schedule::passed_into(state, id).empty();
  double sum = 0;
  for (const int team : kTeams) {
    const std::int64_t most = (extent + team - 1) / team;
    const double begin = meets ? 2 * kMeetingCycles * team : kBeginCycles;
    sum += static_cast<double>(most * team) / static_cast<double>(extent) +
           outside * begin * team / cycles;
  }
  return sum / static_cast<double>(kTeams.size());
}

/// Whether the first thread computes something alone: in `around`, outside of `loop` in it.
bool leaves_work_alone(const State& state, LoopId around, LoopId loop) {
  const auto is_in = [](const schedule::Placement& p, LoopId id) {
    return std::find(p.path.begin(), p.path.end(), id) != p.path.end();
  };
  return std::any_of(state.order.placements.begin(), state.order.placements.end(),
                     [&](const schedule::Placement& p) {
                       const schedule::Statement& s = state.program->statement(p.statement);
                       return !s.copy && is_in(p, around) && !is_in(p, loop);
                     });
}

/// The loops to try, the best first.
std::vector<LoopId> candidates(const State& state, const StageChoice& choice, double cycles) {
  std::vector<std::pair<double, LoopId>> found;
  double outside = 1;
  double factor = 1;
  LoopId around = -1;
  for (const LoopId id : state.stage_loops.at(choice.stage)) {
    const schedule::Loop& loop = state.order.loop(id);
    if (loop.mark == schedule::LoopMark::Parallel) return {};  // somebody shared it out
    const bool is_free =
        loop.mark == schedule::LoopMark::Serial && loop.kind == dsl::AxisKind::Spatial;
    if (loop.extent() < 2) continue;
    if (is_free && cycles / outside >= kLeastOfOneRun) {
      const bool is_part = around >= 0 && leaves_work_alone(state, around, id);
      found.emplace_back(
          (is_part ? kPartAlone : 1) * factor * unevenness(state, id, cycles, outside), id);
    }
    outside *= static_cast<double>(loop.extent());
    factor *= kFurtherInside;
    around = id;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > static_cast<std::size_t>(kAttempts)) found.resize(kAttempts);
  std::vector<LoopId> out;
  for (const auto& [cost, id] : found) out.push_back(id);
  return out;
}

/// How often a stage runs in the loops of others.
double runs_of(const State& state, const std::string& stage) {
  const std::vector<std::string> statements = schedule::statements_of(state, stage);
  if (statements.empty()) return 1;
  const std::vector<LoopId>& own = state.stage_loops.at(stage);
  double out = 1;
  for (const LoopId id : state.order.placement_of(statements.front()).path) {
    if (std::find(own.begin(), own.end(), id) != own.end()) continue;
    out *= static_cast<double>(std::max<std::int64_t>(1, state.order.loop(id).extent()));
  }
  return out;
}

}  // namespace

double cycles_within(const State& state, const std::vector<StageChoice>& choices,
                     const std::map<std::string, std::string>& hosts, const std::string& stage) {
  double out = 0;
  for (const StageChoice& choice : choices) {
    std::string host = choice.stage;
    for (auto at = hosts.find(host); at != hosts.end() && host != stage; at = hosts.find(host)) {
      host = at->second;
    }
    if (host != stage || choice.cycles <= 0) continue;
    out += choice.cycles * (choice.stage == stage ? 1 : runs_of(state, choice.stage));
  }
  return out;
}

State share_out(const State& state, StageChoice& choice, double cycles, const SourceLoc& where) {
  if (cycles < kLeastSharedCycles || is_in_another_stage(state, choice.stage)) return state;
  const auto attempt = [&](const State& from, LoopId loop) {
    return unless_refused(
        [&] { return std::optional(schedule::parallel(from, choice.stage, loop, where)); },
        [](const Error&) { return std::optional<State>(); });
  };
  for (const LoopId loop : candidates(state, choice, cycles)) {
    std::optional<State> made = attempt(state, loop);
    // What is copied before the loop all threads read.
    if (!made) made = attempt(schedule::share_buffers(state, loop), loop);
    if (!made) continue;
    choice.parallel = schedule::loop_name(*made, loop);
    return *made;
  }
  return state;
}

}  // namespace solway::driver
