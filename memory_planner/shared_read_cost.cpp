#include "memory_planner/shared_read_cost.h"

#include <algorithm>

#include "memory_planner/plan_cost.h"
#include "memory_planner/turning.h"
#include "support/message_parts.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;

// Of generated code, by the emulator's clock.
constexpr double kExchangeCycles = 60;  // to call it
constexpr double kCopiesCycles = 110;   // the same by copies from LDM to LDM, until all have come
constexpr double kPartCycles = 20;      // from one core's part to the next core's
constexpr double kMessageCycles = 4;    // a message taken and stored, in turn with others
constexpr std::int64_t kWholeLine = 8;  // cores that one message can reach, with its sender

std::size_t at(int k) { return static_cast<std::size_t>(k); }

/// Cores that the parallel loop tells apart, 1 where they do not come to the same transfers of a
/// tensor. The last part may be smaller, if its tiles are as many or lie within the transfers.
std::int64_t cores_along(const StageModel& stage, const NestPlan& plan, int tensor, std::size_t p) {
  const int loop = plan.parallel[p];
  if (parts_of(stage, plan, loop) % plan.grid[p] != 0) return 1;
  const LoopCut& cut = plan.cuts[at(loop)];
  const std::int64_t last = (stage.loops[at(loop)].extent - 1) % cut.part + 1;
  const auto tiles = [&](std::int64_t part) { return (part + cut.tile - 1) / cut.tile; };
  const auto around = plan.outer.begin() + loops_around(stage, plan, tensor);
  const bool is_around = std::find(plan.outer.begin(), around, loop) != around;
  return is_around && tiles(last) != tiles(cut.part) ? 1 : plan.grid[p];
}

std::vector<std::int64_t> tile_shape(const TensorModel& tensor, const Tiles& tiles) {
  std::vector<std::int64_t> out;
  for (const DimModel& dim : tensor.dims) out.push_back(footprint_elems(dim, tiles));
  return out;
}

/// The cores of a line pass on parts of an array of so many bytes; those that do not work take them
/// as well.
double line_cycles(std::int64_t bytes, std::int64_t part_bytes, std::int64_t cores,
                   const Target& target) {
  const std::int64_t count = (bytes + part_bytes - 1) / part_bytes;
  const auto parts = static_cast<double>(count);
  if (target.timing->remote_copies) {
    // A core has its own part, and receives the others' one after the other. The reply to its own
    // copy is there by then.
    const RemoteCopyTiming& copies = *target.timing->remote_copies;
    const auto received = static_cast<double>(bytes - std::min(bytes, part_bytes));
    const double engine =
        static_cast<double>(copies.cluster_rows * copies.cluster_columns) * copies.request_cycles;
    return kCopiesCycles + target.timing->barrier_cycles + copies.latency_cycles +
           std::max(engine, received / copies.bytes_per_cycle);
  }
  const auto in_messages = [](std::int64_t size) {
    return (size + kMessageBytes - 1) / kMessageBytes;
  };
  const std::int64_t whole_parts = bytes / part_bytes;
  const auto messages =
      static_cast<double>(whole_parts * in_messages(part_bytes) + in_messages(bytes % part_bytes));
  if (cores == kWholeLine) return kExchangeCycles + parts * kPartCycles + messages * kMessageCycles;
  // One by one, and a barrier between parts.
  const double one = target.timing->messages->interval_cycles * static_cast<double>(cores - 1);
  return kExchangeCycles + parts * (kPartCycles + target.timing->barrier_cycles) +
         messages * (kMessageCycles + one);
}

/// Whether the cores of a line can pass on what one of them has read.
bool has_way(const Target& target) {
  const Memory* near = target.memory_or_null(target.default_scope);
  return target.cores.mesh_rows == kWholeLine && target.cores.mesh_columns == kWholeLine &&
         target.timing && (target.timing->messages || target.timing->remote_copies) &&
         near != nullptr && near->alignment_bytes % kMessageBytes == 0;
}

/// The cores that read the same tiles of a tensor at once.
SharedBy readers_of(const StageModel& stage, const NestPlan& plan, int tensor,
                    const Target& target) {
  const TensorModel& read = stage.tensors[at(tensor)];
  if (plan.parallel.size() == 1) {
    const bool is_shared = !depends(read, plan.parallel[0]) && target.cores.mesh_rows > 0 &&
                           cores_along(stage, plan, tensor, 0) == target.cores.count;
    return is_shared ? SharedBy::All : SharedBy::Core;
  }
  if (plan.parallel.size() != 2) return SharedBy::Core;
  const auto is_shared = [&](std::size_t p) {
    return !depends(read, plan.parallel[p]) && cores_along(stage, plan, tensor, p) > 1;
  };
  if (is_shared(0) && is_shared(1) && plan.rows_of_part == 1) return SharedBy::All;
  if (is_shared(1)) return SharedBy::Row;  // the cores of a row have different columns
  if (plan.rows_of_part > 1) return SharedBy::Core;
  return is_shared(0) ? SharedBy::Column : SharedBy::Core;
}

}  // namespace

SharedBy sharing_of(const StageModel& stage, const NestPlan& plan, int tensor,
                    const Target& target) {
  const TensorModel& read = stage.tensors[at(tensor)];
  const bool is_read = read.direction == AccessDirection::Read && !read.is_epilogue;
  if (!is_read || read.dims.empty() || plan.parallel.empty()) return SharedBy::Core;
  const SharedBy out = readers_of(stage, plan, tensor, target);
  if (out == SharedBy::Core) return out;
  std::int64_t bytes = read.element_bytes;
  for (const DimModel& dim : read.dims) bytes *= footprint_elems(dim, plan, tensor);
  if (bytes == 0 || !can_be_part(bytes, read.element_bytes)) return SharedBy::Core;
  return has_way(target) ? out : SharedBy::Core;
}

SharedRead shared_read(const StageModel& stage, const NestPlan& plan, int tensor,
                       const Target& target) {
  const TensorModel read = in_memory(stage.tensors[at(tensor)]);
  const SharedBy by = shared_by(plan, tensor);
  const bool is_numbered = plan.parallel.size() == 1;
  const std::int64_t in_row = is_numbered ? target.cores.mesh_columns : mesh_of(plan)[1];
  const std::int64_t in_column = is_numbered ? target.cores.mesh_rows : mesh_of(plan)[0];
  const std::int64_t along_row = by == SharedBy::Column ? 1 : in_row;
  const std::int64_t along_column = by == SharedBy::Row ? 1 : in_column;
  const Tiles tiles = tiles_of(plan, tensor);
  const CoreParts division =
      divide_among_cores(tile_shape(read, tiles), read.element_bytes, along_row * along_column);
  SharedRead out;
  out.part = read;
  out.part.dims[division.dim] = {{}, division.per_core, division.per_core};
  if (!out.part.border.empty()) out.part.border[division.dim] = 0;
  out.readers = division.blocks * ((division.rows + division.per_core - 1) / division.per_core);
  if (division.blocks > 1) {
    out.part.dims[division.dim - 1] = {{}, 1, 1};
    if (!out.part.border.empty()) out.part.border[division.dim - 1] = 0;
  }
  out.cores = in_row * in_column;
  out.lines = in_row * in_column / (along_row * along_column);
  out.columns = by == SharedBy::Column ? in_row : std::min(in_row, out.readers);
  const std::int64_t row_bytes = division.row_elems * read.element_bytes;
  const std::int64_t bytes = division.all_rows() * row_bytes;
  std::int64_t part_bytes = division.per_core * row_bytes;
  if (along_row > 1) {
    const std::int64_t of_row = std::min(bytes, part_bytes * along_row);
    out.exchange_cycles += line_cycles(of_row, part_bytes, target.cores.mesh_columns, target);
    part_bytes *= along_row;
  }
  if (along_column > 1) {
    out.exchange_cycles += line_cycles(bytes, part_bytes, target.cores.mesh_rows, target);
  }
  return out;
}

}  // namespace solway::memory_planner
