#pragma once

#include <cstdint>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// An estimate of the machine code of a statement, in instructions of a computing core: one for
/// each operation, load and store, and what calls, transfers and loops take in generated code.
/// Unrolled loops count as their copies, those in vectors as a round of four vectors.
std::int64_t instruction_count(const ir::Stmt& s);

}  // namespace solway::lowering
