#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "lowering/convert_expr.h"
#include "lowering/ir/expr.h"
#include "schedule/state.h"

/// What the nodes of isl's AST say.
namespace solway::lowering {

/// The children of a block; else the node itself.
std::vector<isl::ast_node> statements_of(const isl::ast_node& node);

/// Whether isl made a loop of the band that `node` stands for; those of inner bands stand under
/// marks of their own.
bool has_loop(const isl::ast_node& node);

/// The annotation of the user node that runs first; empty where there is none.
std::string first_instance(const isl::ast_node& node);

/// A loop of one iteration that isl left out, with what stands in it. isl may copy the mark to each
/// statement: all of these are in one group. Any other node is alone in its group.
struct NodeGroup {
  std::vector<isl::ast_node> nodes;
  schedule::LoopId unit_loop = -1;  ///< -1: there is none
};

/// The nodes, neighbours in one loop together.
std::vector<NodeGroup> groups_of(const schedule::State& state,
                                 const std::vector<isl::ast_node>& nodes);

/// The values begin, begin + step, ... below end.
struct LoopBounds {
  ir::Expr begin;
  ir::Expr end;
  std::int64_t step = 1;
};

/// `iterators` are those around the loop.
LoopBounds bounds_of(const isl::ast_node_for& loop, const Iterators& iterators);

}  // namespace solway::lowering
