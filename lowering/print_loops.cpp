#include "lowering/print_loops.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/simplify.h"

namespace solway::lowering {
namespace {

std::string float_text(double value) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (std::isnan(value)) return "nan";
  std::ostringstream out;
  out.precision(9);
  out << value;
  const std::string text = out.str();
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

class LoopPrinter {
 public:
  LoopPrinter(const Lowered& lowered, std::int64_t cores)
      : names_(lowered.loop_names),
        copy_loops_(lowered.copy_loops),
        mesh_loops_(lowered.mesh_loops),
        shared_by_(lowered.shared_by),
        cores_(cores) {}

  std::string text(const ir::Stmt& body) {
    print(body, 0);
    return out_;
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
  }

  void print(const ir::Stmt& stmt, int depth) {
    switch (stmt.kind()) {
      case ir::StmtKind::For:
        return print(stmt.as<ir::For>(), depth);
      case ir::StmtKind::If:
        line(depth, "If " + show(stmt.as<ir::If>().condition));
        print(stmt.as<ir::If>().then_body, depth + 1);
        if (stmt.as<ir::If>().else_body.defined()) {
          line(depth, "Else");
          print(stmt.as<ir::If>().else_body, depth + 1);
        }
        return;
      case ir::StmtKind::Let:
        line(depth, stmt.as<ir::Let>().var + " = " + show(stmt.as<ir::Let>().value));
        return print(stmt.as<ir::Let>().body, depth);
      case ir::StmtKind::Store:
        return print(stmt.as<ir::Store>(), depth);
      case ir::StmtKind::VectorStore:
        return line(depth,
                    show(stmt.as<ir::VectorStore>().buffer, stmt.as<ir::VectorStore>().indices) +
                        " = " + show(stmt.as<ir::VectorStore>().value));
      case ir::StmtKind::Allocate:
        return print(stmt.as<ir::Allocate>().body, depth);
      case ir::StmtKind::Block:
        return print(stmt.as<ir::Block>(), depth);
      case ir::StmtKind::TransferIssue:
        return print(stmt.as<ir::TransferIssue>(), depth);
      case ir::StmtKind::TransferWait:
        return line(depth, "Wait " + stmt.as<ir::TransferWait>().id);
      case ir::StmtKind::Call:
        return print(stmt.as<ir::Call>(), depth);
      case ir::StmtKind::Barrier:
        return line(depth, "Barrier");
      case ir::StmtKind::Exchange:  // made for a machine, after what is printed here
        return line(depth, "Exchange " + show(stmt.as<ir::Exchange>().buffer,
                                              stmt.as<ir::Exchange>().indices));
      case ir::StmtKind::Prefetch:  // the same
        return line(depth, "Prefetch " + show(stmt.as<ir::Prefetch>().buffer,
                                              stmt.as<ir::Prefetch>().indices));
    }
  }

  /// "gemm4(C: CC[0, 0], A: A[i, 0])"
  void print(const ir::Call& call, int depth) {
    std::string operands;
    for (const ir::CallOperand& operand : call.operands) {
      operands += (operands.empty() ? "" : ", ") + operand.name + ": " +
                  show(operand.buffer, operand.indices);
    }
    line(depth, call.name + "(" + operands + ")");
  }

  void print(const ir::For& loop, int depth) {
    if (loop.for_kind == ir::ForKind::Parallel) return print_parallel(loop, depth);
    const auto begin = ir::try_constant(loop.begin);
    std::string range = show(loop.end);
    if (!begin || *begin != 0) range = show(loop.begin) + ", " + range;
    std::string mark;
    if (loop.for_kind == ir::ForKind::Unrolled) mark = "  # unrolled";
    if (loop.for_kind == ir::ForKind::Vectorized) mark = "  # vectorized";
    line(depth, "For " + name_of(loop.var) + " in range(" + range + ")" + mark);
    print(loop.body, depth + 1);
  }

  /// Who shares out the iterations of a parallel loop.
  struct Cores {
    std::string id;          ///< the number of one of them
    std::string query;       ///< what asks for it
    std::string all;         ///< how many there are, where no target says it
    std::int64_t count = 0;  ///< 0: not known
    std::string mark;
  };

  Cores cores_of(const std::string& var) const {
    const auto on_mesh = mesh_loops_.find(var);
    if (on_mesh == mesh_loops_.end()) return {"Id", "id", "cores", cores_, "parallel"};
    const std::int64_t parts = on_mesh->second.parts;
    if (on_mesh->second.dimension == "row") return {"Row", "row", "rows", parts, "parallel, rows"};
    return {"Column", "column", "columns", parts, "parallel, columns"};
  }

  /// What one core runs of a parallel loop.
  void print_parallel(const ir::For& loop, int depth) {
    const std::string name = name_of(loop.var);
    const std::string end = show(loop.end);
    const ir::Expr extent = ir::sub(loop.end, loop.begin);
    const auto known = ir::try_constant(extent);
    const Cores cores = cores_of(loop.var);
    const std::string chunk =
        known && cores.count != 0
            ? std::to_string((*known + cores.count - 1) / cores.count)
            : "ceil(" + show(extent, Binding::Product) + "/" +
                  (cores.count != 0 ? std::to_string(cores.count) : cores.all) + ")";
    const auto begin = ir::try_constant(loop.begin);
    const std::string first = begin && *begin == 0 ? "" : show(loop.begin) + " + ";
    line(depth, cores.id + " = get_" + cores.query + "()");
    line(depth,
         "Let " + name + ".begin = min(" + first + cores.id + "*" + chunk + ", " + end + ")");
    line(depth, "Let " + name + ".end = min(" + name + ".begin + " + chunk + ", " + end + ")");
    line(depth, "For " + name + " in range(" + name + ".begin, " + name + ".end)  # " + cores.mark);
    print(loop.body, depth + 1);
  }

  void print(const ir::Store& store, int depth) {
    const std::string target = show(store.buffer, store.indices);
    const auto* sum = store.value.as_or_null<ir::Binary>();
    const bool accumulates = sum != nullptr &&
                             (sum->op == BinaryOp::Add || sum->op == BinaryOp::Mul) &&
                             sum->a.as_or_null<ir::Load>() != nullptr && show(sum->a) == target;
    if (accumulates) {
      const std::string op = sum->op == BinaryOp::Add ? " += " : " *= ";
      return line(depth, target + op + show(sum->b));
    }
    line(depth, target + " = " + show(store.value));
  }

  void print(const ir::Block& block, int depth) {
    std::set<std::string> copied;
    for (std::size_t k = 0; k < block.stmts.size(); ++k) {
      const auto* issue = block.stmts[k].as_or_null<ir::TransferIssue>();
      const auto* wait = block.stmts[k].as_or_null<ir::TransferWait>();
      if (wait != nullptr && copied.count(wait->id) != 0) continue;
      if (issue == nullptr || !is_copy(block, k, *issue)) {
        print(block.stmts[k], depth);
        continue;
      }
      print_copy(*issue, copy_loops_.at(issue->id), depth);
      copied.insert(issue->id);
    }
  }

  /// Whether the transfer that statement `at` issues ends with nothing but other transfers between.
  bool is_copy(const ir::Block& block, std::size_t at, const ir::TransferIssue& issue) const {
    if (issue.slot.defined() || copy_loops_.count(issue.id) == 0) return false;
    for (std::size_t k = at + 1; k < block.stmts.size(); ++k) {
      const auto* wait = block.stmts[k].as_or_null<ir::TransferWait>();
      if (wait != nullptr && wait->id == issue.id) return true;
      if (wait == nullptr && !block.stmts[k].as_or_null<ir::TransferIssue>()) return false;
    }
    return false;
  }

  /// A transfer with one dimension per dimension of the tensor, as the loops that copy it.
  void print_copy(const ir::TransferIssue& move, const std::vector<CopyLoop>& loops, int depth) {
    std::vector<ir::Expr> main_index = move.main_index;
    std::vector<ir::Expr> near_index = move.near_index;
    std::vector<ir::Expr> left;  // per dimension of the tensor, elements that are still to come
    for (const ir::TransferDim& dim : move.dims) left.push_back(dim.count);
    for (std::size_t k = 0; k < loops.size(); ++k) {
      const std::string var = "copy_" + std::to_string(k);
      names_[var] = loops[k].name;
      const schedule::BufferDim& along = loops[k].along;
      const auto d = static_cast<std::size_t>(along.dim);
      ir::Expr& near = near_index[static_cast<std::size_t>(loops[k].near_dim)];
      const ir::Expr elements = ir::mul(ir::Var::make(var), ir::index(along.step));
      const bool is_whole = along.wrap == 0 && step_along(loops, along.dim) == along.step;
      const ir::Expr number =
          is_whole ? move.dims[d].count : extent(along, move.dims[d].count, left[d]);
      line(depth, "For " + loops[k].name + " in range(" + show(number) + ")");
      main_index[d] = ir::add(main_index[d], elements);
      near = ir::add(near, ir::Var::make(var));
      left[d] = ir::sub(left[d], elements);
      ++depth;
    }
    const std::string main = show(move.main, main_index);
    const std::string near = show(move.near, near_index);
    const bool is_get = move.direction == ir::TransferDirection::Get;
    const std::string shared = shared_text(move.id);
    line(depth, (is_get ? near + " = " + main : main + " = " + near) +
                    (shared.empty() ? "" : "  # " + shared));
  }

  /// "shared by row"; empty when each core makes the whole transfer.
  std::string shared_text(const std::string& transfer) const {
    const auto at = shared_by_.find(transfer);
    return at == shared_by_.end() ? "" : "shared by " + at->second;
  }

  /// The least number of elements from one index to the next along a dimension of the tensor.
  static std::int64_t step_along(const std::vector<CopyLoop>& loops, int dim) {
    std::int64_t out = 0;
    for (const CopyLoop& loop : loops) {
      if (loop.along.dim == dim) out = out == 0 ? loop.along.step : std::min(out, loop.along.step);
    }
    return out;
  }

  /// Iterations along one dimension of a buffer: of `all` elements, `left` are not yet counted.
  static ir::Expr extent(const schedule::BufferDim& along, const ir::Expr& all,
                         const ir::Expr& left) {
    const auto known = ir::try_constant(all);
    if (along.wrap != 0 && known && *known % (along.step * along.wrap) == 0) {
      return ir::index(along.wrap);
    }
    const ir::Expr step = ir::index(along.step);
    const ir::Expr number =
        ir::simplify(ir::fold(BinaryOp::FloorDiv, ir::add(left, ir::index(along.step - 1)), step));
    return along.wrap == 0 ? number : ir::min(number, ir::index(along.wrap));
  }

  void print(const ir::TransferIssue& move, int depth) {
    std::string counts;
    for (const ir::TransferDim& dim : move.dims) {
      counts += (counts.empty() ? "" : " x ") + show(dim.count);
    }
    const std::string near = show(move.near, move.near_index);
    const std::string main = show(move.main, move.main_index);
    const bool is_get = move.direction == ir::TransferDirection::Get;
    const std::string shared = shared_text(move.id);
    line(depth, "Issue " + move.id + ": " + (is_get ? near : main) + " <- " +
                    (is_get ? main : near) + "  # " + counts + (shared.empty() ? "" : ", ") +
                    shared);
  }

  std::string name_of(const std::string& var) const {
    const auto at = names_.find(var);
    return at == names_.end() ? var : at->second;
  }

  std::string show(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) const {
    std::string out = buffer->name + "[";
    for (std::size_t k = 0; k < indices.size(); ++k) {
      out += (k == 0 ? "" : ", ") + show(indices[k]);
    }
    return out + "]";
  }

  std::string show(const ir::Expr& e, Binding outer = Binding::None) const {
    switch (e.kind()) {
      case ir::ExprKind::IntImm:
        return std::to_string(e.as<ir::IntImm>().value);
      case ir::ExprKind::FloatImm:
        return float_text(e.as<ir::FloatImm>().value);
      case ir::ExprKind::Var:
        return name_of(e.as<ir::Var>().name);
      case ir::ExprKind::Unary: {
        const auto& node = e.as<ir::Unary>();
        if (node.op == UnaryOp::Neg) return "-" + show(node.operand, Binding::Negation);
        if (node.op == UnaryOp::BitNot) return "~" + show(node.operand, Binding::Negation);
        return std::string(to_string(node.op)) + "(" + show(node.operand) + ")";
      }
      case ir::ExprKind::Binary:
        return show(e.as<ir::Binary>(), outer);
      case ir::ExprKind::Select: {
        const auto& node = e.as<ir::Select>();
        return "select(" + show(node.condition) + ", " + show(node.if_true) + ", " +
               show(node.if_false) + ")";
      }
      case ir::ExprKind::Cast:
        return std::string(to_string(e.type().scalar)) + "(" + show(e.as<ir::Cast>().operand) + ")";
      case ir::ExprKind::Load:
        return show(e.as<ir::Load>().buffer, e.as<ir::Load>().indices);
      case ir::ExprKind::Broadcast:
        return show(e.as<ir::Broadcast>().value, outer);
      case ir::ExprKind::Ramp:
        return "ramp(" + show(e.as<ir::Ramp>().base) + ", " + show(e.as<ir::Ramp>().stride) + ")";
      case ir::ExprKind::VectorLoad:
        return show(e.as<ir::VectorLoad>().buffer, e.as<ir::VectorLoad>().indices);
      case ir::ExprKind::ReduceLanes:
        return "reduce(" + show(e.as<ir::ReduceLanes>().vector) + ")";
      case ir::ExprKind::Dot:
        return "dot(" + show(e.as<ir::Dot>().acc) + ", " + show(e.as<ir::Dot>().a) + ", " +
               show(e.as<ir::Dot>().b) + ")";
      case ir::ExprKind::VectorScale:
        return "vscale()";
    }
    return "";
  }

  std::string show(const ir::Binary& node, Binding outer) const {
    if (node.op == BinaryOp::Add || node.op == BinaryOp::Sub) return show_sum(node, outer);
    const std::string op(to_string(node.op));
    const Binding mine = binding(node.op);
    if (mine >= Binding::Power) return op + "(" + show(node.a) + ", " + show(node.b) + ")";
    const std::string glue = op == "*" ? op : " " + op + " ";
    const std::string text = show(node.a, mine) + glue + show(node.b, tighter(mine));
    return mine < outer ? "(" + text + ")" : text;
  }

  /// One summand and its sign.
  struct Term {
    std::string text;
    bool is_negative = false;
  };

  /// The summand without the sign of its literal: "-3" and "x*-3" are negative.
  Term term_of(const ir::Expr& e, bool is_subtracted) const {
    if (const auto* literal = e.as_or_null<ir::FloatImm>(); literal && literal->value < 0) {
      return {float_text(-literal->value), !is_subtracted};
    }
    const auto value = is_integer(e.type().scalar) ? ir::try_constant(e) : std::nullopt;
    if (value && *value < 0 && *value != INT64_MIN) {
      return {std::to_string(-*value), !is_subtracted};
    }
    if (const auto* product = e.as_or_null<ir::Binary>();
        product && e.type() == ir::kInt64 && product->op == BinaryOp::Mul) {
      const auto factor = ir::try_constant(product->b);
      if (factor && *factor < 0 && *factor != INT64_MIN) {
        const std::string rest = show(product->a, Binding::Product);
        return {*factor == -1 ? rest : rest + "*" + std::to_string(-*factor), !is_subtracted};
      }
    }
    return {show(e, tighter(Binding::Sum)), is_subtracted};
  }

  /// "7 - j*3", not "j*-3 + 7": the summands of the left spine in order, a positive one first where
  /// the order does not matter.
  std::string show_sum(const ir::Binary& node, Binding outer) const {
    std::vector<Term> terms;  // last first
    const ir::Binary* at = &node;
    for (;;) {
      terms.push_back(term_of(at->b, at->op == BinaryOp::Sub));
      const auto* left = at->a.as_or_null<ir::Binary>();
      const bool goes_on =
          left != nullptr && (left->op == BinaryOp::Add || left->op == BinaryOp::Sub);
      if (!goes_on) break;
      at = left;
    }
    terms.push_back(term_of(at->a, false));
    std::reverse(terms.begin(), terms.end());
    if (is_integer(node.type.scalar) && terms.front().is_negative) {
      const auto positive = std::find_if(terms.begin(), terms.end(),
                                         [](const Term& term) { return !term.is_negative; });
      if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
    }
    if (is_integer(node.type.scalar) && terms.front().text == "0") {
      terms.erase(terms.begin());
    }
    std::string text = (terms.front().is_negative ? "-" : "") + terms.front().text;
    for (std::size_t k = 1; k < terms.size(); ++k) {
      text += (terms[k].is_negative ? " - " : " + ") + terms[k].text;
    }
    return Binding::Sum < outer ? "(" + text + ")" : text;
  }

  std::map<std::string, std::string> names_;  ///< of variables in the schedule
  const std::map<std::string, std::vector<CopyLoop>>& copy_loops_;
  const std::map<std::string, MeshLoop>& mesh_loops_;
  const std::map<std::string, std::string>& shared_by_;
  std::int64_t cores_;  ///< 0: not known
  std::string out_;
};

}  // namespace

std::string print_loops(const Lowered& lowered, std::int64_t cores) {
  const std::string text = LoopPrinter(lowered, cores).text(lowered.kernel.body);
  return text.empty() ? "# nothing to run: no loop has an iteration\n" : text;
}

}  // namespace solway::lowering
