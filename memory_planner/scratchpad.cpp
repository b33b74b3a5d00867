#include "memory_planner/scratchpad.h"

#include <algorithm>

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::State;
using schedule::Statement;

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool uses(const Statement& s, const std::string& array) {
  if (s.writes_to(array)) return true;
  return std::any_of(s.reads.begin(), s.reads.end(), [&](const schedule::Operand& operand) {
    return isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) == array;
  });
}

void set_lifetime(const State& state, PlacedBuffer& out) {
  bool is_first = true;
  const std::vector<schedule::Placement>& placements = state.order.placements;
  for (std::size_t k = 0; k < placements.size(); ++k) {
    const Statement& s = state.program->statement(placements[k].statement);
    if (!uses(s, out.name)) continue;
    if (is_first) out.first_use = static_cast<int>(k);
    is_first = false;
    out.last_use = static_cast<int>(k);
    if (!s.is_transfer()) continue;
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
  return out;
}

std::int64_t most_in_use(const std::vector<PlacedBuffer>& buffers) {
  std::int64_t most = 0;
  for (const PlacedBuffer& at : buffers) {
    std::int64_t bytes = 0;
    for (const PlacedBuffer& b : buffers) {
      if (b.first_use <= at.first_use && at.first_use <= b.last_use) bytes += b.size_bytes;
    }
    most = std::max(most, bytes);
  }
  return most;
}

void assign_offsets(ScratchpadLayout& layout) {
  std::stable_sort(
      layout.buffers.begin(), layout.buffers.end(),
      [](const PlacedBuffer& a, const PlacedBuffer& b) { return a.first_use < b.first_use; });
  for (PlacedBuffer& buffer : layout.buffers) {
    buffer.offset_bytes = round_up(layout.total_bytes, layout.alignment_bytes);
    layout.total_bytes = buffer.offset_bytes + buffer.size_bytes;
  }
  layout.live_bytes = most_in_use(layout.buffers);
}

ScratchpadLayout empty_layout(const Target& target, const Memory& memory) {
  ScratchpadLayout out;
  out.target = target.name;
  out.scope = memory.name;
  out.kind = memory.kind;
  out.capacity_bytes = memory.size_bytes;
  out.reserved_bytes =
      memory.reserved_bytes + (memory.kind == MemoryKind::Scratchpad ? kCodeBytes : 0);
  const TransferEngine* engine = target.engine_or_null(memory.name);
  out.alignment_bytes =
      std::max(memory.alignment_bytes, engine == nullptr ? 1 : engine->alignment_bytes);
  return out;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

}  // namespace

std::vector<ScratchpadLayout> lay_out(const State& state, const Target& target,
                                      const SourceLoc& where) {
  std::vector<ScratchpadLayout> out = {
      empty_layout(target, target.require_scope(target.default_scope, where))};
  for (const auto& [name, buffer] : state.program->buffers) {
    const std::string& asked = state.program->array(name).scope;
    const Memory& memory =
        target.require_scope(asked.empty() ? target.default_scope : asked, buffer.where);
    auto at = std::find_if(out.begin(), out.end(),
                           [&](const ScratchpadLayout& l) { return l.scope == memory.name; });
    if (at == out.end()) at = out.insert(out.end(), empty_layout(target, memory));
    at->buffers.push_back(placed(state, buffer));
  }
  for (ScratchpadLayout& layout : out) assign_offsets(layout);
  return out;
}

void require_fits(const std::vector<ScratchpadLayout>& layouts, const SourceLoc& where) {
  for (const ScratchpadLayout& layout : layouts) {
    if (layout.fits()) continue;
    std::vector<CapacityError::Buffer> buffers;
    for (const PlacedBuffer& b : layout.buffers) {
      buffers.push_back({b.name, b.size_bytes, b.primitive});
    }
    throw CapacityError({where,
                         "the buffers need " + std::to_string(layout.total_bytes) + " bytes of '" +
                             layout.scope + "' on '" + layout.target + "', which has " +
                             std::to_string(layout.available_bytes()) + " for them",
                         "it holds " + std::to_string(layout.capacity_bytes) + " bytes, of which " +
                             std::to_string(layout.reserved_bytes) +
                             " are kept for the stack and the runtime\n" + table_of(layout),
                         "split by smaller factors; ldm_report names the largest that fit"},
                        layout.total_bytes, layout.available_bytes(), std::move(buffers));
  }
}

std::string table_of(const ScratchpadLayout& layout) {
  std::size_t names = 6;
  std::size_t bytes = 5;
  for (const PlacedBuffer& b : layout.buffers) {
    names = std::max(names, b.name.size());
    bytes = std::max(bytes, std::to_string(b.size_bytes).size());
  }
  std::string out = "    " + padded("buffer", names) + "  " + padded("bytes", bytes) + "  made by";
  for (const PlacedBuffer& b : layout.buffers) {
    out += "\n    " + padded(b.name, names) + "  " + padded(std::to_string(b.size_bytes), bytes) +
           "  " + b.primitive;
    if (b.where.line != 0) out += " at " + b.where.file + ":" + std::to_string(b.where.line);
  }
  return out;
}

}  // namespace solway::memory_planner
