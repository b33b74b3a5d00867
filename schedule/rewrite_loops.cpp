#include "schedule/rewrite_loops.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "schedule/buffer_slots.h"
#include "schedule/legality.h"
#include "schedule/proof.h"
#include "schedule/transfers_in_place.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

constexpr std::int64_t kLargestValue = std::int64_t{1} << 60;

/// Where `loops` stood; past the end where they do not.
std::size_t replace_in(std::vector<LoopId>& path, const std::vector<LoopId>& loops,
                       const std::vector<LoopId>& by) {
  const auto at = std::search(path.begin(), path.end(), loops.begin(), loops.end());
  if (at == path.end()) return path.size();
  const auto place = static_cast<std::size_t>(at - path.begin());
  const auto gap = path.erase(at, at + static_cast<std::ptrdiff_t>(loops.size()));
  path.insert(gap, by.begin(), by.end());
  return place;
}

/// A delay across several loops is one across what these become; one over the innermost loop stays
/// with the innermost.
void replace_around(Placement& p, const std::vector<LoopId>& loops, const std::vector<LoopId>& by) {
  const std::size_t before = p.path.size();
  const std::size_t place = replace_in(p.path, loops, by);
  if (p.delayed < 2 || place == before) return;
  const std::size_t first = before - static_cast<std::size_t>(p.delayed);
  // What ends before the first delayed loop moves it; what holds it is delayed as a whole.
  const bool is_outside = place + loops.size() <= first;
  const std::size_t now = is_outside ? first + by.size() - loops.size() : std::min(first, place);
  p.delayed = static_cast<int>(p.path.size() - now);
}

/// A value as it is, or one that is too large already.
std::int64_t within_reach(const isl::val& value) {
  const std::int64_t beyond = value.is_neg() ? -2 * kLargestValue : 2 * kLargestValue;
  return std::clamp(isl_ext::try_int64(value).value_or(beyond), -2 * kLargestValue,
                    2 * kLargestValue);
}

}  // namespace

void replace_in_paths(State& state, const std::vector<LoopId>& loops,
                      const std::vector<LoopId>& by) {
  for (Placement& p : state.order.placements) replace_around(p, loops, by);
  for (auto& [stage, own] : state.stage_loops) replace_in(own, loops, by);
}

void set_range(Loop& loop, const std::map<std::string, isl::set>& domains) {
  bool is_first = true;
  loop.begin = loop.end = 0;
  for (const auto& [name, value] : loop.value) {
    const isl::set values = value.as_map().intersect_domain(domains.at(name)).range();
    if (values.is_empty()) continue;
    const std::int64_t low = within_reach(values.dim_min_val(0));
    const std::int64_t high = within_reach(values.dim_max_val(0));
    loop.begin = is_first ? low : std::min(loop.begin, low);
    loop.end = is_first ? high + 1 : std::max(loop.end, high + 1);
    is_first = false;
  }
}

void require_small_range(const Loop& loop, const std::string& request, const SourceLoc& where) {
  if (loop.begin >= -kLargestValue && loop.end <= kLargestValue) return;
  const std::int64_t farthest = loop.end > kLargestValue ? loop.end - 1 : loop.begin;
  const std::string value = farthest >= 2 * kLargestValue    ? "2^61 or more"
                            : farthest <= -2 * kLargestValue ? "-2^61 or less"
                                                             : std::to_string(farthest);
  throw ScheduleArgumentError(
      {where, request + ": the values of '" + loop.name + "' become too large",
       "one would be " + value + "; up to 2^60, index arithmetic stays within 64 bits",
       "pass a smaller number"});
}

void require_serial(const Loop& loop, const std::string& request, const std::string& fix,
                    const SourceLoc& where) {
  if (loop.mark == LoopMark::Serial) return;
  throw ScheduleArgumentError({where, request + ": '" + loop.name + "' is already marked",
                               "a marked loop stays one loop", fix});
}

State proved(State state, Step step, const Request& request) {
  require_transfers_in_place(state, request.text, request.where);
  if (slots_are_numbered(*state.program, state.order)) {
    prove_order(state, request);
  } else {
    if (!state.draft_of) require_order_legal(state, request, Storage::Main);
    adopt_program(state, std::make_shared<Program>(*state.program), request);
  }
  state.log.push_back(std::move(step));
  return state;
}

}  // namespace solway::schedule
