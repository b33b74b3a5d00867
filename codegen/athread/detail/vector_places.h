#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/athread/c_expr.h"
#include "lowering/ir/expr.h"
#include "lowering/ir/linear.h"

namespace solway::codegen {

/// Elements of a buffer, from `begin` on in its flat order.
struct VectorPlace {
  std::string buffer;
  ir::Linear begin;
  std::int64_t elems = 1;
};

/// Where lanes that lie `stride_elems` apart begin and how far they reach.
VectorPlace place_of(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices, int lanes,
                     std::int64_t stride_elems);

/// Whether two places may have an element in common.
bool may_meet(const VectorPlace& a, const VectorPlace& b);

/// What a vector statement reads from memory before its arithmetic begins.
struct VectorReads {
  std::vector<VectorPlace> places;
  bool has_main = false;  ///< main memory is among them
};

/// Of a value; what `exprs` knows to be in registers does not count.
VectorReads reads_of(const ir::Expr& value, const CExprPrinter& exprs);

/// Whether a vector at the indices begins at a multiple of its size. Only buffers of scratchpads
/// are known to begin at one, where these are aligned to `near_alignment_bytes` or more.
bool is_vector_aligned(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices,
                       int lanes, std::int64_t near_alignment_bytes);

}  // namespace solway::codegen
