#include "support/message_parts.h"

namespace solway {

CoreParts divide_among_cores(const std::vector<std::int64_t>& shape, std::int64_t element_bytes,
                             std::int64_t cores) {
  const auto is_part = [&](const CoreParts& parts) {
    return can_be_part(parts.per_core * parts.row_elems * element_bytes, element_bytes);
  };
  CoreParts out;
  while (out.dim + 1 < shape.size() && shape[out.dim] == 1) ++out.dim;
  out.rows = shape[out.dim];
  for (std::size_t k = out.dim + 1; k < shape.size(); ++k) out.row_elems *= shape[k];
  const bool is_empty = out.rows * out.row_elems == 0;
  if (!is_empty && out.rows < cores && cores % out.rows == 0 && out.dim + 1 < shape.size()) {
    const std::int64_t per_block = cores / out.rows;
    const std::int64_t inner = shape[out.dim + 1];
    const CoreParts within{out.dim + 1, out.rows, inner, inner / per_block, out.row_elems / inner};
    if (inner % per_block == 0 && is_part(within)) return within;
  }
  out.per_core = (out.rows + cores - 1) / cores;
  while (out.per_core < out.rows && !is_part(out)) ++out.per_core;
  return out;
}

}  // namespace solway
