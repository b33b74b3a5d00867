#include "schedule/changed_calls.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "schedule/footprint.h"

namespace solway::schedule {
namespace {

/// Numbers tried in place of one: depths, distances.
constexpr int kNumbers = 8;

void append(std::vector<Change>& all, std::vector<Change> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Whether the stage stores the array itself, so that a copy that is read grows old.
bool is_stored(const State& state, const Attempt& attempt) {
  return !accesses_of(state, attempt.stage, attempt.tensor, AccessKind::Writes).empty();
}

}  // namespace

std::string stage_with(const State& state, LoopId id) {
  for (const auto& [stage, loops] : state.stage_loops) {
    if (std::find(loops.begin(), loops.end(), id) != loops.end()) return stage;
  }
  return "";
}

std::vector<Change> other_positions(const State& state, const Attempt& attempt) {
  const bool is_named = !attempt.axes.empty();
  const std::string stage = is_named ? stage_with(state, attempt.axes[0]) : attempt.stage;
  if (stage.empty()) return {};
  const std::vector<LoopId>& loops = state.stage_loops.at(stage);
  const auto asked = is_named
                         ? std::find(loops.begin(), loops.end(), attempt.axes[0]) - loops.begin()
                         : static_cast<std::ptrdiff_t>(loops.size());
  std::vector<std::ptrdiff_t> places(loops.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) {
    return std::pair(std::abs(a - asked), a < asked) < std::pair(std::abs(b - asked), b < asked);
  });
  std::vector<Change> out;
  for (const std::ptrdiff_t place : places) {
    if (place != asked) out.push_back({{loops[static_cast<std::size_t>(place)]}});
  }
  return out;
}

std::vector<Change> other_buffers(const State& state, const Attempt& attempt) {
  std::vector<Change> out;
  const int depth = attempt.number.value_or(1);
  for (int fewer = depth - 1; fewer >= std::max(1, depth - kNumbers); --fewer) {
    out.push_back({attempt.axes, "", fewer});
  }
  const std::vector<Change> places = other_positions(state, attempt);
  append(out, places);
  if (attempt.primitive == "buffer_read" && is_stored(state, attempt)) {
    out.push_back({attempt.axes, "buffer_write"});
    for (Change change : places) {
      change.primitive = "buffer_write";
      out.push_back(std::move(change));
    }
  }
  if (!attempt.has_region) return out;
  if (!attempt.axes.empty()) out.push_back({attempt.axes, "", {}, true});
  for (Change change : places) {
    change.without_region = true;
    out.push_back(std::move(change));
  }
  return out;
}

std::vector<Change> smaller_numbers(const State& /*state*/, const Attempt& attempt) {
  std::vector<Change> out;
  const int asked = attempt.number.value_or(0);
  const int sign = asked < 0 ? -1 : 1;
  for (int size = std::abs(asked) - 1; size > 0 && out.size() < kNumbers; --size) {
    out.push_back({attempt.axes, "", sign * size});
  }
  return out;
}

std::vector<Change> other_factors(const State& /*state*/, const Attempt& attempt) {
  if (!attempt.number) return {};
  const int asked = *attempt.number;
  std::vector<int> factors = {1, -1, 2, -2, 3, -3};
  std::stable_sort(factors.begin(), factors.end(),
                   [&](int a, int b) { return std::abs(a - asked) < std::abs(b - asked); });
  std::vector<Change> out;
  for (const int factor : factors) {
    if (factor != asked) out.push_back({attempt.axes, "", factor});
  }
  return out;
}

}  // namespace solway::schedule
