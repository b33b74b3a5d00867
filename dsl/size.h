#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/source_loc.h"

namespace solway::dsl {

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

/// A number that is known when the kernel runs: min <= value <= max. Equal iff it is the same node.
struct SizeNode {
  std::string name;
  std::int64_t min = 1;
  std::int64_t max = 1;
  SourceLoc where;
};
using Size = std::shared_ptr<const SizeNode>;

/// Throws DslError for a name that is no identifier, min below 0 or max below min.
Size make_size(std::string name, std::int64_t min, std::int64_t max, SourceLoc where);

/// A bound of an axis or an extent of a tensor: a constant, or an affine expression of sizes.
struct Extent {
  // Constants convert, so that shapes are lists of numbers.
  Extent(std::int64_t value) : min(value), max(value) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return value == nullptr; }

  std::int64_t min;  ///< the least that it can be
  std::int64_t max;  ///< the most
  Expr value;        ///< null for a constant
};

/// The extent that an int64 expression states. Throws UnsupportedError when it is not affine in
/// sizes, as products of sizes are not; DslError when it holds an axis or a read.
Extent make_extent(const Expr& value, const SourceLoc& where);

/// The extents of a shape. Lists and vectors of numbers convert.
class Extents : public std::vector<Extent> {
 public:
  using std::vector<Extent>::vector;
  Extents(const std::vector<Extent>& list)  // NOLINT(google-explicit-constructor)
      : std::vector<Extent>(list) {}
  Extents(const std::vector<std::int64_t>& list)  // NOLINT(google-explicit-constructor)
      : std::vector<Extent>(list.begin(), list.end()) {}
};

/// "n + 2", "8"
std::string to_string(const Extent& extent);

/// The sizes in an expression, each once, in order of appearance.
std::vector<Size> sizes_of(const Expr& expr);

}  // namespace solway::dsl
