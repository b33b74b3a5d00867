#include "driver/share_out.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/refusal.h"
#include "schedule/parallel.h"
#include "schedule/share_buffers.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;

/// From so many iterations on, chunks of many threads are about equal.
constexpr std::int64_t kEnough = 16;
/// Each attempt is a proof.
constexpr int kAttempts = 3;

bool is_in_another_stage(const State& state, const std::string& stage) {
  return std::any_of(state.log.begin(), state.log.end(), [&](const schedule::Step& step) {
    const bool is_placed = step.primitive == "compute_at" || step.primitive == "fuse_with" ||
                           step.primitive == "compute_inline";
    return is_placed && step.stage == stage;
  });
}

/// The loops to try, the best first.
std::vector<LoopId> candidates(const State& state, const StageChoice& choice, double cycles) {
  std::vector<LoopId> many, few;
  double outside = 1;
  for (const LoopId id : state.stage_loops.at(choice.stage)) {
    const schedule::Loop& loop = state.order.loop(id);
    if (loop.mark == schedule::LoopMark::Parallel) return {};  // somebody shared it out
    const bool is_free =
        loop.mark == schedule::LoopMark::Serial && loop.kind == dsl::AxisKind::Spatial;
    if (is_free && loop.extent() >= 2 && cycles / outside >= kLeastSharedCycles) {
      (loop.extent() >= kEnough ? many : few).push_back(id);
    }
    outside *= static_cast<double>(std::max<std::int64_t>(1, loop.extent()));
  }
  many.insert(many.end(), few.begin(), few.end());
  if (many.size() > static_cast<std::size_t>(kAttempts)) many.resize(kAttempts);
  return many;
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
