#include "lowering/ir/printer.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace solway::ir {
namespace {

std::string join(const std::vector<Expr>& exprs) {
  std::string text;
  for (const Expr& e : exprs) text += (text.empty() ? "" : ", ") + to_string(e);
  return text;
}

std::string element(const Buffer& buffer, const std::vector<Expr>& indices) {
  return buffer->name + "[" + join(indices) + "]";
}

/// "i32", "bf16": ends literals.
std::string_view type_suffix(DType type) {
  switch (type) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "i8";
    case DType::Int16:
      return "i16";
    case DType::Int32:
      return "i32";
    case DType::Int64:
      return "i64";
    case DType::UInt8:
      return "u8";
    case DType::Float16:
      return "f16";
    case DType::BFloat16:
      return "bf16";
    case DType::Float32:
      return "f32";
    case DType::Float64:
      return "f64";
  }
  return "";
}

std::string int_text(const IntImm& e) {
  if (e.type.scalar == DType::Bool) return e.value != 0 ? "true" : "false";
  std::string text = std::to_string(e.value);
  if (e.type.scalar != DType::Int64) text += type_suffix(e.type.scalar);
  return text;
}

std::string float_text(const FloatImm& e) {
  const bool is_single = e.type.scalar != DType::Float64;
  const std::string suffix(type_suffix(e.type.scalar));
  if (std::isnan(e.value)) return "nan_" + suffix;
  if (std::isinf(e.value)) return std::string(e.value < 0 ? "-" : "") + "inf_" + suffix;
  char digits[32];
  const auto end = is_single ? std::to_chars(digits, digits + 32, static_cast<float>(e.value)).ptr
                             : std::to_chars(digits, digits + 32, e.value).ptr;
  std::string text(digits, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + suffix;
}

std::string_view word(UnaryOp op) { return op == UnaryOp::Neg ? "neg" : solway::to_string(op); }

bool is_infix(BinaryOp op) { return binding(op) < Binding::Power; }

std::string binary_text(const Binary& e) {
  const std::string op(solway::to_string(e.op));
  if (is_infix(e.op)) return "(" + to_string(e.a) + " " + op + " " + to_string(e.b) + ")";
  return op + "(" + to_string(e.a) + ", " + to_string(e.b) + ")";
}

/// ", stride 4, active n, first 2)" of a vector access.
std::string access_tail(std::int64_t stride_elems, const Expr& active, const Expr& stride = {},
                        int first = 0) {
  std::string text;
  if (stride.defined()) {
    text += ", stride " + to_string(stride);
  } else if (stride_elems != 1) {
    text += ", stride " + std::to_string(stride_elems);
  }
  if (active.defined()) text += ", active " + to_string(active);
  if (first > 0) text += ", first " + std::to_string(first);
  return text + ")";
}

std::string issue_text(const TransferIssue& s) {
  const bool is_get = s.direction == TransferDirection::Get;
  const std::string main = element(s.main, s.main_index);
  const std::string near = element(s.near, s.near_index);
  std::string text = "issue " + s.id + (is_get ? " get " : " put ");
  text += (is_get ? main : near) + " -> " + (is_get ? near : main);
  for (const TransferDim& dim : s.dims) {
    text += " (" + to_string(dim.count) + ", " + to_string(dim.main_stride_elems) + ", " +
            std::to_string(dim.near_stride_elems) + ")";
  }
  if (s.slot.defined()) {
    text += " slot " + to_string(s.slot) + " of " + std::to_string(s.num_slots);
  }
  if (s.unit_elems != 1) text += " in units of " + std::to_string(s.unit_elems);
  return text;
}

/// "call gemm4(C = CC[0, 0] by (16, 1), A = A[i, 0] by (64, 1))"
std::string call_text(const Call& n) {
  std::string out;
  for (const CallOperand& operand : n.operands) {
    std::string strides;
    for (const std::int64_t stride : operand.strides_elems) {
      strides += (strides.empty() ? "" : ", ") + std::to_string(stride);
    }
    out += (out.empty() ? "" : ", ") + operand.name + " = " +
           element(operand.buffer, operand.indices) + " by (" + strides + ")";
  }
  return "call " + n.name + "(" + out + ")";
}

/// "exchange AA[0, 0] row part (xo % 8) of 8 (64, 512)"
std::string exchange_text(const Exchange& n) {
  return "exchange " + element(n.buffer, n.indices) +
         (n.line == MeshLine::Row ? " row" : " column") + " part " + to_string(n.part) + " of " +
         std::to_string(n.parts) + " (" + std::to_string(n.part_elems) + ", " +
         to_string(n.num_elems) + ")";
}

class StmtPrinter {
 public:
  explicit StmtPrinter(int depth) : depth_(depth) {}

  void print(const Stmt& s) {
    switch (s.kind()) {
      case StmtKind::For: {
        const For& n = s.as<For>();
        std::string head = "for " + n.var + " in [" + to_string(n.begin) + ", " + to_string(n.end);
        head += ")";
        if (n.for_kind != ForKind::Serial) head += " " + std::string(to_string(n.for_kind));
        return nest(head, n.body);
      }
      case StmtKind::If:
        return print_if(s.as<If>());
      case StmtKind::Let:
        return nest("let " + s.as<Let>().var + " = " + to_string(s.as<Let>().value),
                    s.as<Let>().body);
      case StmtKind::Store: {
        const Store& n = s.as<Store>();
        return line(element(n.buffer, n.indices) + " = " + to_string(n.value));
      }
      case StmtKind::VectorStore: {
        const VectorStore& n = s.as<VectorStore>();
        return line("vstore(" + element(n.buffer, n.indices) + ", " +
                    to_string(n.value.type().lanes) + access_tail(n.stride_elems, n.active) +
                    " = " + to_string(n.value));
      }
      case StmtKind::Allocate:
        return nest("allocate " + to_string(*s.as<Allocate>().buffer), s.as<Allocate>().body);
      case StmtKind::Block:
        for (const Stmt& child : s.as<Block>().stmts) print(child);
        return;
      case StmtKind::TransferIssue:
        return line(issue_text(s.as<TransferIssue>()));
      case StmtKind::TransferWait: {
        const TransferWait& n = s.as<TransferWait>();
        return line("wait " + n.id + (n.slot.defined() ? " slot " + to_string(n.slot) : ""));
      }
      case StmtKind::Call:
        return line(call_text(s.as<Call>()));
      case StmtKind::Barrier:
        return line("barrier");
      case StmtKind::Exchange:
        return line(exchange_text(s.as<Exchange>()));
      case StmtKind::Prefetch: {
        const Prefetch& n = s.as<Prefetch>();
        return line("prefetch " + element(n.buffer, n.indices));
      }
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void line(const std::string& text) {
    text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + text + "\n";
  }

  void nest(const std::string& head, const Stmt& body) {
    line(head + " {");
    ++depth_;
    print(body);
    --depth_;
    line("}");
  }

  void print_if(const If& n) {
    line("if " + to_string(n.condition) + " {");
    ++depth_;
    print(n.then_body);
    --depth_;
    if (n.else_body.defined()) return nest("} else", n.else_body);
    line("}");
  }

  int depth_;
  std::string text_;
};

}  // namespace

std::string_view to_string(ForKind kind) {
  switch (kind) {
    case ForKind::Serial:
      return "serial";
    case ForKind::Parallel:
      return "parallel";
    case ForKind::Unrolled:
      return "unrolled";
    case ForKind::Vectorized:
      return "vectorized";
  }
  return "";
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::In:
      return "in";
    case Role::Out:
      return "out";
    case Role::InOut:
      return "inout";
  }
  return "";
}

std::string to_string(const BufferNode& buffer) {
  std::string text = buffer.name + ": " + std::string(solway::to_string(buffer.type)) + "[";
  if (buffer.is_upper_bound) text += "<= ";
  for (std::size_t d = 0; d < buffer.shape.size(); ++d) {
    if (d != 0) text += ", ";
    if (buffer.is_scalable && d + 1 == buffer.shape.size()) text += "vscale*";
    text += std::to_string(buffer.shape[d]);
  }
  text += "]";
  if (buffer.scope != "main") text += " in " + buffer.scope;
  if (buffer.alignment_bytes != 0) text += " align " + std::to_string(buffer.alignment_bytes);
  return text;
}

std::string to_string(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::IntImm:
      return int_text(e.as<IntImm>());
    case ExprKind::FloatImm:
      return float_text(e.as<FloatImm>());
    case ExprKind::Var:
      return e.as<Var>().name;
    case ExprKind::Unary:
      return std::string(word(e.as<Unary>().op)) + "(" + to_string(e.as<Unary>().operand) + ")";
    case ExprKind::Binary:
      return binary_text(e.as<Binary>());
    case ExprKind::Select: {
      const Select& n = e.as<Select>();
      return "select(" + join({n.condition, n.if_true, n.if_false}) + ")";
    }
    case ExprKind::Cast:
      return std::string(solway::to_string(e.type().scalar)) + "(" +
             to_string(e.as<Cast>().operand) + ")";
    case ExprKind::Load:
      return element(e.as<Load>().buffer, e.as<Load>().indices);
    case ExprKind::Broadcast:
      return "broadcast(" + to_string(e.as<Broadcast>().value) + ", " + to_string(e.type().lanes) +
             ")";
    case ExprKind::Ramp:
      return "ramp(" + join({e.as<Ramp>().base, e.as<Ramp>().stride}) + ", " +
             to_string(e.type().lanes) + ")";
    case ExprKind::VectorLoad: {
      const VectorLoad& n = e.as<VectorLoad>();
      return "vload(" + element(n.buffer, n.indices) + ", " + to_string(n.type.lanes) +
             access_tail(n.stride_elems, n.active, n.stride, n.first);
    }
    case ExprKind::ReduceLanes:
      return "reduce_" + std::string(solway::to_string(e.as<ReduceLanes>().op)) + "(" +
             to_string(e.as<ReduceLanes>().vector) + ")";
    case ExprKind::Dot:
      return "dot(" + to_string(e.as<Dot>().acc) + ", " + to_string(e.as<Dot>().a) + ", " +
             to_string(e.as<Dot>().b) + ")";
    case ExprKind::VectorScale:
      return "vscale()";
  }
  return "";
}

std::string to_string(const Stmt& s) {
  StmtPrinter printer(0);
  printer.print(s);
  return printer.take();
}

std::string to_string(const Kernel& kernel) {
  std::string text = "kernel " + kernel.name + "(";
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(to_string(kernel.params[i].role)) + " " +
            to_string(*kernel.params[i].buffer);
  }
  for (const Constant& constant : kernel.constants) {
    text += (text.back() == '(' ? "" : ", ") + ("constant " + to_string(*constant.buffer));
  }
  StmtPrinter printer(1);
  printer.print(kernel.body);
  text += ")";
  if (!kernel.requirements.empty()) text += " requires " + join(kernel.requirements);
  return text + " {\n" + printer.take() + "}\n";
}

}  // namespace solway::ir
