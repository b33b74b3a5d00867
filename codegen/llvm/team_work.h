#pragma once

#include <set>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Why the threads of a team cannot run the kernel together; "": they can.
///
/// All evaluate the conditions and bounds around parallel loops, and have to find the same values:
/// these may read what no thread writes, so inputs that are not in `shared`, which may be the
/// memory of an output.
std::string team_lack(const ir::Kernel& kernel, const std::set<std::string>& shared);

}  // namespace solway::codegen
