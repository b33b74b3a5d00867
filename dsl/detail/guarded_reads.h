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

/// An end of an axis or an extent of a tensor, { tuple[axes] -> [extent] }.
isl::pw_aff value_of(const isl::ctx& ctx, const Extent& extent, const AffineScope& scope);

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

/// What an index of a read may be, both inclusive: the same function where it is affine.
struct IndexRange {
  isl::pw_aff first;
  isl::pw_aff last;
  bool is_exact = true;  ///< not of a Bounded index
};

/// The indices of a read. Throws UnsupportedError for one that is neither affine nor Bounded.
std::vector<IndexRange> index_ranges(const isl::ctx& ctx, const Expr& read,
                                     const AffineScope& scope);

/// { tuple[axes] -> T[element] } that a read may access, of all indices that are promised.
isl::map read_map(const isl::ctx& ctx, const Expr& read, const AffineScope& scope);

}  // namespace solway::dsl::detail
