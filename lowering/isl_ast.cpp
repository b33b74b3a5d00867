#include "lowering/isl_ast.h"

#include "schedule/isl_tree.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

std::vector<isl::ast_expr> in_iterators(const isl::ast_build& build,
                                        const isl::pw_multi_aff& instance,
                                        const isl::multi_pw_aff& index) {
  std::vector<isl::ast_expr> out;
  for (unsigned k = 0; k < index.size(); ++k) {
    out.push_back(build.expr_from(index.at(static_cast<int>(k)).pullback(instance)));
  }
  return out;
}

InstanceExprs exprs_of(const isl::ast_build& build, const schedule::Program& program) {
  const isl::map schedule = build.schedule().as_map();
  const std::string name = schedule.get_domain_tuple_id().name();
  const isl::pw_multi_aff instance = schedule.reverse().as_pw_multi_aff();
  InstanceExprs out;
  out.statement = &program.statement(name);
  for (unsigned k = 0; k < instance.size(); ++k) {
    out.iteration.push_back(build.expr_from(instance.at(static_cast<int>(k))));
  }
  out.write = in_iterators(build, instance, out.statement->write_index);
  for (const schedule::Operand& operand : out.statement->reads) {
    out.reads.push_back(in_iterators(build, instance, operand.index));
  }
  return out;
}

}  // namespace

Ast make_ast(const schedule::State& state) {
  const schedule::Program& program = *state.program;
  const isl::schedule tree = schedule::isl_tree_of(program.ctx(), state.order, program.domains());
  const isl::schedule atomic = tree.root()
                                   .map_descendant_bottom_up([](isl::schedule_node node) {
                                     if (!node.isa<isl::schedule_node_band>()) return node;
                                     const auto band = node.as<isl::schedule_node_band>();
                                     return isl::schedule_node(band.member_set_ast_loop_atomic(0));
                                   })
                                   .schedule();
  Ast out;
  const isl::ast_build plain(program.ctx());
  const isl::ast_build build =
      plain.set_at_each_domain([&](isl::ast_node node, const isl::ast_build& at) {
        const std::string key = "instance_" + std::to_string(out.instances.size());
        out.instances.emplace(key, exprs_of(at, program));
        return isl_ext::annotate(node, key);
      });
  out.root = build.node_from(atomic);
  return out;
}

}  // namespace solway::lowering
