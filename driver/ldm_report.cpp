#include "driver/ldm_report.h"

#include <algorithm>

#include "schedule/broadcast.h"
#include "schedule/shared_scope.h"

namespace solway::driver {
namespace {

using memory_planner::LoopRoom;
using memory_planner::PlacedBuffer;
using memory_planner::ScratchpadLayout;

using Row = std::vector<std::string>;

/// Columns as wide as their widest entry.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t k = 0; k < row.size(); ++k) {
      line += " " + row[k];
      if (k + 1 < row.size()) line += std::string(widths[k] - row[k].size() + 1, ' ');
    }
    out += line + "\n";
  }
  return out;
}

std::string shape_of(const PlacedBuffer& buffer) {
  std::string out;
  for (const std::int64_t extent : buffer.shape) {
    out += (out.empty() ? "" : " x ") + std::to_string(extent);
  }
  return (out.empty() ? "1" : out) + " " + std::string(solway::to_string(buffer.type));
}

std::string head_of(const ScratchpadLayout& layout) {
  std::string out = layout.scope + " of " + layout.target + ": " +
                    std::to_string(layout.total_bytes) + " of " +
                    std::to_string(layout.available_bytes()) + " bytes";
  if (layout.reserved_bytes > 0) {
    out += " (" + std::to_string(layout.capacity_bytes) + ", less " +
           std::to_string(layout.reserved_bytes) + " for the stack and the runtime)";
  }
  if (!layout.has_hard_limit()) out += ", no hard limit";
  if (layout.shares_bytes()) {
    std::int64_t apart = 0;
    for (const PlacedBuffer& b : layout.buffers) apart += b.size_bytes;
    out += "\n  nests that follow each other share bytes: " + std::to_string(apart) +
           " without, at least " + std::to_string(layout.live_bytes) + " with";
  }
  if (!layout.fits()) {
    out += ": " + std::to_string(layout.total_bytes - layout.available_bytes()) + " too many";
  }
  return out + "\n";
}

/// Says of buffers that cores read together who they are.
void say_who_shares(const schedule::Program& program, ScratchpadLayout& layout) {
  for (PlacedBuffer& placed : layout.buffers) {
    if (schedule::is_shared(program.array(placed.name))) placed.lifetime += ", one for all cores";
    const auto at = program.buffers.find(placed.name);
    if (at == program.buffers.end()) continue;
    const schedule::SharedBy shared = at->second.shared_by;
    if (shared == schedule::SharedBy::Core) continue;
    placed.lifetime += ", shared by " + schedule::to_string(shared);
  }
}

}  // namespace

LdmReport ldm_report(const schedule::State& state, const Target& target, const SourceLoc& where) {
  LdmReport out;
  for (ScratchpadLayout& layout : memory_planner::lay_out(state, target, where)) {
    say_who_shares(*state.program, layout);
    std::vector<LoopRoom> rooms = memory_planner::loop_room(state, layout);
    out.sections.push_back({std::move(layout), std::move(rooms)});
  }
  return out;
}

std::string tables_of(const LdmReport::Section& section) {
  std::vector<Row> rows = {{"buffer", "offset", "bytes", "shape", "lifetime", "made by"}};
  for (const PlacedBuffer& b : section.layout.buffers) {
    const std::string line =
        b.where.line == 0 ? "" : " at " + b.where.file + ":" + std::to_string(b.where.line);
    rows.push_back({b.name, std::to_string(b.offset_bytes), std::to_string(b.size_bytes),
                    shape_of(b), b.lifetime, b.primitive + line});
  }
  const std::string buffers = table(rows);
  if (section.rooms.empty()) return buffers;
  rows = {{"loop", "stage", "factor", "largest that fits"}};
  for (const LoopRoom& room : section.rooms) {
    rows.push_back({room.loop, room.stage, std::to_string(room.factor),
                    room.largest == room.range ? std::to_string(room.largest) + " (all)"
                                               : std::to_string(room.largest)});
  }
  return buffers + table(rows);
}

std::string to_string(const LdmReport& report) {
  std::string out;
  for (const LdmReport::Section& section : report.sections) {
    out += head_of(section.layout);
    out += section.layout.buffers.empty() ? "  no buffers\n" : tables_of(section);
  }
  return out;
}

}  // namespace solway::driver
