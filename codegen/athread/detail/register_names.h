#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/athread/detail/c_names.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// The variables of C that stand for a buffer of scope "register": one for each vector or element,
/// as arrays need not become registers.
struct RegisterNames {
  struct Variable {
    std::string name;
    ir::Type type;
  };
  std::map<std::int64_t, Variable> variables;  ///< by their first element

  /// The variable at `indices`; requires constant ones that an access of the buffer has.
  const std::string& at(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices) const;
};

/// Variables for `buffer` in `body`; nullopt where it needs an address: an index that is not
/// constant, a call or a transfer, parts of a vector, vectors that overlap or that `machine`, as in
/// AthreadOptions, does not have.
std::optional<RegisterNames> try_register_names(const ir::BufferNode& buffer, const ir::Stmt& body,
                                                const std::string& machine, CNames& names);

}  // namespace solway::codegen
