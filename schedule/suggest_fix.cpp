#include "schedule/suggest_fix.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "schedule/reorder.h"
#include "schedule/rfactor.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/split.h"
#include "support/analysis_limit.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// What a prelude leaves: the state, and the loops that the primitive then takes.
struct Prepared {
  State state;
  std::vector<LoopId> axes;
};

struct Candidate {
  std::string text;  ///< empty: that of the changed call
  /// Null when the primitive is called with `change`, and nothing goes before it.
  std::function<Prepared(const State&)> prelude;
  Change change = {};
  /// Whether the fix is the prelude and the primitive together: its loops have another stage then.
  bool is_whole = false;
};
using Candidates = std::vector<Candidate>;

/// One refused primitive on one state, for the functions that make candidates.
struct Problem {
  const State& state;
  const Attempt& attempt;
  SourceLoc where;

  std::string name(LoopId id) const { return "'" + loop_name(state, id) + "'"; }
  std::string stage() const { return "s[" + attempt.stage + "]"; }
  std::string then() const { return ", then " + attempt.primitive; }

  /// The named loops, outermost first.
  std::vector<LoopId> present_order() const {
    std::vector<LoopId> out;
    for (const LoopId id : state.stage_loops.at(attempt.stage)) {
      const auto& axes = attempt.axes;
      if (std::find(axes.begin(), axes.end(), id) != axes.end()) out.push_back(id);
    }
    return out;
  }
};

std::string skew_text(const Problem& p, LoopId axis, LoopId by, std::int64_t factor) {
  return p.stage() + ".skew(" + p.name(axis) + ", by=" + p.name(by) +
         ", factor=" + std::to_string(factor) + ")";
}

/// One loop slanted along one outside it.
Candidate one_skew(const Problem& p, LoopId axis, LoopId by, std::int64_t factor) {
  return {skew_text(p, axis, by, factor) + p.then(), [p, axis, by, factor](const State& s) {
            return Prepared{skew(s, p.attempt.stage, axis, by, factor, p.where), p.attempt.axes};
          }};
}

/// One loop slanted along one outside it; then all inner ones along the outermost, as tiles of
/// time need it.
Candidates skews(const Problem& p) {
  Candidates out;
  const std::vector<LoopId> loops = p.present_order();
  for (const std::int64_t factor : {1, 2, -1, 3}) {
    for (std::size_t inner = 1; inner < loops.size(); ++inner) {
      for (std::size_t outer = 0; outer < inner; ++outer) {
        out.push_back(one_skew(p, loops[inner], loops[outer], factor));
      }
    }
  }
  for (const std::int64_t factor : {1, 2}) {
    if (loops.size() < 3) break;
    std::string text;
    for (std::size_t k = 1; k < loops.size(); ++k) {
      text += (k == 1 ? "" : ", ") + skew_text(p, loops[k], loops[0], factor);
    }
    out.push_back({text + p.then(), [p, loops, factor](const State& s) {
                     State slanted = s;
                     for (std::size_t k = 1; k < loops.size(); ++k) {
                       slanted =
                           skew(slanted, p.attempt.stage, loops[k], loops[0], factor, p.where);
                     }
                     return Prepared{slanted, p.attempt.axes};
                   }});
  }
  return out;
}

/// How many pairs of `order` stand the other way round than their numbers.
std::size_t inversions(const std::vector<std::size_t>& order) {
  std::size_t out = 0;
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) out += order[a] > order[b] ? 1 : 0;
  }
  return out;
}

/// Other orders of the same loops, the one most like the request first; not the present one.
Candidates other_orders(const Problem& p) {
  const std::vector<LoopId>& axes = p.attempt.axes;
  if (axes.size() < 3 || axes.size() > 5) return {};
  std::vector<std::vector<std::size_t>> orders;
  std::vector<std::size_t> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end())) orders.push_back(order);
  std::stable_sort(orders.begin(), orders.end(),
                   [](const auto& a, const auto& b) { return inversions(a) < inversions(b); });
  Candidates out;
  for (const auto& places : orders) {
    constexpr std::size_t kOrders = 12;
    if (out.size() == kOrders) break;
    std::vector<LoopId> loops;
    std::string names;
    for (const std::size_t place : places) {
      loops.push_back(axes[place]);
      names += (names.empty() ? "" : ", ") + p.name(axes[place]);
    }
    if (loops == p.present_order()) continue;
    out.push_back({p.stage() + "." + p.attempt.primitive + "(" + names + ") instead", {}, {loops}});
  }
  return out;
}

/// A block no longer than the distance of the conflict, whose iterations run together.
Candidates blocks(const Problem& p) {
  Candidates out;
  const LoopId axis = p.attempt.axes.at(0);
  for (const std::int64_t factor : {16, 8, 4, 2}) {
    if (p.state.order.loop(axis).extent() <= factor) continue;
    out.push_back({p.stage() + ".split(" + p.name(axis) + ", factor=" + std::to_string(factor) +
                       ")" + p.then() + " on the inner loop",
                   [p, axis, factor](const State& s) {
                     SplitResult made = split(s, p.attempt.stage, axis, factor, p.where);
                     return Prepared{std::move(made.state), {made.inner}};
                   }});
  }
  return out;
}

/// The same mark on another loop of the stage: outermost first for cores, innermost for lanes.
Candidates other_loops(const Problem& p) {
  std::vector<LoopId> loops = p.state.stage_loops.at(p.attempt.stage);
  if (p.attempt.primitive == "vectorize") std::reverse(loops.begin(), loops.end());
  Candidates out;
  for (const LoopId id : loops) {
    if (id == p.attempt.axes.at(0)) continue;
    const Loop& loop = p.state.order.loop(id);
    if (loop.mark != LoopMark::Serial || loop.extent() < 2) continue;
    out.push_back({p.attempt.text(Change{{id}}) + " instead", {}, {{id}}});
  }
  return out;
}

/// Partial results of a reduction, one per iteration of the marked loop.
Candidates partial_results(const Problem& p) {
  const LoopId axis = p.attempt.axes.at(0);
  if (p.state.order.loop(axis).kind != dsl::AxisKind::Reduce) return {};
  const std::string& stage = p.attempt.stage;
  Candidate out;
  const std::string call = p.attempt.text(Change{{axis}});  // "s[C].bind('k', 'row')"
  out.text = "P = s.rfactor(" + stage + ", " + p.name(axis) + "), then s[P]" +
             call.substr(call.find(']') + 1);
  out.prelude = [p, axis](const State& s) {
    return Prepared{rfactor(s, p.attempt.stage, axis, p.where).state, {axis}};
  };
  out.is_whole = true;
  return {std::move(out)};
}

/// A wavefront: an inner loop slanted along the marked one and brought outside it.
Candidates wavefronts(const Problem& p) {
  Candidates out;
  const LoopId axis = p.attempt.axes.at(0);
  const std::vector<LoopId>& loops = p.state.stage_loops.at(p.attempt.stage);
  const auto at = std::find(loops.begin(), loops.end(), axis);
  for (const std::int64_t factor : {1, 2}) {
    for (auto inner = at; inner != loops.end(); ++inner) {
      if (inner == at) continue;
      const LoopId front = *inner;
      out.push_back({skew_text(p, front, axis, factor) + ", " + p.stage() + ".reorder(" +
                         p.name(front) + ", " + p.name(axis) + ")" + p.then(),
                     [p, axis, front, factor](const State& s) {
                       const std::string& stage = p.attempt.stage;
                       return Prepared{reorder(skew(s, stage, front, axis, factor, p.where), stage,
                                               {front, axis}, p.where),
                                       {axis}};
                     }});
    }
  }
  return out;
}

/// One of two stages moved, so that what the other reads has been computed.
Candidates shifts(const Problem& p) {
  Candidates out;
  if (p.attempt.axes.empty()) return out;
  const LoopId axis = p.attempt.axes[0];
  const std::string other = stage_with(p.state, axis);
  if (other.empty()) return out;
  const auto depth = static_cast<std::size_t>(
      std::find(p.state.stage_loops.at(other).begin(), p.state.stage_loops.at(other).end(), axis) -
      p.state.stage_loops.at(other).begin());
  const std::vector<LoopId>& own = p.state.stage_loops.at(p.attempt.stage);
  for (const std::int64_t distance : {1, 2, 3, 4, 6, 8}) {
    for (std::size_t k = depth + 1; k-- > 0;) {
      const LoopId outer = p.state.stage_loops.at(other)[k];
      out.push_back({"s[" + other + "].shift(" + p.name(outer) + ", " + std::to_string(distance) +
                         ")" + p.then(),
                     [p, other, outer, distance](const State& s) {
                       return Prepared{shift(s, other, outer, distance, p.where), p.attempt.axes};
                     }});
      if (k >= own.size()) continue;
      const LoopId mine = own[k];
      out.push_back(
          {p.stage() + ".shift(" + p.name(mine) + ", " + std::to_string(distance) + ")" + p.then(),
           [p, mine, distance](const State& s) {
             return Prepared{shift(s, p.attempt.stage, mine, distance, p.where), p.attempt.axes};
           }});
    }
  }
  return out;
}

/// The same call with other arguments, which `how` chooses.
template <std::vector<Change> (*how)(const State&, const Attempt&)>
Candidates changed(const Problem& p) {
  Candidates out;
  for (Change& change : how(p.state, p.attempt)) {
    out.push_back({"", {}, std::move(change)});
  }
  return out;
}

using Generator = Candidates (*)(const Problem&);

/// What is tried for each primitive, in this order.
const std::map<std::string, std::vector<Generator>>& generators() {
  static const std::map<std::string, std::vector<Generator>> kTable = {
      {"reorder", {&skews, &other_orders}},
      {"tile", {&skews}},
      {"vectorize", {&blocks, &other_loops, &wavefronts}},
      {"parallel", {&partial_results, &other_loops, &wavefronts}},
      {"athread_parallel", {&partial_results, &other_loops, &wavefronts}},
      {"bind", {&partial_results, &other_loops, &wavefronts}},
      {"fuse_with", {&shifts, &changed<other_positions>}},
      {"compute_at", {&changed<other_positions>}},
      {"buffer_read", {&changed<other_buffers>}},
      {"buffer_write", {&changed<other_buffers>}},
      {"prefetch", {&changed<smaller_numbers>}},
      {"shift", {&changed<smaller_numbers>}},
      {"skew", {&changed<other_factors>}},
  };
  return kTable;
}

/// Whether there is nothing to try without a loop.
bool marks_loops(const std::string& primitive) {
  static const std::set<std::string> kMarks = {"vectorize", "parallel", "athread_parallel", "bind"};
  return kMarks.count(primitive) != 0;
}

Candidates candidates_of(const Problem& problem) {
  Candidates out;
  const auto found = generators().find(problem.attempt.primitive);
  if (found == generators().end()) return out;
  if (problem.attempt.axes.empty() && marks_loops(problem.attempt.primitive)) return out;
  for (const Generator& generator : found->second) {
    for (Candidate& candidate : generator(problem)) out.push_back(std::move(candidate));
  }
  if (out.size() > kFixCandidates) out.resize(kFixCandidates);
  return out;
}

/// The state to be left, when the candidate makes the primitive legal.
std::optional<State> tried(const Problem& problem, const Candidate& candidate) {
  try {
    if (!candidate.prelude) return problem.attempt.apply(problem.state, candidate.change);
    Prepared prepared = candidate.prelude(problem.state);
    std::optional<State> done = problem.attempt.apply(prepared.state, {prepared.axes});
    if (!done || candidate.is_whole) return done;
    return std::move(prepared.state);
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Fix> suggest_fix(const State& state, const Attempt& attempt, const SourceLoc& where,
                               std::size_t first) {
  const Problem problem{state, attempt, where};
  const Candidates candidates = candidates_of(problem);
  const AnalysisLimit limit(kFixBudget / std::max<std::size_t>(candidates.size(), 1), kFixSeconds);
  for (std::size_t k = first; k < candidates.size() && !limit.is_over(); ++k) {
    std::optional<State> made = tried(problem, candidates[k]);
    if (!made) continue;
    const Candidate& found = candidates[k];
    std::string text = found.text.empty() ? attempt.text(found.change) + " instead" : found.text;
    return Fix{k, std::move(text), std::move(*made)};
  }
  return std::nullopt;
}

}  // namespace solway::schedule
