#pragma once

#include <string>
#include <vector>

#include "dsl/expr.h"

/// Reductions with a combine function of one's own, of one value or of several at once.
namespace solway::dsl {

/// How two tuples of values become one. Associative by declaration.
struct Combiner {
  std::string name;            ///< "argmin"; what prints
  std::vector<DType> types;    ///< of the values
  std::vector<Expr> identity;  ///< literals that leave every other value unchanged
  /// Of Param 0 ... n - 1, what is accumulated, and Param n ... 2 n - 1, what is combined into it.
  std::vector<Expr> results;
  /// Whether updates may run in any order.
  bool is_commutative = true;
};

/// A parameter of a combine function.
Expr make_param(std::int64_t position, DType type, SourceLoc where);

/// Converts identities and results to the types. Throws DslError when their number differs, or for
/// a result of something else than the parameters and literals.
std::shared_ptr<const Combiner> make_combiner(std::string name, std::vector<DType> types,
                                              std::vector<Expr> identity, std::vector<Expr> results,
                                              bool is_commutative, const SourceLoc& where);

/// The values that combining `operands` over all values of the axes gives, one per value.
std::vector<Expr> make_reduce(std::shared_ptr<const Combiner> combiner, std::vector<Expr> operands,
                              std::vector<Axis> axes, const SourceLoc& where);

/// Which extreme value is looked for.
enum class Extreme : std::uint8_t { Smallest, Largest };

/// The position, int64, of the first smallest or largest value: row-major over several axes, from
/// 0. NaN is smaller and larger than every number. Throws DslError for an axis without values.
Expr make_arg_reduce(Extreme extreme, Expr operand, std::vector<Axis> axes, SourceLoc where);

}  // namespace solway::dsl
