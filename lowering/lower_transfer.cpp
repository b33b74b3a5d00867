#include "lowering/lower_transfer.h"

#include <algorithm>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/merge_dims.h"
#include "support/error.h"

namespace solway::lowering {

using ir::TransferDim;

ir::Stmt issue_of(const schedule::Statement& statement, const schedule::Buffer& buffer,
                  TransferPlace place, TransferDims dims) {
  const std::vector<std::int64_t> main_strides = place.main->strides_elems();
  const std::vector<std::int64_t> near_strides = place.near->strides_elems();
  std::vector<TransferDim> moved;
  for (std::size_t d = 0; d < main_strides.size(); ++d) {
    // A dimension that the buffer does not have counts 1; its near stride is never used.
    TransferDim dim{place.count[d], main_strides[d], 1};
    const auto kept = std::find(buffer.dims.begin(), buffer.dims.end(), static_cast<int>(d));
    if (kept != buffer.dims.end()) {
      const auto at = static_cast<std::size_t>(kept - buffer.dims.begin());
      dim.near_stride_elems = near_strides[buffer.first_dim() + at];
    } else if (ir::try_constant(dim.count) != 1) {
      throw InternalError({statement.where, "transfer '" + statement.copy->transfer + "'",
                           "it moves several elements along dimension " + std::to_string(d) +
                               " of '" + buffer.tensor + "', which the buffer does not have",
                           ""});
    }
    moved.push_back(std::move(dim));
  }
  ir::TransferIssue::Fields fields;
  fields.id = statement.copy->transfer;
  fields.direction = statement.copy->direction == schedule::CopyDirection::Get
                         ? ir::TransferDirection::Get
                         : ir::TransferDirection::Put;
  fields.main = std::move(place.main);
  fields.main_index = std::move(place.main_index);
  if (buffer.depth > 1) {
    fields.slot = place.near_index.front();
    fields.num_slots = buffer.depth;
  }
  fields.near = std::move(place.near);
  fields.near_index = std::move(place.near_index);
  fields.dims = dims == TransferDims::Merged ? ir::merge_dims(moved) : std::move(moved);
  return ir::TransferIssue::make(std::move(fields), statement.where);
}

}  // namespace solway::lowering
