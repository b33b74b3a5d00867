#include "driver/require_sharing.h"

#include "schedule/broadcast.h"
#include "support/error.h"

namespace solway::driver {
namespace {

constexpr int kSide = 8;  // rows and columns of the mesh of every Sunway core group

}  // namespace

void require_sharing(const schedule::Program& program, const Target& target) {
  for (const auto& [name, buffer] : program.buffers) {
    if (buffer.shared_by == schedule::SharedBy::Core) continue;
    const std::string step =
        "broadcast(" + name + ", over=\"" + schedule::to_string(buffer.shared_by) + "\")";
    const bool has_way = target.machine == "sw26010" || target.machine == "sw26010pro";
    const int rows = target.cores.mesh_rows, columns = target.cores.mesh_columns;
    if (has_way && rows == kSide && columns == kSide) continue;
    if (has_way) {
      throw UnsupportedError({buffer.shared_at,
                              step + ": the mesh of target '" + target.name + "' is " +
                                  std::to_string(rows) + " x " + std::to_string(columns),
                              "cores address each other by their places in a mesh of 8 x 8",
                              "leave it out: each core then reads what it needs"});
    }
    throw UnsupportedError(
        {buffer.shared_at, step + ": target '" + target.name + "' has no way from core to core",
         "the cores of sw26010 pass registers along rows and columns, those of sw26010pro copy "
         "from memory to memory; others only reach main memory",
         "leave it out: each core then reads what it needs"});
  }
}

}  // namespace solway::driver
