#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/state.h"

namespace solway::schedule {

/// Where each element of a tensor lies in its new layout.
struct LayoutRequest {
  dsl::Tensor tensor;
  std::vector<dsl::Axis> axes;   ///< one per dimension of the tensor
  std::vector<dsl::Expr> index;  ///< of the axes, per dimension of the new layout
};

/// Stores a tensor in another layout.
///
///   before: for i in [0, 100): C[i] = A[i]       transform_layout(A, (i // 16, i % 16))
///   after:  for i in [0, 100): A_layout[i // 16, i % 16] = A[i]
///           for i in [0, 100): C[i] = A_layout[i // 16, i % 16]
///
/// An argument keeps its layout: a stage "A_layout" copies it before the first nest that reads it.
/// Of an output, such a stage copies the result back at the end. Any other tensor has no other
/// layout than the new one; a constant's values are put there when building. Dimensions that do not
/// divide are padded; the padding is never read. Throws ScheduleArgumentError for an index that is
/// not affine, or negative, or that gives two elements one place, for a tensor that a buffer
/// depends on or that was placed.
State transform_layout(const State& state, const LayoutRequest& request, const SourceLoc& where);

/// The same for several tensors, one after the other, with one proof.
State transform_layouts(const State& state, const std::vector<LayoutRequest>& requests,
                        const SourceLoc& where);

/// The array that holds an argument or an output in another layout; nullopt: there is none.
std::optional<std::string> layout_of(const Program& program, const std::string& array);

}  // namespace solway::schedule
