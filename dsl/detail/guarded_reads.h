#pragma once

#include <functional>
#include <vector>

#include "dsl/affine.h"

namespace solway::dsl::detail {

/// One read and when it happens.
struct GuardedRead {
  Expr read;
  isl::set guard;            ///< { tuple[axes] }: the conditions of the selects around it
  std::vector<Axis> reduce;  ///< the axes of the reductions around it
};

enum class NestedReductions { Skip, Enter };

/// { tuple[axes] }, without bounds.
isl::set universe_of(const isl::ctx& ctx, const AffineScope& scope);

/// `set` with begin <= axis < end.
isl::set within_range(const isl::set& set, const Axis& axis, const AffineScope& scope);

/// `set` where the scope's condition holds.
isl::set within_domain(const isl::set& set, const AffineScope& scope);

/// The value of an axis, { tuple[axes] -> [axis] }. Throws InternalError when it is not in scope.
isl::pw_aff value_of(const isl::ctx& ctx, const Axis& axis, const AffineScope& scope);

/// The smallest known set that holds every instance where `condition` is `truth`; the parts that
/// are not affine restrict nothing.
isl::set possible_instances(const isl::ctx& ctx, const Expr& condition, bool truth,
                            const AffineScope& scope);

/// Calls `visit` for the reads of `expr` in order of appearance, each node once per guard.
void for_each_read(const isl::ctx& ctx, const Expr& expr, const AffineScope& scope,
                   NestedReductions nested, const std::function<void(const GuardedRead&)>& visit);

/// Calls `visit` for the reductions of `expr` that are not inside others, with the conditions of
/// the selects around them, once per guard.
void for_each_reduction(
    const isl::ctx& ctx, const Expr& expr, const AffineScope& scope,
    const std::function<void(const Expr& reduce, const isl::set& guard)>& visit);

/// The indices of a read as affine functions. Throws UnsupportedError for one that is not.
std::vector<isl::pw_aff> affine_indices(const isl::ctx& ctx, const Expr& read,
                                        const AffineScope& scope);

}  // namespace solway::dsl::detail
