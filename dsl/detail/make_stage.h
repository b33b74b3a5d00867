#pragma once

#include <memory>

#include <isl/cpp.h>

#include "dsl/tensor.h"

/// What computes, recurrences and updates have in common.
namespace solway::dsl::detail {

/// Throws DslError unless the axes of `stage` span its dimensions.
void require_axis_per_dimension(const TensorNode& stage);

/// Throws DslError for a read of a tensor that an update has taken the place of.
void require_present_contents(const TensorNode& stage);

/// Throws DslError for a domain that is no condition, UnsupportedError for one that is not affine.
void require_affine_domain(const isl::ctx& ctx, const TensorNode& stage);

/// Throws DslError, with an index, for a read of an element that has no value there: outside the
/// domain of a tensor, or not stored by an earlier instance of `stage` itself; and for an update
/// that stores outside its tensor.
void require_defined_elements(const isl::ctx& ctx, const TensorNode& stage);

/// `value` as an element of type `type` stores it, within NumPy's "same_kind". Throws DslError for
/// a float in an integer tensor.
Expr stored_as(const Expr& value, DType type, const std::string& name, const SourceLoc& where);

/// Checks all but the shape of `stage` against its axes, and collects its reduction axes.
Tensor make_stage(std::shared_ptr<TensorNode> stage);

}  // namespace solway::dsl::detail
