#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"
#include "schedule/program.h"

namespace solway::lowering {

/// The dimensions that a transfer in the loop IR has.
///
///   Merged        as few as describe the boxes: counts of constant 1 left out, dimensions that
///                 continue each other made one (ir::merge_dims); what targets move
///   PerDimension  one per dimension of the tensor, in its order; what print_loops shows
enum class TransferDims : std::uint8_t { Merged, PerDimension };

/// What a transfer moves at one place of the loop nest.
struct TransferPlace {
  ir::Buffer main;
  std::vector<ir::Expr> main_index;  ///< Copy::first
  ir::Buffer near;
  std::vector<ir::Expr> near_index;  ///< Copy::near_first
  std::vector<ir::Expr> count;       ///< Copy::count, per dimension of the tensor
};

/// The TransferIssue of a statement of kind Issue. Dimensions are in the order of the tensor's.
ir::Stmt issue_of(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  TransferPlace place, TransferDims dims);

}  // namespace solway::lowering
