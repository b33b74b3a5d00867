#pragma once

#include <optional>
#include <set>
#include <string>

#include "codegen/c/loop_pragmas.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

struct CEmitOptions {
  /// Fill the destination of a transfer when it is issued (floats: NaN, others: 0x5A bytes), so
  /// that a read before the wait is seen.
  bool poison = false;
  /// Parameters that may be the very memory of another: they are not `restrict`.
  std::set<std::string> shared = {};
  /// The directives of NEC's compiler before loops; every other one ignores them. Empty: none.
  std::optional<NecPragmas> nec = {};
};

/// The kernel as one file of portable C99:
///
///   int32_t matmul(const float* restrict A, const float* restrict B, float* restrict C)
///
/// Arguments must not overlap. It returns 0; 1 when there is no memory for its buffers, and then
/// nothing was written; 2 when a wait found no pending transfer; 3 when a transfer was issued
/// before the last one of its slot was waited for; 4 when a requirement fails, and then nothing was
/// written. Buffers of at most 64 KB in total are automatic,
/// larger ones live in one block from malloc, so calls may run at the same time. All loops run
/// serially. Transfers move their data at the wait.
///
/// Throws UnsupportedError for vector forms and for a kernel name that C reserves.
std::string emit_c(const ir::Kernel& kernel, const CEmitOptions& options = {});

/// The declaration of that function, with ';'.
std::string emit_c_prototype(const ir::Kernel& kernel);

}  // namespace solway::codegen
