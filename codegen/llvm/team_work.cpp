#include "codegen/llvm/team_work.h"

#include <algorithm>

#include "lowering/ir/for_all_cores.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

/// Looks for what is read outside of parallel loops by all threads.
class CommonReads final : public ir::Visitor {
 public:
  CommonReads(const ir::Kernel& kernel, const std::set<std::string>& shared)
      : kernel_(kernel), shared_(shared) {}
  std::string written;  ///< a buffer that may change between two threads' reads

  void root(const ir::Stmt& s) {
    if (!is_for_all_cores(s)) return;
    if (s.kind() == ir::StmtKind::Block) {
      for (const ir::Stmt& child : s.as<ir::Block>().stmts) root(child);
    } else if (const auto* allocate = s.as_or_null<ir::Allocate>()) {
      root(allocate->body);
    } else if (const auto* let = s.as_or_null<ir::Let>()) {
      walk(let->value);
      root(let->body);
    } else if (const auto* loop = s.as_or_null<ir::For>()) {
      walk(loop->begin);
      walk(loop->end);
      if (loop->for_kind != ir::ForKind::Parallel) root(loop->body);
    } else if (const auto* branch = s.as_or_null<ir::If>()) {
      walk(branch->condition);
      root(branch->then_body);
      root(branch->else_body);
    }
  }

 private:
  using Visitor::visit;
  void visit(const ir::Load& e) override {
    const auto is_it = [&](const ir::Param& param) { return param.buffer == e.buffer; };
    const auto param = std::find_if(kernel_.params.begin(), kernel_.params.end(), is_it);
    const bool is_constant =
        std::any_of(kernel_.constants.begin(), kernel_.constants.end(),
                    [&](const ir::Constant& constant) { return constant.buffer == e.buffer; });
    const bool is_input = param != kernel_.params.end() && param->role == ir::Role::In &&
                          shared_.count(e.buffer->name) == 0;
    if (!is_constant && !is_input) written = e.buffer->name;
    Visitor::visit(e);
  }

  const ir::Kernel& kernel_;
  const std::set<std::string>& shared_;
};

}  // namespace

std::string team_lack(const ir::Kernel& kernel, const std::set<std::string>& shared) {
  if (!is_for_all_cores(kernel.body)) return "no loop of it is parallel";
  CommonReads reads(kernel, shared);
  reads.root(kernel.body);
  if (reads.written.empty()) return "";
  return "a bound or condition around a parallel loop reads '" + reads.written +
         "', which the kernel may write";
}

}  // namespace solway::codegen
