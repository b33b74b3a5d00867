#include "driver/require_cores.h"

#include "support/error.h"

namespace solway::driver {
namespace {

void require_on_mesh(const schedule::Loop& loop, const std::string& step, const Target& target) {
  const Cores& cores = target.cores;
  const int size = loop.hardware == "row" ? cores.mesh_rows : cores.mesh_columns;
  if (size != 0 && loop.parts <= size) return;
  if (size == 0) {
    throw UnsupportedError({loop.marked_at, step + ": target '" + target.name + "' has no mesh",
                            "its cores have numbers, and no rows and columns",
                            "use parallel(), or bind the loop to 'core'"});
  }
  throw UnsupportedError({loop.marked_at, step + ": target '" + target.name + "' has too few",
                          "it has a mesh of " + std::to_string(cores.mesh_rows) + " rows and " +
                              std::to_string(cores.mesh_columns) + " columns, and " +
                              std::to_string(loop.parts) + " are asked for",
                          "pass a smaller grid"});
}

}  // namespace

void require_cores(const schedule::Order& order, const Target& target) {
  for (const auto& [id, loop] : order.loops) {
    if (loop.mark != schedule::LoopMark::Parallel) continue;
    if (loop.hardware.empty() || loop.hardware == "core") continue;
    const std::string step = "bind(" + loop.name + ", " + loop.hardware + ")";
    if (loop.hardware != "row" && loop.hardware != "column") {
      throw UnsupportedError({loop.marked_at, step + ": no target has a '" + loop.hardware + "'",
                              "cores have the dimensions 'core', and on a mesh 'row' and 'column'",
                              "bind the loop to one of these"});
    }
    if (target.is_emulated()) require_on_mesh(loop, step, target);
  }
}

}  // namespace solway::driver
