#include "driver/program_memory.h"

#include <utility>
#include <vector>

#include "driver/ldm_report.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using memory_planner::ScratchpadLayout;

/// The lines of a text, as they stand below the reason of an error.
std::string indented(const std::string& text) {
  std::string out = "  ";
  for (std::size_t k = 0; k + 1 < text.size(); ++k) {
    out += text[k];
    if (text[k] == '\n') out += "  ";
  }
  return out;
}

[[noreturn]] void fail(const LdmReport::Section& section, const SourceLoc& where) {
  const ScratchpadLayout& layout = section.layout;
  std::vector<CapacityError::Buffer> buffers;
  for (const memory_planner::PlacedBuffer& b : layout.buffers) {
    buffers.push_back({b.name, b.size_bytes, b.primitive});
  }
  throw CapacityError(
      {where,
       "the buffers need " + std::to_string(layout.total_bytes) + " bytes of '" + layout.scope +
           "' on '" + layout.target + "', which has " + std::to_string(layout.available_bytes()) +
           " for them",
       "it holds " + std::to_string(layout.capacity_bytes) + " bytes, of which " +
           std::to_string(layout.reserved_bytes) + " are kept for the stack and the runtime\n" +
           indented(tables_of(section)),
       section.rooms.empty() ? "stage smaller regions"
                             : "split by smaller factors: the last column has the largest that "
                               "fits of each loop, the others as they are"},
      layout.total_bytes, layout.available_bytes(), std::move(buffers));
}

}  // namespace

void require_memory(const schedule::State& state, const Target& target, const SourceLoc& where) {
  for (const ScratchpadLayout& layout : memory_planner::lay_out(state, target, where)) {
    if (layout.fits()) continue;
    for (const LdmReport::Section& section : ldm_report(state, target, where).sections) {
      if (section.layout.scope == layout.scope) fail(section, where);
    }
  }
}

}  // namespace solway::driver
