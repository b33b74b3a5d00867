#pragma once

#include <string>
#include <vector>

#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "schedule/program.h"

namespace solway::lowering {

/// Whether the distance between rows of a tensor depends on sizes: an extent other than the
/// outermost does. Such an argument is one row in the loop IR, and its elements are found by
/// flat_index.
bool has_symbolic_strides(const dsl::Tensor& tensor);

/// An argument whose extents depend on sizes: with its shape where only the outermost does, else
/// all its elements in one row. Other arguments as they are.
///
///   before: A: float32[4096, 64] for extents (n, 64);     B: float32[64, 4096] for (64, n)
///   after:  A: float32[<= 4096, 64];                      B: float32[<= 262144]
ir::Buffer as_argument(const ir::Buffer& buffer, const dsl::Tensor& tensor);

/// The place of an element in the row of a tensor with symbolic strides: A[i, j] of extents (m, n)
/// is at i * n + j.
ir::Expr flat_index(const dsl::Tensor& tensor, const std::vector<ir::Expr>& index);

/// Distance in elements between neighbours along each of its dimensions: (n, 1) of extents (m, n).
std::vector<ir::Expr> flat_strides(const dsl::Tensor& tensor);

/// Reads the sizes, in order, from the elements of `values` before `body`.
///
///   after: let n = sizes[0] { let m = sizes[1] { body } }
ir::Stmt with_sizes(const std::vector<dsl::Size>& sizes, const ir::Buffer& values, ir::Stmt body,
                    const SourceLoc& where);

/// The assumptions that the bounds of the sizes do not imply, as conditions on the elements of
/// `values`: sizes[0] % 16 == 0.
std::vector<ir::Expr> requirements_of(const schedule::Program& program, const ir::Buffer& values);

}  // namespace solway::lowering
