#include "lowering/ast_nodes.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "lowering/isl_ast.h"
#include "schedule/buffer_read.h"
#include "schedule/split.h"

#include "tests/support/sample_programs.h"

namespace solway::lowering {
namespace {

TEST(BoundsOf, ALoopOfTheAst) {
  const samples::Matmul m(10, 3, 4);
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  const schedule::LoopId x = state.stage_loops.at("C")[0];
  const schedule::State tiled = schedule::split(state, "C", x, 4, samples::at(6)).state;
  const Ast ast = make_ast(tiled);
  const auto mark = ast.root.as<isl::ast_node_mark>();
  ASSERT_TRUE(has_loop(mark.node()));
  const LoopBounds outer = bounds_of(mark.node().as<isl::ast_node_for>(), {});
  EXPECT_EQ(ir::to_string(outer.begin) + " " + ir::to_string(outer.end), "0 3");
  EXPECT_EQ(outer.step, 1);
}

/// A transfer in loops of one iteration, which isl copies to the issue, the wait and the use.
TEST(GroupsOf, CopiesOfOneMarkAreOneLoop) {
  const samples::Matmul m(1, 1, 1);
  const schedule::State state = schedule::make_state({m.c}, samples::at(5));
  schedule::BufferRequest request;
  request.stage = "C";
  request.tensor = "A";
  request.at = state.stage_loops.at("C").back();
  const schedule::State buffered = schedule::buffer_read(state, request, samples::at(6)).state;
  const Ast ast = make_ast(buffered);
  std::vector<isl::ast_node> nodes = statements_of(ast.root);
  for (int depth = 0; depth < 3; ++depth) {
    const std::vector<NodeGroup> groups = groups_of(buffered, nodes);
    const NodeGroup& last = groups.back();
    ASSERT_GE(last.unit_loop, 0);
    nodes.clear();
    for (const isl::ast_node& node : last.nodes) {
      const auto inside = statements_of(node.as<isl::ast_node_mark>().node());
      nodes.insert(nodes.end(), inside.begin(), inside.end());
    }
  }
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(ast.instances.at(first_instance(nodes[0])).statement->kind,
            schedule::StatementKind::Issue);
}

}  // namespace
}  // namespace solway::lowering
