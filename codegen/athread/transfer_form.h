#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/athread/options.h"
#include "lowering/ir/range.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// A transfer as calls such as athread_get and athread_put can do it: loops around one call (or one
/// row of loads and stores), which moves `run` neighbouring elements, or `block` such runs with a
/// gap between them in main memory and none in the LDM; where the engine has three ranks, `plane`
/// such blocks in the same way.
///
///   issue BB get B[..] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)
///     run 128, block (64, 1024): one call with bsize 512 and a gap of 3584 bytes
///   issue AA get A[..] -> AA[0, 0, 0] (4, 9000, 256) (16, 1024, 16) (16, 1, 1)
///     run 16, block (16, 1024), a loop of 4 around it: four calls; with three ranks one call of
///     four planes
struct TransferForm {
  enum class Kind {
    Nothing,  ///< a count is never positive
    Dma,
    Copy  ///< no call can do it, see why_copy
  };
  struct Block {
    ir::Expr count;
    ir::Expr main_stride_elems;  ///< from the start of a run to the start of the next
  };

  /// Of calls that move the whole units of an array that a run, or each of a block, touches.
  struct Units {
    std::int64_t elems = 1;        ///< of one
    std::int64_t array_elems = 0;  ///< of main memory's side: calls read none behind
    /// From where one unit begins as many elements are moved, of a block; 0: the units of each run.
    std::int64_t run_elems = 0;

    /// Whether the last unit of the array is not whole: what a run has of it is loaded.
    bool ends_within_one() const { return array_elems % elems != 0; }
  };

  Kind kind = Kind::Dma;
  std::vector<ir::TransferDim> loops;  ///< outermost first
  std::optional<Block> block;
  std::optional<Block> plane;  ///< of blocks; with a block only
  ir::Expr run;                ///< elements
  /// Counts of run, block and plane that may be below 1, which a call must not be given.
  std::vector<ir::Expr> guards;
  std::string why_copy;        ///< of calls in units: why they do not move just their elements
  std::optional<Units> units;  ///< nullopt: calls move just their elements

  /// How many times it adds 1 to the reply; nullopt when that depends on variables.
  std::optional<std::int64_t> calls;
};

/// Chooses the form with the fewest calls among: neighbouring dimensions merged, the contiguous
/// dimension as run, the largest dimension that is dense in the LDM as block if the engine has
/// blocks, then the largest that is dense with it as plane if it has planes, the rest as loops. A
/// run that is too long for one call is moved in equal pieces. A get in units whose addresses and
/// lengths are no calls moves whole units.
TransferForm legal_form(const ir::TransferIssue& issue, const ir::Ranges& ranges,
                        const TransferLimits& limits = {});

}  // namespace solway::codegen
