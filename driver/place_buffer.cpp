#include "driver/place_buffer.h"

#include <algorithm>
#include <set>

#include "dma/insertion.h"
#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/transform_layout.h"
#include "support/error.h"
#include "support/isl_ext.h"
#include "support/target.h"

namespace solway::driver {
namespace {

/// "buffer_read(B, [ki, yi], at=ko)"
std::string text_of(const schedule::State& state, schedule::AccessKind kind,
                    const PlacedBuffer& request) {
  std::string out = kind == schedule::AccessKind::Reads ? "buffer_read(" : "buffer_write(";
  out += request.tensor;
  if (request.region) out += ", " + schedule::to_string(state, *request.region);
  if (request.at) out += ", at=" + schedule::loop_name(state, *request.at);
  if (request.references) out += ", references=" + schedule::to_string(*request.references);
  if (request.scope == kSharedScope) out += std::string(", scope=\"") + kSharedScope + "\"";
  if (request.depth != 1) out += ", depth=" + std::to_string(request.depth);
  if (request.padding == schedule::Padding::Filled) out += ", fill_padding=True";
  if (request.slide) out += ", slide=" + schedule::loop_name(state, *request.slide);
  if (request.align_bytes > 0) out += ", align=" + std::to_string(request.align_bytes);
  return out + ")";
}

/// Whether an operand is in that array, which holds a tensor in another layout and stands in no
/// expression, or in a buffer of it.
bool reads_layout(const schedule::State& state, const schedule::Operand& operand,
                  const std::string& storage) {
  const schedule::Program& program = *state.program;
  const auto array = program.arrays.find(storage);
  return array != program.arrays.end() && array->second.kind == schedule::ArrayKind::Temporary &&
         program.home_of(isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range)) == storage;
}

bool reads(const schedule::State& state, const dsl::Tensor& stage, const std::string& storage) {
  const std::vector<std::string> statements = schedule::statements_of(state, stage->name);
  return std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
    const auto& operands = state.program->statement(name).reads;
    return std::any_of(operands.begin(), operands.end(), [&](const schedule::Operand& operand) {
      if (reads_layout(state, operand, storage)) return true;
      if (!operand.read) return false;
      const dsl::Tensor& source = operand.read->tensor;
      return (source == stage->self ? stage->name : source->storage_name()) == storage;
    });
  });
}

bool stores(const schedule::State& state, const dsl::Tensor& stage, const std::string& storage) {
  const std::vector<dsl::Tensor> members = dsl::members_of(stage);
  const std::vector<std::string> statements = schedule::statements_of(state, stage->name);
  return std::any_of(members.begin(), members.end(),
                     [&](const dsl::Tensor& m) { return m->storage_name() == storage; }) ||
         std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
           return state.program->statement(name).writes_to(storage);
         });
}

/// The computed tensors of a schedule, then those that are inlined.
std::vector<dsl::Tensor> stages_of(const schedule::State& state) {
  std::vector<dsl::Tensor> out = state.program->stages;
  for (const dsl::Tensor& stage : state.original->stages) {
    if (!state.program->has_stage(stage)) out.push_back(stage);
  }
  return out;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Those of `users` that read this version of the memory, not one before or after an update.
std::vector<std::string> readers_of_version(const schedule::State& state,
                                            const std::vector<std::string>& users,
                                            const dsl::Tensor& tensor) {
  std::vector<std::string> out;
  for (const dsl::Tensor& stage : stages_of(state)) {
    if (!contains(users, stage->name)) continue;
    const std::vector<dsl::Tensor> inputs = dsl::inputs_of(stage);
    if (stage == tensor || std::find(inputs.begin(), inputs.end(), tensor) != inputs.end()) {
      out.push_back(stage->name);
    }
  }
  return out;
}

/// Throws ScheduleArgumentError unless `id` is a loop around statements of `stage`: its own, or one
/// of a stage in whose loops it is computed.
void require_around(const schedule::State& state, const std::string& stage, schedule::LoopId id,
                    const std::string& request, const SourceLoc& where) {
  for (const std::string& name : schedule::statements_of(state, stage)) {
    const std::vector<schedule::LoopId>& path = state.order.placement_of(name).path;
    if (std::find(path.begin(), path.end(), id) != path.end()) return;
  }
  schedule::require_loop(state, stage, id, request, where);
}

bool copies_layout(const schedule::State& state, const std::string& stage) {
  const auto at = state.program->statements.find(stage);
  return at != state.program->statements.end() && at->second.is_layout_copy();
}

/// Those of `users` that compute with a tensor, where others only give it another layout.
std::vector<std::string> without_copies(const schedule::State& state,
                                        std::vector<std::string> users) {
  if (users.size() > 1) {
    users.erase(std::remove_if(users.begin(), users.end(),
                               [&](const std::string& u) { return copies_layout(state, u); }),
                users.end());
  }
  return users;
}

/// Whether statements of a stage use that array itself, or a buffer of it.
bool uses(const schedule::State& state, const std::string& stage, const std::string& array) {
  const schedule::Program& program = *state.program;
  const auto is_it = [&](const isl::map& relation) {
    return program.home_of(isl_ext::tuple_name(relation, isl_ext::Dim::Range)) == array;
  };
  const std::vector<std::string> statements = schedule::statements_of(state, stage);
  return std::any_of(statements.begin(), statements.end(), [&](const std::string& name) {
    const schedule::Statement& s = program.statement(name);
    return std::any_of(s.reads.begin(), s.reads.end(),
                       [&](const schedule::Operand& read) { return is_it(read.relation); }) ||
           std::any_of(s.writes.begin(), s.writes.end(),
                       [&](const schedule::Write& write) { return is_it(write.relation); });
  });
}

/// The array in which `stage` finds a tensor: itself, or what holds it in another layout.
std::string array_for(const schedule::State& state, const PlacedBuffer& request) {
  if (uses(state, request.stage, request.tensor)) return request.tensor;
  return schedule::layout_of(*state.program, request.tensor).value_or(request.tensor);
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "'" : ", '") + name + "'";
  return out;
}

}  // namespace

std::vector<std::string> users_of(const schedule::State& state, const std::string& storage,
                                  schedule::AccessKind kind) {
  std::vector<std::string> out;
  for (const dsl::Tensor& stage : state.program->stages) {
    const bool uses = kind == schedule::AccessKind::Reads ? reads(state, stage, storage)
                                                          : stores(state, stage, storage);
    if (uses) out.push_back(stage->name);
  }
  return out;
}

std::string serving_stage(const schedule::State& state, schedule::AccessKind kind,
                          const dsl::Tensor& tensor, const std::string& named,
                          const SourceLoc& where) {
  const bool is_read = kind == schedule::AccessKind::Reads;
  const std::vector<std::string> users = users_of(state, tensor->storage_name(), kind);
  if (contains(users, named)) return named;
  std::vector<std::string> own;
  if (is_read) {
    own = readers_of_version(state, users, tensor);
  } else if (contains(users, tensor->name)) {
    own = {tensor->name};
  }
  const std::vector<std::string> found = without_copies(state, own.empty() ? users : own);
  if (found.size() == 1) return found[0];
  const std::string request = is_read ? "buffer_read" : "buffer_write";
  if (found.empty()) {
    std::vector<std::string> names;
    for (const dsl::Tensor& stage : stages_of(state)) names.push_back(stage->name);
    const std::string verb = is_read ? "reads" : "computes";
    throw ScheduleArgumentError(
        {where, request + ": no stage of this schedule " + verb + " '" + tensor->name + "'",
         "its stages are " + listed(names), "pass a tensor that one of them " + verb});
  }
  if (!named.empty()) return named;
  throw ScheduleArgumentError(
      {where,
       request + ": several stages " + (is_read ? "read" : "compute") + " '" + tensor->name + "'",
       "these are " + listed(found), "name one with readers="});
}

std::vector<schedule::Reference> references_of(const schedule::State& state,
                                               const std::string& stage,
                                               const std::string& tensor) {
  PlacedBuffer request;
  request.stage = stage;
  request.tensor = tensor;
  return schedule::references_of(state, stage, array_for(state, request));
}

schedule::Region varying_loops(const schedule::State& state, schedule::AccessKind kind,
                               const std::string& stage, const std::string& tensor,
                               const std::vector<schedule::LoopId>& loops,
                               const schedule::ReferenceNumbers& references) {
  std::set<schedule::LoopId> varying;
  const auto accesses = schedule::accesses_of(state, stage, tensor, kind, references);
  for (std::set<schedule::LoopId>& dim : schedule::dependent_loops(state, accesses)) {
    varying.merge(dim);
  }
  schedule::Region out;
  for (const schedule::LoopId id : loops) {
    if (varying.count(id) != 0) out.push_back({id, nullptr, {}});
  }
  return out;
}

schedule::BufferResult place_buffer(const schedule::State& state, schedule::AccessKind kind,
                                    const PlacedBuffer& request, const SourceLoc& where) {
  schedule::BufferRequest placed;
  placed.stage = request.stage;
  placed.tensor = array_for(state, request);
  placed.logged_as = request.tensor;
  placed.region = request.region;
  placed.scope = request.scope;
  placed.layout = request.layout;
  placed.loop_layout = request.loop_layout;
  placed.depth = request.depth;
  placed.padding = request.padding;
  placed.text = text_of(state, kind, request);
  placed.also = request.also;
  placed.references = request.references;
  const bool is_of_buffer = state.program->buffers.count(placed.tensor) != 0;
  if (request.references && !is_of_buffer) {
    schedule::require_references(state, request.stage, placed.tensor, *request.references,
                                 {placed.text, where});
  }
  if (!request.also.empty() && request.references) {
    throw UnsupportedError({where,
                            placed.text + " for several stages is not supported with references",
                            "references are counted in the expression of one stage",
                            "leave references= out, or give each stage a buffer of its own"});
  }
  placed.align_bytes = request.align_bytes;
  if (!request.also.empty() && (request.region || !request.at)) {
    throw UnsupportedError({where,
                            placed.text + " for several stages is not supported with a region",
                            "a region names loops of one stage",
                            "leave the region out, and name the loop around all of them with at="});
  }
  if (request.slide) {
    require_around(state, request.stage, *request.slide, placed.text, where);
    placed.slide = *request.slide;
  }
  if (request.region) {
    for (const schedule::RegionItem& item : *request.region) {
      for (const schedule::LoopId id : schedule::loops_of(item)) {
        schedule::require_loop(state, request.stage, id, placed.text, where);
      }
    }
  }
  for (const schedule::LoopId id : request.loop_layout) {
    schedule::require_loop(state, request.stage, id, placed.text, where);
  }
  if (request.at) {
    require_around(state, request.stage, *request.at, placed.text, where);
    placed.at = *request.at;
  } else if (request.region) {
    placed.at = dma::position_of(state, request.stage, placed.tensor, kind, *request.region,
                                 placed.text, where, request.references, request.scope);
  } else {
    throw ScheduleArgumentError({where, placed.text + " has neither a region nor a position",
                                 "without a region the buffer holds what the loops inside touch",
                                 "pass the axes that vary inside, or at="});
  }
  return kind == schedule::AccessKind::Reads ? schedule::buffer_read(state, placed, where)
                                             : schedule::buffer_write(state, placed, where);
}

}  // namespace solway::driver
