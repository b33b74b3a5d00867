#include "memory_planner/divide_loops.h"

#include <utility>
#include <vector>

#include "memory_planner/index_steps.h"
#include "schedule/region.h"
#include "schedule/split.h"
#include "support/isl_box.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::LoopId;
using schedule::State;
using schedule::Statement;

/// What the statements of a stage read and write, initialisations left out.
std::vector<Access> accesses_of(const State& state, const std::string& stage) {
  std::vector<Access> out;
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (s.serves_buffer() || s.kind == schedule::StatementKind::Init) continue;
    for (std::size_t k = 0; k < s.writes.size(); ++k) {
      out.push_back({name, true, k, s.writes[k].relation, s.writes[k].index});
    }
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      if (!s.reads[k].is_exact) continue;
      out.push_back({name, false, k, s.reads[k].relation, s.reads[k].index});
    }
  }
  return out;
}

struct Division {
  LoopId loop = -1;
  std::int64_t block = 0;
};

/// The first loop around a statement that moves one index unevenly, in blocks that fill the loop.
std::optional<Division> find_division(const State& state, const Access& access, int dim) {
  const isl::map index = index_over_loops(state, access, dim);
  if (isl_ext::try_steps_on_box(index)) return std::nullopt;  // every loop moves it evenly
  const std::vector<LoopId>& path = state.order.placement_of(access.statement).path;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const schedule::Loop& loop = state.order.loop(path[k]);
    if (loop.depends_on_sizes || loop.extent() <= 2) continue;
    const auto block = block_of(index, k, loop.begin);
    if (!block || *block >= loop.extent() || loop.extent() % *block != 0) continue;
    return Division{path[k], *block};
  }
  return std::nullopt;
}

std::optional<Division> find_division(const State& state, const std::string& stage) {
  for (const Access& access : accesses_of(state, stage)) {
    for (unsigned dim = 0; dim < access.index.size(); ++dim) {
      if (auto found = find_division(state, access, static_cast<int>(dim))) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<DividedLoops> divide_loops(const State& state, const std::string& stage,
                                         const SourceLoc& where) {
  DividedLoops out{state, {}};
  while (const auto division = find_division(out.state, stage)) {
    schedule::SplitResult made =
        schedule::split(out.state, stage, division->loop, division->block, where);
    out.state = std::move(made.state);
    out.loops.erase(division->loop);
    out.loops.insert({made.outer, made.inner});
  }
  if (out.loops.empty()) return std::nullopt;
  return out;
}

}  // namespace solway::memory_planner
