#pragma once

#include <cstdint>
#include <optional>
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

/// One of the rows that a transfer of no box moves (schedule::Copy::rows), each as a transfer of
/// its own.
struct TransferRow {
  ir::Expr number;       ///< 0 <= number < all
  std::int64_t all = 1;  ///< that a region of the buffer can have
};

/// What a transfer moves at one place of the loop nest.
struct TransferPlace {
  ir::Buffer main;
  std::vector<ir::Expr> main_index;  ///< Copy::first
  ir::Buffer near;
  std::vector<ir::Expr> near_index;  ///< Copy::near_first
  std::vector<ir::Expr> count;       ///< Copy::count, per dimension of the tensor
  dsl::Tensor flat = nullptr;        ///< the tensor where `main` has all its elements in one row
  std::optional<TransferRow> row = std::nullopt;  ///< nullopt: all that is moved there
};

/// The TransferIssue of a statement of kind Issue. Dimensions are in the order of the tensor's.
///
/// Where the buffer has panels, a number of elements that does not fill the last one moves as two
/// transfers: whole panels, and "<transfer>_rest". One of them that may have nothing to move stands
/// under a condition.
///
///   issue BB_get get B[0, 0] -> BB[0, 0, 0] (8, 100, 32) (3, 32, 256) (32, 1, 1)
///   issue BB_get_rest get B[0, 96] -> BB[3, 0, 0] (8, 100, 32) (4, 1, 1)
///
/// A row is "<transfer>_row", and has a slot of its own:
///
///   issue CC_put_row put CC[r, 0] -> C[((i * 8) + r), 0] (r + 1, 1, 1) slot r of 8
ir::Stmt issue_of(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  const TransferPlace& place, TransferDims dims);

/// The TransferIssue of a region of which the border is not moved. Where its rows may be whole or
/// cut off, they are told apart when it runs: whole ones leave no gaps in the buffer, so that
/// targets move them together.
///
///   if (count == 32) { issue PP_get get A[c, y, x] -> PP[0, 0, 0] (16, 50176, 288) (9, 224, 32)
///                      (32, 1, 1) }
///   else { issue PP_get get A[c, y, 0] -> PP[0, 0, 1] (16, 50176, 288) (9, 224, 32) (31, 1, 1) }
ir::Stmt issue_within_border(const schedule::Statement& statement, const schedule::Buffer& buffer,
                             const TransferPlace& place);

/// The TransferWaits of a statement of kind Complete: one for each transfer of its issue. `slot`
/// is undefined unless the buffer has several; `count` as in TransferPlace, needed for panels.
ir::Stmt wait_for(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  const ir::Expr& slot, const std::vector<ir::Expr>& count, TransferDims dims);

/// The wait for one row. `slot` as above.
ir::Stmt wait_for_row(const schedule::Statement& statement, const schedule::Buffer& buffer,
                      const ir::Expr& slot, const TransferRow& row);

}  // namespace solway::lowering
