#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lowering/ir/expr.h"
#include "lowering/ir/stmt.h"

namespace solway::ir {

/// Integers lo <= value <= hi.
struct Range {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
  std::int64_t divisor = 1;  ///< >= 0, divides every value

  bool operator==(const Range&) const = default;
};

/// Bounds of the variables that are known around a statement.
using Ranges = std::map<std::string, Range>;

/// Bounds of a scalar integer expression and of every step of its evaluation: when there are some,
/// no operation in it wraps. Variables without an entry, and loads, may hold any value of their
/// type. nullopt for floats and where an operation may wrap.
std::optional<Range> try_range(const Expr& e, const Ranges& vars);

/// The values of a loop's variable; nullopt when its bounds are not known or the loop is empty.
std::optional<Range> try_range(const For& loop, const Ranges& vars);

/// All values that a scalar expression can have although operations in it may wrap; those of its
/// whole type when nothing is known.
Range range_of(const Expr& e, const Ranges& vars);
Range range_of(const Binary& e, const Ranges& vars);
/// The values of a loop's variable; of a loop that is empty, the least that its begin can have.
Range range_of(const For& loop, const Ranges& vars);

/// False when Add, Sub, Mul (Neg, Abs) cannot leave its type, whatever its operands did.
bool may_wrap(const Binary& e, const Ranges& vars);
bool may_wrap(const Unary& e, const Ranges& vars);

/// A number >= 0 that divides every value of `e`; 0 when it is always 0.
std::int64_t divisor_of(const Expr& e, const Ranges& vars);

}  // namespace solway::ir
