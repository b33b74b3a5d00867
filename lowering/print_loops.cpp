#include "lowering/print_loops.h"

#include <cmath>
#include <sstream>

#include "lowering/ir/fold.h"

namespace solway::lowering {
namespace {

int precedence(BinaryOp op) {
  switch (op) {
    case BinaryOp::Or:
      return 1;
    case BinaryOp::And:
      return 2;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      return 3;
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return 4;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      return 5;
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::Pow:
      return 7;
  }
  return 7;
}

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
  explicit LoopPrinter(const std::map<std::string, std::string>& names) : names_(names) {}

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
        for (const ir::Stmt& child : stmt.as<ir::Block>().stmts) print(child, depth);
        return;
      case ir::StmtKind::TransferIssue:
        return print(stmt.as<ir::TransferIssue>(), depth);
      case ir::StmtKind::TransferWait:
        return line(depth, "Wait " + stmt.as<ir::TransferWait>().id);
    }
  }

  void print(const ir::For& loop, int depth) {
    const auto begin = ir::try_constant(loop.begin);
    std::string range = show(loop.end);
    if (!begin || *begin != 0) range = show(loop.begin) + ", " + range;
    std::string mark;
    if (loop.for_kind == ir::ForKind::Parallel) mark = "  # parallel";
    if (loop.for_kind == ir::ForKind::Unrolled) mark = "  # unrolled";
    if (loop.for_kind == ir::ForKind::Vectorized) mark = "  # vectorized";
    line(depth, "For " + name_of(loop.var) + " in range(" + range + ")" + mark);
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

  void print(const ir::TransferIssue& move, int depth) {
    std::string counts;
    for (const ir::TransferDim& dim : move.dims) {
      counts += (counts.empty() ? "" : " x ") + show(dim.count);
    }
    const std::string near = show(move.near, move.near_index);
    const std::string main = show(move.main, move.main_index);
    const bool get = move.direction == ir::TransferDirection::Get;
    line(depth, (get ? "Get " : "Put ") + (get ? near : main) + " <- " + (get ? main : near) +
                    "  # " + counts);
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

  std::string show(const ir::Expr& e, int outer = 0) const {
    switch (e.kind()) {
      case ir::ExprKind::IntImm:
        return std::to_string(e.as<ir::IntImm>().value);
      case ir::ExprKind::FloatImm:
        return float_text(e.as<ir::FloatImm>().value);
      case ir::ExprKind::Var:
        return name_of(e.as<ir::Var>().name);
      case ir::ExprKind::Unary: {
        const auto& node = e.as<ir::Unary>();
        if (node.op == UnaryOp::Neg) return "-" + show(node.operand, 6);
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
    }
    return "";
  }

  std::string show(const ir::Binary& node, int outer) const {
    const std::string op(to_string(node.op));
    const int mine = precedence(node.op);
    if (mine == 7) return op + "(" + show(node.a) + ", " + show(node.b) + ")";
    const std::string glue = mine == 5 && op == "*" ? op : " " + op + " ";
    const std::string text = show(node.a, mine) + glue + show(node.b, mine + 1);
    return mine < outer ? "(" + text + ")" : text;
  }

  const std::map<std::string, std::string>& names_;
  std::string out_;
};

}  // namespace

std::string print_loops(const Lowered& lowered) {
  return LoopPrinter(lowered.loop_names).text(lowered.kernel.body);
}

}  // namespace solway::lowering
