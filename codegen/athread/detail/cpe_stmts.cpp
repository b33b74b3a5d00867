#include "codegen/athread/detail/cpe_stmts.h"

#include <algorithm>
#include <utility>

#include "codegen/athread/detail/register_names.h"
#include "lowering/ir/for_all_cores.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using ir::For;
using ir::ForKind;
using ir::Stmt;
using ir::StmtKind;
using ir::try_constant;

class LanesFinder final : public ir::Visitor {
 public:
  bool found = false;

 protected:
  void visit(const ir::ReduceLanes& /*e*/) override { found = true; }
};

bool has_lanes(const ir::Expr& e) {
  LanesFinder finder;
  finder.walk(e);
  return finder.found;
}

}  // namespace

CpeStmts::CpeStmts(CNames& names, const KernelPlan& plan, const AthreadOptions& options,
                   std::string id, const std::string& kernel)
    : micro_kernels(names, kernel, options),
      exchanges(names, Dialect::of(options.machine).paths()),
      names_(names),
      plan_(plan),
      options_(options),
      dialect_(Dialect::of(options.machine)),
      id_(std::move(id)),
      exprs_(names, ranges_, vector_type_of(DType::Float32, options.machine).has_value()),
      vectors_(names, exprs_, out, options, [this](const SourceLoc& loc) { where(loc); }) {
  for (const KernelPlan::Reply& reply : plan.replies) {
    ReplyNames& name = replies_[reply.id];
    name.counter = names_.fresh(reply.id + "_reply");
    if (!reply.calls) name.calls = names_.fresh(reply.id + "_calls");
  }
}

void CpeStmts::root(const Stmt& s) {
  if (!s.defined()) return;
  const ir::Allocate* const buffer = s.as_or_null<ir::Allocate>();
  if (buffer != nullptr && buffer->buffer->scope != "register") return root(buffer->body);
  if (!is_for_all_cores(s)) return core_zero(s);
  switch (s.kind()) {
    case StmtKind::Block:
      return root_block(s.as<ir::Block>());
    case StmtKind::Let:
      out.open("");
      let(s.as<ir::Let>(), &CpeStmts::root);
      out.close();
      return;
    case StmtKind::For: {
      const For& n = s.as<For>();
      if (n.for_kind == ForKind::Parallel) return shared_loop(n);
      return loop(n, exprs_.print(n.begin), exprs_.print_bound(n.end));
    }
    case StmtKind::If:
      return condition(s.as<ir::If>(), &CpeStmts::root);
    case StmtKind::Barrier:
      return out.line(dialect_.meet());
    case StmtKind::Store:
    case StmtKind::VectorStore:
    case StmtKind::Allocate:
    case StmtKind::TransferIssue:
    case StmtKind::TransferWait:
    case StmtKind::Call:
    case StmtKind::Exchange:
    case StmtKind::Prefetch:
      throw InternalError({s.where(), "a parallel loop inside a statement of the root",
                           "plan_kernel() should have refused it", ""});
  }
}

void CpeStmts::root_block(const ir::Block& block) {
  if (plan_.shared_bytes > 0) return root_nests(block);
  // Neighbours that core 0 runs stand in one `if`.
  std::vector<Stmt> serial;
  for (const Stmt& child : block.stmts) {
    if (!is_for_all_cores(child)) {
      serial.push_back(child);
      continue;
    }
    if (!serial.empty()) core_zero(ir::Block::make(std::move(serial)));
    serial.clear();
    root(child);
  }
  if (!serial.empty()) core_zero(ir::Block::make(std::move(serial)));
}

void CpeStmts::root_nests(const ir::Block& block) {
  const Stmt* before = nullptr;
  for (const Stmt& child : block.stmts) {
    // Compilers take numbers of different types for different memory, and may move what one nest
    // stores above what the one before loads. They do not across a call of the barrier.
    const bool is_apart = before == nullptr || before->kind() == StmtKind::Barrier ||
                          child.kind() == StmtKind::Barrier;
    if (!is_apart) {
      out.comment("From here on the same bytes may hold other types");
      out.line("__asm__ __volatile__(\"\" : : : \"memory\");");
    }
    root(child);
    before = &child;
  }
}

void CpeStmts::core_zero(const Stmt& s) {
  if (s.kind() == StmtKind::Block && s.as<ir::Block>().stmts.empty()) return;
  out.open("if (" + id_ + " == 0)");
  body(s);
  out.close();
}

void CpeStmts::shared_loop(const For& n) {
  where(n.where);
  const std::string var = names_.of(n.var);
  const std::string begin = names_.fresh(n.var + "_begin");
  const std::string end = names_.fresh(n.var + "_end");
  const std::string cores = std::to_string(options_.cores);
  const std::string first = exprs_.print(n.begin);
  const std::string last = exprs_.print(n.end);
  out.open("");
  std::string extent = "";
  std::string chunk = "";
  const auto constant_extent = try_constant(ir::sub(n.end, n.begin));
  if (constant_extent) {
    const std::int64_t elems = std::max<std::int64_t>(0, *constant_extent);
    extent = std::to_string(elems);
    chunk = std::to_string((elems + options_.cores - 1) / options_.cores);
    out.comment(var + ": " + extent + " iterations over " + cores + " cores, " + chunk +
                " at most for each");
  } else {
    extent = names_.fresh(n.var + "_extent");
    chunk = names_.fresh(n.var + "_chunk");
    out.line(
        "const long " + extent + " = " +
        exprs_.call("max_i64",
                    {exprs_.print_operand(n.end) + " - " + exprs_.print_operand(n.begin), "0"}) +
        ";");
    out.line("const long " + chunk + " = (" + extent + " + " + std::to_string(options_.cores - 1) +
             ") / " + cores + ";");
    out.comment(var + ": " + extent + " iterations over " + cores + " cores");
  }
  const bool from_zero = try_constant(n.begin) == 0;
  const std::string offset =
      exprs_.call("min_i64", {chunk == "1" ? id_ : id_ + " * " + chunk, extent});
  out.line("const long " + begin + " = " +
           (from_zero ? offset : exprs_.print_operand(n.begin) + " + " + offset) + ";");
  out.line("const long " + end + " = " + exprs_.call("min_i64", {begin + " + " + chunk, last}) +
           ";");
  ranges_[n.var] = range_of(n, ranges_);
  out.open("for (long " + var + " = " + begin + "; " + var + " < " + end + "; ++" + var + ")");
  body(n.body);
  out.close();
  ranges_.erase(n.var);
  out.close();
}

void CpeStmts::where(const SourceLoc& loc) {
  const std::string place = loc.to_string();
  if (place.empty() || place == last_where_) return;
  last_where_ = place;
  out.comment(loc.text.empty() ? place : place + ": " + loc.text);
}

void CpeStmts::body(const Stmt& s) {
  if (!s.defined()) return;
  if (s.kind() == StmtKind::Let) return let(s.as<ir::Let>(), &CpeStmts::body);
  if (const ir::Allocate* n = s.as_or_null<ir::Allocate>()) {
    if (n->buffer->scope == "register") return registers(*n);
    return body(n->body);
  }
  stmt(s);
}

void CpeStmts::stmt(const Stmt& s) {
  where(s.where());
  switch (s.kind()) {
    case StmtKind::For:
      return plain_loop(s.as<For>());
    case StmtKind::If:
      return condition(s.as<ir::If>(), &CpeStmts::body);
    case StmtKind::Let:
    case StmtKind::Allocate: {
      const bool declares =
          s.kind() == StmtKind::Let || s.as<ir::Allocate>().buffer->scope == "register";
      if (declares) out.open("");
      body(s);
      if (declares) out.close();
      return;
    }
    case StmtKind::Store: {
      const ir::Store& n = s.as<ir::Store>();
      if (has_lanes(n.value)) return vectors_.reduction(n);
      return out.line(exprs_.element(*n.buffer, n.indices) + " = " + exprs_.print(n.value) + ";");
    }
    case StmtKind::Block:
      return block(s.as<ir::Block>());
    case StmtKind::TransferIssue:
      return issue(s.as<ir::TransferIssue>());
    case StmtKind::TransferWait:
      return wait(s.as<ir::TransferWait>());
    case StmtKind::Exchange:
      return exchange(s.as<ir::Exchange>());
    case StmtKind::Call:
      return call(s.as<ir::Call>());
    case StmtKind::VectorStore:
      return vectors_.stores({&s.as<ir::VectorStore>()});
    case StmtKind::Barrier:
      throw InternalError(
          {s.where(), "a barrier in a parallel loop", "plan_kernel() should have refused it", ""});
    case StmtKind::Prefetch:
      throw InternalError(
          {s.where(), "a prefetch on a computing core", "passes_for() leaves it out", ""});
  }
}

void CpeStmts::call(const ir::Call& n) {
  const auto element = [&](const ir::CallOperand& operand) {
    return exprs_.element(*operand.buffer, operand.indices);
  };
  out.line(n.product ? micro_kernels.call(n, element) : calls.call(n, element));
}

void CpeStmts::block(const ir::Block& n) {
  std::vector<const ir::VectorStore*> stores;
  for (const Stmt& child : n.stmts) {
    if (const auto* store = child.as_or_null<ir::VectorStore>()) {
      stores.push_back(store);
      continue;
    }
    vectors_.stores(std::exchange(stores, {}));
    stmt(child);
  }
  vectors_.stores(stores);
}

void CpeStmts::let(const ir::Let& n, void (CpeStmts::*inside)(const Stmt&)) {
  if (n.value.type().is_vector()) {
    vectors_.let(n);
  } else if (uses_var(n.body, n.var)) {
    out.line("const " + c_type(n.value.type().scalar) + " " + names_.of(n.var) + " = " +
             exprs_.print(n.value) + ";");
  }
  if (is_integer(n.value.type().scalar) && !n.value.type().is_vector()) {
    ranges_[n.var] = range_of(n, options_, ranges_);
  }
  (this->*inside)(n.body);
  ranges_.erase(n.var);
}

void CpeStmts::loop(const For& n, const std::string& begin, const std::string& end) {
  const std::string var = names_.of(n.var);
  out.open("for (long " + var + " = " + begin + "; " + var + " < " + end + "; ++" + var + ")");
  ranges_[n.var] = range_of(n, ranges_);
  if (is_for_all_cores(n.body)) {
    root(n.body);
  } else {
    body(n.body);
  }
  ranges_.erase(n.var);
  out.close();
}

void CpeStmts::plain_loop(const For& n) {
  const std::string begin = exprs_.print(n.begin);
  if (!ir::has_load(n.end)) return loop(n, begin, exprs_.print_bound(n.end));
  // The bound is read once: the body may change what it is read from.
  const std::string bound = names_.fresh(n.var + "_end");
  out.open("");
  out.line("const long " + bound + " = " + exprs_.print(n.end) + ";");
  loop(n, begin, bound);
  out.close();
}

void CpeStmts::condition(const ir::If& n, void (CpeStmts::*inside)(const Stmt&)) {
  out.open("if (" + exprs_.print(n.condition) + ")");
  (this->*inside)(n.then_body);
  if (n.else_body.defined()) {
    out.reopen("else");
    (this->*inside)(n.else_body);
  }
  out.close();
}

void CpeStmts::registers(const ir::Allocate& n) {
  auto names = try_register_names(*n.buffer, n.body, options_.machine, names_);
  if (!names) {
    local_array(*n.buffer);
    return body(n.body);
  }
  std::map<std::string, std::vector<std::string>> by_type;
  for (const auto& [at, variable] : names->variables) {
    const auto vector = try_vector_type(variable.type, options_.machine);
    by_type[vector ? vector->name : c_type(variable.type.scalar)].push_back(variable.name);
  }
  for (const auto& [type, variables] : by_type) declare(out, type, variables);
  exprs_.keep(n.buffer->name, *names);
  body(n.body);
  exprs_.drop(n.buffer->name);
  for (const auto& [at, variable] : names->variables) names_.release(variable.name);
}

void CpeStmts::local_array(const ir::BufferNode& buffer) {
  std::string text = c_type(buffer.type) + " " + names_.of(buffer.name);
  if (buffer.shape.empty()) text += "[1]";
  for (const std::int64_t size : buffer.shape) {
    text += "[" + std::to_string(std::max<std::int64_t>(1, size)) + "]";
  }
  out.line(text + ";");
}

}  // namespace solway::codegen
