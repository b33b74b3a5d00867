#include "lowering/pass_temporaries.h"

#include <vector>

namespace solway::lowering {
namespace {

ir::Stmt without_temporaries(const ir::Stmt& s, std::vector<ir::Param>& params) {
  if (const auto* const n = s.as_or_null<ir::Allocate>()) {
    const ir::Stmt body = without_temporaries(n->body, params);
    if (n->buffer->scope != "main") {
      return body.same_as(n->body) ? s : ir::Allocate::make(n->buffer, body, n->where);
    }
    params.push_back({n->buffer, ir::Role::InOut});
    return body;
  }
  if (const auto* const n = s.as_or_null<ir::Block>()) {
    std::vector<ir::Stmt> stmts;
    bool is_same = true;
    for (const ir::Stmt& child : n->stmts) {
      stmts.push_back(without_temporaries(child, params));
      is_same = is_same && stmts.back().same_as(child);
    }
    return is_same ? s : ir::Block::make(std::move(stmts), n->where);
  }
  return s;
}

}  // namespace

void pass_temporaries(ir::Kernel& kernel) {
  kernel.body = without_temporaries(kernel.body, kernel.params);
}

}  // namespace solway::lowering
