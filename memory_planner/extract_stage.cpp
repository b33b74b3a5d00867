#include "memory_planner/extract_stage.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "memory_planner/access_dims.h"
#include "memory_planner/reference_groups.h"
#include "memory_planner/slants.h"
#include "memory_planner/turning.h"
#include "schedule/passed_elements.h"
#include "schedule/region.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::ArrayKind;
using schedule::LoopId;
using schedule::LoopMark;
using schedule::State;
using schedule::Statement;

/// What the stage computes, initialisations not counted.
std::vector<const Statement*> computing(const State& state, const std::string& stage) {
  std::vector<const Statement*> out;
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (!s.serves_buffer() && s.kind != schedule::StatementKind::Init) out.push_back(&s);
  }
  return out;
}

/// Whether `array` holds the value of a nested reduction, which the stage alone uses.
bool is_local(const State& state, const std::string& stage, const schedule::Array& array) {
  if (array.kind != ArrayKind::Temporary) return false;
  const auto& all = state.program->statements;
  return std::none_of(all.begin(), all.end(), [&](const auto& named) {
    const Statement& s = named.second;
    return s.stage != stage && (s.reads_from(array.name) || s.writes_to(array.name));
  });
}

bool is_under(const State& state, const std::string& statement, LoopId loop) {
  const std::vector<LoopId>& path = state.order.placement_of(statement).path;
  return std::find(path.begin(), path.end(), loop) != path.end();
}

/// Whether a loop is there and has one of these marks.
bool is_marked(const State& state, LoopId id, std::initializer_list<LoopMark> marks) {
  const auto found = state.order.loops.find(id);
  return found != state.order.loops.end() &&
         std::find(marks.begin(), marks.end(), found->second.mark) != marks.end();
}

std::map<LoopId, Tiling> fixed_by_user(const State& state, const std::string& stage,
                                       const std::set<LoopId>& divided) {
  std::map<LoopId, Tiling> out;
  for (const schedule::Step& step : state.log) {
    if (step.stage != stage || step.primitive != "split" || step.results.size() != 2) continue;
    if (divided.count(step.results[1]) != 0) continue;
    // What was cut off to be held in registers leaves the size of tiles free.
    const bool is_held =
        is_marked(state, step.results[1], {LoopMark::Vectorized, LoopMark::Unrolled});
    out[step.results[0]] = is_held ? Tiling::Free : Tiling::Outside;
    out[step.results[1]] = Tiling::Inside;
    if (is_marked(state, step.results[0], {LoopMark::Parallel})) {
      out[step.results[1]] = Tiling::Free;
    }
  }
  for (const LoopId id : state.stage_loops.at(stage)) {
    const LoopMark mark = state.order.loop(id).mark;
    if (mark == LoopMark::Parallel) out[id] = Tiling::Outside;
    if (mark == LoopMark::Vectorized || mark == LoopMark::Unrolled) out[id] = Tiling::Inside;
  }
  return out;
}

HeldBy held_by(LoopMark mark) {
  if (mark == LoopMark::Vectorized) return HeldBy::Vectors;
  return mark == LoopMark::Unrolled ? HeldBy::Unrolled : HeldBy::Nobody;
}

/// Per dimension, how many indices of a padded copy are not copied.
std::vector<std::int64_t> border_of(const State& state, const std::string& array) {
  const Statement& s = state.program->statement(array);
  const schedule::Array& info = state.program->array(array);
  const isl::union_map passed = schedule::passed_elements(s, info.type);
  const isl::set inside = passed.as_map().domain();
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < info.shape.size(); ++k) {
    const auto low = isl_ext::try_dim_min(inside, static_cast<int>(k));
    const auto high = isl_ext::try_dim_max(inside, static_cast<int>(k));
    out.push_back(low && high ? info.shape[k] - (*high - *low + 1) : 0);
  }
  return out;
}

/// "X[i + 8] and 2 more"
std::string label_of(const State& state, const std::string& stage, const std::string& array,
                     const std::vector<int>& references) {
  const auto all = schedule::references_of(state, stage, array);
  const std::string& first = all.at(static_cast<std::size_t>(references.front())).text;
  if (references.size() == 1) return first;
  return first + " and " + std::to_string(references.size() - 1) + " more";
}

/// { T[element] } that a stage writes.
isl::set written_elements(const std::vector<schedule::Access>& accesses) {
  isl::set out;
  for (const schedule::Access& access : accesses) {
    if (!access.is_write) continue;
    const isl::set written = access.relation.range();
    out = out.is_null() ? written : out.unite(written);
  }
  return out;
}

void add_tensor(const State& state, const std::string& stage, const std::string& array,
                AccessDirection direction, PlannedStage& out,
                const schedule::ReferenceNumbers& references = {}) {
  const schedule::Array& info = state.program->array(array);
  if (info.kind == ArrayKind::Buffer) return;
  const auto kind = direction == AccessDirection::Write ? schedule::AccessKind::Writes
                                                        : schedule::AccessKind::Reads;
  const std::vector<schedule::Access> accesses =
      schedule::accesses_of(state, stage, array, kind, references);
  TensorModel tensor;
  tensor.name = array;
  tensor.element_bytes = size_bytes(info.type);
  tensor.direction = direction;
  tensor.dims = access_dims(state, accesses, out.loops);
  tensor.is_local = is_local(state, stage, info);
  tensor.references = references;
  if (references) tensor.label = label_of(state, stage, array, *references);
  tensor.shape = info.shape;
  if (direction == AccessDirection::Write && !tensor.is_local) {
    tensor.slants = slants_of(written_elements(accesses));
  }
  std::optional<std::vector<std::set<LoopId>>> moving;  // seldom asked for, and dear
  const auto moves = [&](LoopId id) {
    if (!moving) moving = schedule::dependent_loops(state, accesses);
    return std::any_of(moving->begin(), moving->end(),
                       [&](const auto& loops) { return loops.count(id) != 0; });
  };
  for (std::size_t k = 0; k < out.loops.size(); ++k) {
    const LoopId id = out.loops[k];
    const auto inside = std::count_if(accesses.begin(), accesses.end(), [&](const auto& access) {
      return is_under(state, access.statement, id);
    });
    if (inside == 0) tensor.elsewhere.push_back(static_cast<int>(k));
    const bool is_partly = inside != 0 && inside != static_cast<std::ptrdiff_t>(accesses.size());
    LoopModel& loop = out.model.loops[k];
    if (!is_partly || loop.tiling != Tiling::Free || !moves(id)) continue;
    loop.tiling = Tiling::Inside;
    loop.is_whole = true;
  }
  out.model.tensors.push_back(std::move(tensor));
}

/// One TensorModel of what is read of a tensor, or one for each group of references.
void add_read(const State& state, const std::string& stage, const std::string& array,
              const Decided& decided, PlannedStage& out) {
  const auto apart = decided.apart.find(stage);
  if (apart == decided.apart.end() || apart->second.count(array) == 0) {
    add_tensor(state, stage, array, AccessDirection::Read, out);
    return;
  }
  for (const std::vector<int>& group : reference_groups(state, stage, array)) {
    add_tensor(state, stage, array, AccessDirection::Read, out, group);
  }
}

}  // namespace

bool is_free(const PlannedStage& stage) {
  const auto& loops = stage.model.loops;
  return !stage.keeps_order && !loops.empty() &&
         std::all_of(loops.begin(), loops.end(), [](const LoopModel& loop) {
           return loop.tiling == Tiling::Free && !loop.is_parallel && loop.extent > 0;
         });
}

PlannedStage extract_stage(const State& state, const std::string& stage,
                           const std::vector<std::string>& direct, const Decided& decided) {
  const std::vector<const Statement*> statements = computing(state, stage);
  PlannedStage out;
  out.model.name = stage;
  out.model.is_nested = statements.size() > 1;
  out.loops = state.stage_loops.at(stage);
  const std::map<LoopId, Tiling> fixed = fixed_by_user(state, stage, decided.divided);
  for (const LoopId id : out.loops) {
    const schedule::Loop& loop = state.order.loop(id);
    const auto at = fixed.find(id);
    LoopModel& model = out.model.loops.emplace_back();
    model.name = loop.name;
    model.extent = loop.extent();
    model.kind = loop.kind;
    if (at != fixed.end()) model.tiling = at->second;
    model.is_parallel = loop.mark == LoopMark::Parallel;
    model.cores = loop.parts;
    model.held = held_by(loop.mark);
  }
  std::vector<std::string> written;
  std::vector<std::string> seen = direct;
  const auto is_new = [&](const std::string& array) {
    if (std::find(seen.begin(), seen.end(), array) != seen.end()) return false;
    seen.push_back(array);
    return true;
  };
  for (const Statement* s : statements) {
    for (const schedule::Write& write : s->writes) {
      const std::string array = isl_ext::tuple_name(write.relation, isl_ext::Dim::Range);
      if (is_new(array)) written.push_back(array);
    }
  }
  for (const Statement* s : statements) {
    for (const schedule::Operand& operand : s->reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range);
      if (is_new(array)) add_read(state, stage, array, decided, out);
    }
  }
  for (const std::string& array : written) {
    add_tensor(state, stage, array, AccessDirection::Write, out);
  }
  for (TensorModel& tensor : out.model.tensors) {
    if (decided.filled.count(tensor.name) != 0) tensor.border = border_of(state, tensor.name);
    if (decided.turned.count(tensor.name) != 0) tensor.turning = turning_of(state, tensor.name);
  }
  out.keeps_order = std::any_of(state.log.begin(), state.log.end(), [&](const auto& step) {
    return step.stage == stage && step.primitive == "reorder";
  });
  return out;
}

}  // namespace solway::memory_planner
