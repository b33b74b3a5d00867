#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "dsl/tensor.h"

/// The affine view of expressions: written once, for the bounds check and for schedule's accesses.
namespace solway::dsl {

/// Axes that stand for the dimensions of one isl tuple, outermost first.
struct AffineScope {
  std::string tuple;       ///< statement name, the isl tuple id
  std::vector<Axis> axes;  ///< dimension k of the tuple is the value of axes[k]
  Expr where = nullptr;    ///< an affine condition on the axes that all instances meet, if any
};

/// The sizes in the ends of an axis, each once.
std::vector<Size> sizes_of(const Axis& axis);

/// { : min <= size <= max } over parameters named as the sizes.
isl::set context_of(const isl::ctx& ctx, const std::vector<Size>& sizes);

/// { tuple[axes] : begin <= axis < end and where }; sizes are parameters within their bounds.
isl::set domain_of(const isl::ctx& ctx, const AffineScope& scope);

/// The value of an integer expression as a quasi-affine function { tuple[axes] -> [value] };
/// nullopt when it is not one (a product of axes, a read).
std::optional<isl::pw_aff> try_affine(const isl::ctx& ctx, const Expr& expr,
                                      const AffineScope& scope);

/// The instances where a condition holds; nullopt when the condition is not affine.
std::optional<isl::set> try_condition(const isl::ctx& ctx, const Expr& condition,
                                      const AffineScope& scope);

/// One read in an expression.
struct Access {
  Expr read;          ///< the ExprKind::Read node
  isl::map relation;  ///< { tuple[axes] -> T[element] }, only where the read happens
  /// The relation is the one element that is read, not all that a promised range holds.
  bool is_exact = true;
};

/// All reads of `expr` in order of appearance (operands of selects included, reads inside nested
/// reductions excluded), each node once: where it appears several times, its relations are united.
/// The relation of a read under a select is restricted to the side's condition; what is not affine
/// in a condition restricts nothing. Throws UnsupportedError for an index that is neither affine
/// nor Bounded.
std::vector<Access> reads_of(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope);

/// Where the reductions of `expr` that are not inside others are needed: { tuple[axes] }, all
/// instances but those that the conditions of selects around it leave out.
std::map<Expr, isl::set> reductions_of(const isl::ctx& ctx, const Expr& expr,
                                       const AffineScope& scope);

/// { tuple[axes] -> T[element] }: where an instance of `stage` stores, T being its storage.
isl::multi_pw_aff stored_element(const isl::ctx& ctx, const TensorNode& stage,
                                 const AffineScope& scope);

/// { T[element] } that a tensor gives a value: all of a placeholder, what a stage stores, what an
/// update stores and what it leaves.
isl::set defined_elements(const isl::ctx& ctx, const Tensor& tensor);

/// { T[element] : 0 <= element < shape }; sizes are parameters within their bounds.
isl::set extent_of(const isl::ctx& ctx, const Tensor& tensor);

/// Throws DslError with one index that goes out for the first read of `expr` that leaves its
/// tensor.
void require_in_bounds(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope);

}  // namespace solway::dsl
