#include "driver/require_sharing.h"

#include "schedule/broadcast.h"
#include "support/error.h"

namespace solway::driver {

void require_sharing(const schedule::Program& program, const Target& target) {
  for (const auto& [name, buffer] : program.buffers) {
    if (buffer.shared_by == schedule::SharedBy::Core) continue;
    const std::string step =
        "broadcast(" + name + ", over=\"" + schedule::to_string(buffer.shared_by) + "\")";
    if (target.machine == "sw26010" || target.machine == "sw26010pro") continue;
    throw UnsupportedError(
        {buffer.shared_at, step + ": target '" + target.name + "' has no way from core to core",
         "the cores of sw26010 pass registers along rows and columns, those of sw26010pro copy "
         "from memory to memory; others only reach main memory",
         "leave it out: each core then reads what it needs"});
  }
}

}  // namespace solway::driver
