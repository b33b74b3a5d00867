#include "codegen/c/emit_c.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "codegen/c/calls.h"
#include "codegen/c/constants.h"
#include "codegen/c/expressions.h"
#include "codegen/c/helpers.h"
#include "codegen/c/names.h"
#include "codegen/c/transfers.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using c99::c_type;
using ir::Expr;
using ir::Stmt;
using ir::StmtKind;

/// Larger sums of buffers come from malloc.
constexpr std::int64_t kAutomaticBytes = std::int64_t{64} * 1024;
constexpr std::int64_t kArenaAlignment = 64;

/// What a kernel's statements use.
class Uses final : public ir::Visitor {
 public:
  std::set<std::string> names;        ///< variables and buffers that are read or transferred
  std::set<std::string> stored;       ///< buffers that are written
  std::vector<ir::Buffer> allocated;  ///< in program order
  bool loads = false;                 ///< any load

 private:
  void visit(const ir::Var& e) override { names.insert(e.name); }
  void visit(const ir::Load& e) override {
    loads = true;
    names.insert(e.buffer->name);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    stored.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    allocated.push_back(s.buffer);
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    names.insert(s.main->name);
    names.insert(s.near->name);
    Visitor::visit(s);
  }
};

std::int64_t round_up(std::int64_t bytes) {
  return (bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
}

std::string prototype(const ir::Kernel& kernel, const c99::CNames& names,
                      const std::set<std::string>& shared) {
  std::string text = "int32_t " + kernel.name + "(";
  if (kernel.params.empty()) text += "void";
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const ir::Param& param = kernel.params[i];
    text += std::string(i == 0 ? "" : ", ") + (param.role == ir::Role::In ? "const " : "") +
            c_type(param.buffer->type) +
            (shared.count(param.buffer->name) != 0 ? "* " : "* restrict ") +
            names.of(param.buffer->name);
  }
  return text + ")";
}

class Emitter {
 public:
  Emitter(const ir::Kernel& kernel, const CEmitOptions& options)
      : kernel_(kernel),
        options_(options),
        body_(ir::simplify(kernel.body)),
        names_(kernel),
        expressions_(names_, helpers_),
        transfers_(kernel) {
    uses_.walk(body_);
    for (const Expr& requirement : kernel.requirements) uses_.walk(requirement);
    for (const ir::Buffer& b : uses_.allocated) arena_bytes_ += round_up(b->size_bytes());
    has_arena_ = arena_bytes_ > kAutomaticBytes;
  }

  std::string file() {
    const std::string function = this->function();
    std::string text = "/* " + kernel_.name + ": portable C99" +
                       (options_.nec ? ", with directives of NEC's compiler" : "") + ". */\n";
    text += "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n";
    if (has_arena_) text += "#include <stdlib.h>\n";
    text += "#include <string.h>\n\n";
    text += "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#endif\n\n";
    text += helpers_.definitions();
    if (!transfers_.empty()) text += c99::transfer_definitions(transfers_, options_.poison);
    for (const ir::Constant& constant : kernel_.constants) {
      text += c99::constant_definition(constant, names_.of(constant.buffer->name)) + "\n";
    }
    text += calls_.definitions();
    text += prototype(kernel_, names_, options_.shared) + ";\n\n";
    return text + function;
  }

 private:
  std::string function() {
    line(prototype(kernel_, names_, options_.shared) + " {");
    ++depth_;
    for (const Expr& requirement : kernel_.requirements) {
      line("if (!" + condition(requirement) + ") return 4;");
    }
    if (has_arena_) open_arena();
    for (const auto& [id, slots] : transfers_.slots_of) {
      const std::string record = c99::record_name(id);
      line("struct sw_transfer " + record + "[" + std::to_string(slots) + "];");
      resets_.push_back("memset(" + record + ", 0, sizeof " + record + ");");
    }
    if (!transfers_.empty()) line("int32_t sw_status = 0;");
    if (has_arena_) check_arena();
    for (const std::string& reset : resets_) line(reset);
    for (const ir::Param& param : kernel_.params) mark_unused(param.buffer->name);
    stmt(body_);
    if (has_arena_) line("free(sw_arena);");
    line(transfers_.empty() ? "return 0;" : "return sw_status;");
    --depth_;
    line("}");
    return std::move(text_);
  }

  void open_arena() {
    const std::string bytes = std::to_string(arena_bytes_ + kArenaAlignment - 1);
    line("char* const sw_arena = (char*)malloc(" + bytes + ");");
    line("char* sw_base;");
  }

  void check_arena() {
    line("if (sw_arena == NULL) return 1;");
    line("sw_base = sw_arena + (" + std::to_string(kArenaAlignment) + " - (uintptr_t)sw_arena % " +
         std::to_string(kArenaAlignment) + ") % " + std::to_string(kArenaAlignment) + ";");
  }

  void line(const std::string& text) {
    text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + text + "\n";
  }

  /// Keeps compilers from warning of a name that nothing reads.
  void mark_unused(const std::string& name) {
    if (uses_.names.count(name) == 0) line("(void)" + names_.of(name) + ";");
  }

  void body(const Stmt& s) {
    ++depth_;
    stmt(s);
    --depth_;
    line("}");
  }

  void stmt(const Stmt& s) {
    switch (s.kind()) {
      case StmtKind::For:
        return loop(s.as<ir::For>());
      case StmtKind::If:
        return branch(s.as<ir::If>());
      case StmtKind::Let:
        return let(s.as<ir::Let>());
      case StmtKind::Store: {
        const auto& n = s.as<ir::Store>();
        return line(expressions_.element(*n.buffer, n.indices) + " = " + value(n.value) + ";");
      }
      case StmtKind::VectorStore:
        throw UnsupportedError(
            {s.where(), "portable C of a vector store is not supported",
             "the kernel stores vectors to '" + s.as<ir::VectorStore>().buffer->name + "'",
             "build target 'c' without the pass vectorize_loops"});
      case StmtKind::Allocate:
        return allocate(s.as<ir::Allocate>());
      case StmtKind::Block:
        for (const Stmt& child : s.as<ir::Block>().stmts) stmt(child);
        return;
      case StmtKind::TransferIssue:
        return issue(s.as<ir::TransferIssue>());
      case StmtKind::TransferWait: {
        const auto& n = s.as<ir::TransferWait>();
        return line("sw_wait(&" + record(n.id, n.slot) + ", &sw_status);");
      }
      case StmtKind::Call:
        return line(calls_.call(s.as<ir::Call>(), [&](const ir::CallOperand& operand) {
          return expressions_.element(*operand.buffer, operand.indices);
        }));
      case StmtKind::Barrier:  // there is one core
        return;
      case StmtKind::Exchange:
        throw InternalError({s.where(), "an exchange between cores in portable C",
                             "require_sharing() should have refused it", ""});
      case StmtKind::Prefetch:
        throw InternalError(
            {s.where(), "a prefetch in portable C", "passes_for() leaves it out", ""});
    }
  }

  std::string value(const Expr& e) { return expressions_.text(e); }

  void loop(const ir::For& n) {
    const std::string var = names_.of(n.var);
    std::string note;
    if (n.for_kind != ir::ForKind::Serial) {
      note = "  /* " + std::string(ir::to_string(n.for_kind)) + " */";
    }
    Uses bound;
    bound.walk(n.end);
    std::string end = value(n.end);
    if (bound.loads) {
      // The body may store to what the bound reads; it is evaluated once.
      line("{");
      ++depth_;
      line("const int64_t sw_end_" + var + " = " + end + ";");
      end = "sw_end_" + var;
    }
    if (options_.nec) {
      for (const std::string& pragma : c99::nec_pragmas(n, *options_.nec, expressions_.ranges)) {
        line("#pragma " + pragma);
      }
    }
    line("for (int64_t " + var + " = " + value(n.begin) + "; " + var + " < " + end + "; ++" + var +
         ") {" + note);
    if (const auto range = try_range(n, expressions_.ranges)) expressions_.ranges[n.var] = *range;
    body(n.body);
    expressions_.ranges.erase(n.var);
    if (bound.loads) {
      --depth_;
      line("}");
    }
  }

  /// The value in parentheses.
  std::string condition(const Expr& e) {
    std::string text = value(e);
    const bool has_them = text.front() == '(' && e.kind() == ir::ExprKind::Binary;
    return has_them ? text : "(" + text + ")";
  }

  void branch(const ir::If& n) {
    line("if " + condition(n.condition) + " {");
    ++depth_;
    stmt(n.then_body);
    --depth_;
    if (!n.else_body.defined()) return line("}");
    line("} else {");
    body(n.else_body);
  }

  void let(const ir::Let& n) {
    line("{");
    ++depth_;
    line("const " + c_type(n.value.type().scalar) + " " + names_.of(n.var) + " = " +
         value(n.value) + ";");
    mark_unused(n.var);
    const auto range = try_range(n.value, expressions_.ranges);
    if (range) expressions_.ranges[n.var] = *range;
    --depth_;
    body(n.body);
    expressions_.ranges.erase(n.var);
  }

  void allocate(const ir::Allocate& n) {
    const ir::BufferNode& b = *n.buffer;
    const std::string name = names_.of(b.name);
    const std::string type = c_type(b.type);
    line("{");
    ++depth_;
    if (has_arena_) {
      line(type + "* const " + name + " = (" + type + "*)(void*)(sw_base + " +
           std::to_string(arena_used_) + ");  /* " + ir::to_string(b) + " */");
      arena_used_ += round_up(b.size_bytes());
    } else {
      const auto size = std::max<std::int64_t>(b.num_elements(), 1);
      line(type + " " + name + "[" + std::to_string(size) + "];  /* " + ir::to_string(b) + " */");
    }
    mark_unused(b.name);
    --depth_;
    body(n.body);
  }

  std::string record(const std::string& id, const Expr& slot) {
    return c99::record_name(id) + "[" + (slot.defined() ? value(slot) : "0") + "]";
  }

  void issue(const ir::TransferIssue& n) {
    const bool is_get = n.direction == ir::TransferDirection::Get;
    const std::string main = expressions_.element(*n.main, n.main_index);
    const std::string near = expressions_.element(*n.near, n.near_index);
    const std::int64_t size = size_bytes(n.main->type);
    line(std::string("{  /* ") + (is_get ? "get " : "put ") + n.id + " */");
    ++depth_;
    line("struct sw_transfer* const sw_t = &" + record(n.id, n.slot) + ";");
    line("if (sw_t->pending) sw_status = 3;");
    line("sw_t->from = (const char*)&" + (is_get ? main : near) + ";");
    line("sw_t->to = (char*)&" + (is_get ? near : main) + ";");
    line("sw_t->size = " + std::to_string(size) + ";");
    const int missing = transfers_.rank - static_cast<int>(n.dims.size());
    for (int d = 0; d < transfers_.rank; ++d) {
      const bool is_padding = d < missing;
      const ir::TransferDim dim = is_padding ? ir::TransferDim{ir::index(1), ir::index(0), 0}
                                             : n.dims[static_cast<std::size_t>(d - missing)];
      const Expr near_stride = ir::index(dim.near_stride_elems), bytes = ir::index(size);
      const Expr from = ir::mul(is_get ? dim.main_stride_elems : near_stride, bytes);
      const Expr to = ir::mul(is_get ? near_stride : dim.main_stride_elems, bytes);
      const std::string at = "[" + std::to_string(d) + "] = ";
      line("sw_t->count" + at + value(dim.count) + ";");
      line("sw_t->from_stride" + at + value(from) + ";");
      line("sw_t->to_stride" + at + value(to) + ";");
    }
    line("sw_t->pending = true;");
    if (options_.poison) {
      line(std::string("sw_poison(sw_t, ") + (is_float(n.main->type) ? "0xFF" : "0x5A") + ");");
    }
    --depth_;
    line("}");
  }

  const ir::Kernel& kernel_;
  const CEmitOptions& options_;
  Stmt body_;
  c99::CNames names_;
  c99::CHelpers helpers_;
  c99::CExpressions expressions_;
  c99::TransferTable transfers_;
  c99::CallTable calls_{"int64_t"};
  Uses uses_;
  std::int64_t arena_bytes_ = 0;
  std::int64_t arena_used_ = 0;
  bool has_arena_ = false;
  std::vector<std::string> resets_;
  int depth_ = 0;
  std::string text_;
};

void require_name(const ir::Kernel& kernel) {
  if (!c99::is_reserved_in_c(kernel.name)) return;
  throw UnsupportedError({kernel.where,
                          "a kernel named '" + kernel.name + "' is not supported in C",
                          "C reserves the name '" + kernel.name + "'", "choose another name="});
}

}  // namespace

std::string emit_c(const ir::Kernel& kernel, const CEmitOptions& options) {
  require_name(kernel);
  return Emitter(kernel, options).file();
}

std::string emit_c_prototype(const ir::Kernel& kernel) {
  require_name(kernel);
  return prototype(kernel, c99::CNames(kernel), {}) + ";";
}

}  // namespace solway::codegen
