#pragma once

#include <cstdint>

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// How far a kernel has come; says which nodes may exist.
///
///   AfterLowering   every loop kind, no vector forms
///   AfterVectorize  no Vectorized loops; vector forms
///   AfterUnroll     no Vectorized and no Unrolled loops; vector forms
enum class Stage : std::uint8_t { AfterLowering, AfterVectorize, AfterUnroll };

/// Throws InternalError, at the statement's line, unless: only nodes of the stage exist; every
/// variable is defined around its uses, with the same type, and no name is defined twice on a path;
/// every buffer is a parameter or allocated around its uses; In parameters are not written;
/// requirements are conditions that name no variable; every TransferIssue has a TransferWait of its
/// id and the reverse, with a near side that is not "main"; no barrier stands in a parallel loop.
void verify(const Kernel& kernel, Stage stage);

}  // namespace solway::ir
