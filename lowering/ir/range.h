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
};

/// Bounds of the variables that are known around a statement.
using Ranges = std::map<std::string, Range>;

/// Bounds of a scalar integer expression and of every step of its evaluation: when there are some,
/// no operation in it wraps. Variables without an entry, and loads, may hold any value of their
/// type. nullopt for floats and where an operation may wrap.
std::optional<Range> try_range(const Expr& e, const Ranges& vars);

/// The values of a loop's variable; nullopt when its bounds are not known or the loop is empty.
std::optional<Range> try_range(const For& loop, const Ranges& vars);

}  // namespace solway::ir
