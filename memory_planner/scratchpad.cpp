#include "memory_planner/scratchpad.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "memory_planner/pack_lifetimes.h"
#include "support/error.h"

namespace solway::memory_planner {
namespace {

using schedule::State;
using schedule::Statement;

bool uses(const Statement& s, const std::string& array) {
  return s.writes_to(array) || s.reads_from(array);
}

/// The loop that all iterations of a nest run in; -1 outside all loops.
schedule::LoopId nest_of(const schedule::Placement& placement) {
  return placement.path.empty() ? -1 : placement.path.front();
}

template <typename IsOne>
std::set<schedule::LoopId> nests_of(const State& state, IsOne is_one) {
  std::set<schedule::LoopId> out;
  for (const schedule::Placement& p : state.order.placements) {
    if (nest_of(p) >= 0 && is_one(state.program->statement(p.statement))) out.insert(nest_of(p));
  }
  return out;
}

/// The statements from the first to the last that `is_used` names, with the whole of their nests;
/// [0, -1] for none.
template <typename IsUsed>
std::pair<int, int> span_of(const State& state, IsUsed is_used) {
  const std::vector<schedule::Placement>& placements = state.order.placements;
  const std::set<schedule::LoopId> nests = nests_of(state, is_used);
  std::pair<int, int> out{0, -1};
  for (std::size_t k = 0; k < placements.size(); ++k) {
    const bool is_in = nests.count(nest_of(placements[k])) != 0 ||
                       is_used(state.program->statement(placements[k].statement));
    if (!is_in) continue;
    if (out.second < 0) out.first = static_cast<int>(k);
    out.second = static_cast<int>(k);
  }
  return out;
}

void set_lifetime(const State& state, PlacedBuffer& out) {
  const auto is_user = [&](const Statement& s) { return uses(s, out.name); };
  std::tie(out.live_from, out.live_to) = span_of(state, is_user);
  const std::vector<schedule::Placement>& placements = state.order.placements;
  for (std::size_t k = placements.size(); k-- > 0;) {
    const Statement& s = state.program->statement(placements[k].statement);
    if (!is_user(s)) continue;
    out.first_use = static_cast<int>(k);
    const bool is_own = s.is_transfer() && s.copy->buffer == out.name;
    if (!is_own || !out.lifetime.empty()) continue;
    const std::vector<schedule::LoopId>& path = placements[k].path;
    out.lifetime = path.empty() ? "in " + out.stage
                                : "in each iteration of " +
                                      schedule::loop_name(state, path.back()) + " of " + out.stage;
  }
}

PlacedBuffer placed(const State& state, const schedule::Buffer& buffer) {
  const schedule::Array& array = state.program->array(buffer.name);
  PlacedBuffer out;
  out.name = buffer.name;
  out.tensor = buffer.tensor;
  out.stage = buffer.stage;
  out.shape = array.shape;
  out.type = array.type;
  out.size_bytes = size_bytes(array.type);
  for (const std::int64_t extent : array.shape) out.size_bytes *= extent;
  out.primitive = buffer.primitive;
  out.where = buffer.where;
  set_lifetime(state, out);
  if (out.live_to < out.live_from) {  // nothing uses it
    out.live_from = 0;
    out.live_to = static_cast<int>(state.order.placements.size()) - 1;
  }
  return out;
}

std::vector<Lifetime> lifetimes_of(const ScratchpadLayout& layout) {
  std::vector<Lifetime> out;
  for (const PlacedBuffer& b : layout.buffers) {
    out.push_back({b.size_bytes, b.live_from, b.live_to});
    const bool is_of_a_core =
        layout.kind == MemoryKind::Scratchpad && layout.shared_by == MemorySharing::Core;
    // One behind the other: as if all were in use together.
    if (!is_of_a_core) out.back().first = out.back().last = 0;
  }
  return out;
}

ScratchpadLayout empty_layout(const Target& target, const Memory& memory) {
  ScratchpadLayout out;
  out.target = target.name;
  out.scope = memory.name;
  out.kind = memory.kind;
  out.capacity_bytes = memory.size_bytes;
  out.shared_by = memory.shared_by;
  const bool has_code =
      memory.kind == MemoryKind::Scratchpad && memory.shared_by == MemorySharing::Core;
  out.reserved_bytes = memory.reserved_bytes + (has_code ? kCodeBytes : 0);
  const bool is_between = &memory == target.shared_or_null();
  const TransferEngine* engine =
      target.engine_or_null(is_between ? target.default_scope : memory.name);
  out.alignment_bytes =
      std::max(memory.alignment_bytes, engine == nullptr ? 1 : engine->alignment_bytes);
  return out;
}

/// Whether buffers lie in a cache unless told: in memory that all cores see.
bool is_cached(const Target& target) {
  const Memory* near = target.memory_or_null(target.default_scope);
  return near != nullptr && near->kind == MemoryKind::Cache;
}

/// The memory of a buffer. Of one in scope "shared" there is one for all cores, on machines that
/// can fill it; where caches take the place of near memory, it lies with the others.
const Memory& memory_of(const Target& target, const std::string& asked,
                        const schedule::Buffer& buffer) {
  if (asked.empty() || (asked == kSharedScope && is_cached(target))) {
    return target.require_scope(target.default_scope, buffer.where);
  }
  const Memory& memory = target.require_scope(asked, buffer.where);
  if (asked != kSharedScope || target.shared_or_null() != nullptr) return memory;
  const std::string& scope = asked;
  throw UnsupportedError({buffer.where, "buffer '" + buffer.name + "' is in '" + scope + "'",
                          "no engine of target '" + target.name +
                              "' moves data from main memory into '" + scope +
                              "' and from there into the memories of its cores",
                          "leave out scope=, or say through = \"" + scope +
                              "\" of such an engine in the target file"});
}

}  // namespace

bool ScratchpadLayout::shares_bytes() const {
  for (const PlacedBuffer& a : buffers) {
    for (const PlacedBuffer& b : buffers) {
      const bool meets = a.offset_bytes < b.offset_bytes + b.size_bytes &&
                         b.offset_bytes < a.offset_bytes + a.size_bytes;
      if (&a != &b && meets) return true;
    }
  }
  return false;
}

void assign_offsets(ScratchpadLayout& layout) {
  std::stable_sort(
      layout.buffers.begin(), layout.buffers.end(),
      [](const PlacedBuffer& a, const PlacedBuffer& b) { return a.first_use < b.first_use; });
  const std::vector<Lifetime> lifetimes = lifetimes_of(layout);
  const std::vector<std::int64_t> offsets = pack_lifetimes(lifetimes, layout.alignment_bytes);
  layout.total_bytes = 0;
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    PlacedBuffer& buffer = layout.buffers[k];
    buffer.offset_bytes = offsets[k];
    layout.total_bytes = std::max(layout.total_bytes, buffer.offset_bytes + buffer.size_bytes);
  }
  layout.live_bytes = most_in_use(lifetimes);
}

bool share_a_nest(const State& state, const std::string& a, const std::string& b) {
  const auto nests_of_stage = [&](const std::string& stage) {
    return nests_of(state, [&](const Statement& s) { return s.stage == stage; });
  };
  const std::set<schedule::LoopId> of_b = nests_of_stage(b);
  const std::set<schedule::LoopId> of_a = nests_of_stage(a);
  return std::any_of(of_a.begin(), of_a.end(),
                     [&](schedule::LoopId id) { return of_b.count(id) != 0; });
}

std::int64_t bytes_beside(const State& state, const ScratchpadLayout& layout,
                          const std::string& stage) {
  const auto [first, last] = span_of(state, [&](const Statement& s) { return s.stage == stage; });
  const Lifetime nests{0, first, last};
  std::int64_t end = 0;
  for (const PlacedBuffer& b : layout.buffers) {
    if (!nests.meets({b.size_bytes, b.live_from, b.live_to})) continue;
    end = std::max(end, b.offset_bytes + b.size_bytes);
  }
  const std::int64_t unit = layout.alignment_bytes;
  return (end + unit - 1) / unit * unit;
}

std::vector<ScratchpadLayout> lay_out(const State& state, const Target& target,
                                      const SourceLoc& where) {
  std::vector<ScratchpadLayout> out = {
      empty_layout(target, target.require_scope(target.default_scope, where))};
  for (const auto& [name, buffer] : state.program->buffers) {
    const Memory& memory = memory_of(target, state.program->array(name).scope, buffer);
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const ScratchpadLayout& l) { return l.scope == memory.name; });
    if (at == out.end()) at = out.insert(out.end(), empty_layout(target, memory));
    at->buffers.push_back(placed(state, buffer));
  }
  for (ScratchpadLayout& layout : out) assign_offsets(layout);
  return out;
}

}  // namespace solway::memory_planner
