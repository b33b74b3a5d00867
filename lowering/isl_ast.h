#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::lowering {

/// Expressions of one user node of the AST, in terms of the AST's iterators.
struct InstanceExprs {
  const schedule::Statement* statement = nullptr;
  std::vector<isl::ast_expr> iteration;           ///< the value of each axis of the statement
  std::vector<isl::ast_expr> write;               ///< the element that it stores, per dimension
  std::vector<std::vector<isl::ast_expr>> reads;  ///< per operand, per dimension
};

/// The loops that isl makes of a schedule.
struct Ast {
  isl::ast_node root;
  std::map<std::string, InstanceExprs> instances;  ///< by the annotation of the user node
};

/// Generates the AST of a schedule. Each band becomes one loop (never split in pieces); the loops
/// of band `id` stand under a mark node named "loop_<id>".
Ast make_ast(const schedule::State& state);

}  // namespace solway::lowering
