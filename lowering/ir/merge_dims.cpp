#include "lowering/ir/merge_dims.h"

#include <algorithm>

#include "lowering/ir/fold.h"

namespace solway::ir {
namespace {

/// True when moving along `outer` once is the same as moving along `inner` its whole length.
bool continues(const TransferDim& outer, const TransferDim& inner) {
  const auto count = try_constant(inner.count);
  const auto outer_stride = try_constant(outer.main_stride_elems);
  const auto inner_stride = try_constant(inner.main_stride_elems);
  return count && outer_stride && inner_stride && *outer_stride == *count * *inner_stride &&
         outer.near_stride_elems == *count * inner.near_stride_elems;
}

}  // namespace

std::vector<TransferDim> merge_dims(const std::vector<TransferDim>& dims) {
  std::vector<TransferDim> out;  // innermost first
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
    if (try_constant(dim->count) == 1) continue;
    if (!out.empty() && continues(*dim, out.back())) {
      out.back().count = mul(dim->count, out.back().count);
    } else {
      out.push_back(*dim);
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace solway::ir
