#pragma once

#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::ir {

/// The same moves with fewer dimensions: counts of constant 1 left out, dimensions that continue
/// each other made one.
///
///   before: (4, 1024, 64) (1, 64, 64) (64, 1, 1)
///   after:  (4, 1024, 64) (64, 1, 1)
///
///   before: (n, 64, 64) (64, 1, 1)
///   after:  ((n * 64), 1, 1)
std::vector<TransferDim> merge_dims(const std::vector<TransferDim>& dims);

}  // namespace solway::ir
