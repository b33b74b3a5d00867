#include "lowering/ir/parser.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "lowering/ir/detail/invariant.h"
#include "lowering/ir/detail/lexer.h"

namespace solway::ir {
namespace {

using detail::Lexer;
using detail::TokenKind;

// A suffix comes before those that end as it does.
constexpr std::pair<std::string_view, DType> kFloatSuffixes[] = {{"bf16", DType::BFloat16},
                                                                 {"f16", DType::Float16},
                                                                 {"f32", DType::Float32},
                                                                 {"f64", DType::Float64}};
constexpr std::pair<std::string_view, DType> kIntegerSuffixes[] = {
    {"i32", DType::Int32}, {"i16", DType::Int16}, {"i8", DType::Int8}, {"u8", DType::UInt8}};

std::optional<UnaryOp> try_unary(const std::string& word) {
  if (word == "neg") return UnaryOp::Neg;
  for (int i = 1; i <= static_cast<int>(kLastUnaryOp); ++i) {
    if (solway::to_string(static_cast<UnaryOp>(i)) == word) return static_cast<UnaryOp>(i);
  }
  return std::nullopt;
}

std::optional<BinaryOp> try_binary(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(kLastBinaryOp); ++i) {
    if (solway::to_string(static_cast<BinaryOp>(i)) == text) return static_cast<BinaryOp>(i);
  }
  return std::nullopt;
}

std::optional<ReduceOp> try_reduce(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(kLastReduceOp); ++i) {
    const auto op = static_cast<ReduceOp>(i);
    if (word == "reduce_" + std::string(solway::to_string(op))) return op;
  }
  return std::nullopt;
}

bool ends_with(const std::string& text, std::string_view suffix) {
  return text.size() > suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

class Parser {
 public:
  Parser(std::string_view text, Scope scope) : lex_(text), scope_(std::move(scope)) {}

  Expr expr() {
    if (lex_.accept("(")) return infix();
    if (lex_.accept("-")) {
      return lex_.current().text.rfind("inf_", 0) == 0 ? word("-") : number("-");
    }
    if (lex_.current().kind == TokenKind::Number) return number("");
    if (lex_.current().kind == TokenKind::Word) return word("");
    lex_.fail("an expression");
  }

  /// Statements up to '}' or the end of the text.
  Stmt stmts() {
    std::vector<Stmt> out;
    while (!lex_.at("}") && lex_.current().kind != TokenKind::End) out.push_back(stmt());
    return Block::make(std::move(out));
  }

  Kernel kernel() {
    Kernel out;
    lex_.expect("kernel");
    out.name = lex_.word();
    lex_.expect("(");
    while (!lex_.accept(")")) {
      if (!out.params.empty()) lex_.expect(",");
      const Role role = this->role();
      out.params.push_back({declare_buffer(), role});
    }
    if (lex_.accept("requires")) {
      do {
        out.requirements.push_back(expr());
      } while (lex_.accept(","));
    }
    out.body = body();
    return out;
  }

  void expect_end() {
    if (lex_.current().kind != TokenKind::End) lex_.fail("the end");
  }

 private:
  // Expressions.

  Expr infix() {
    Expr a = expr();
    const std::string op = lex_.take().text;
    const auto binary = try_binary(op);
    if (!binary) lex_.fail("an operator before this, not '" + op + "'");
    Expr b = expr();
    lex_.expect(")");
    return Binary::make(*binary, std::move(a), std::move(b));
  }

  Expr number(const std::string& sign) {
    if (lex_.current().kind != TokenKind::Number) lex_.fail("a number");
    std::string text = sign + lex_.take().text;
    for (const auto& [suffix, type] : kFloatSuffixes) {
      if (!ends_with(text, suffix)) continue;
      const double value = type == DType::Float64 ? std::strtod(text.c_str(), nullptr)
                                                  : std::strtof(text.c_str(), nullptr);
      return FloatImm::make(value, type);
    }
    DType type = DType::Int64;
    for (const auto& [suffix, one] : kIntegerSuffixes) {
      if (ends_with(text, suffix)) type = one;
    }
    const std::size_t end = text.find_first_of("iu");
    return IntImm::make(integer_of(text.substr(0, end)), type);
  }

  std::int64_t integer_of(const std::string& text) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
      lex_.fail("an integer before this, not '" + text + "'");
    }
    return value;
  }

  std::int64_t integer() {
    const std::string sign = lex_.accept("-") ? "-" : "";
    if (lex_.current().kind != TokenKind::Number) lex_.fail("an integer");
    return integer_of(sign + lex_.take().text);
  }

  Expr word(const std::string& sign) {
    const std::string name = lex_.word();
    if (name == "true" || name == "false") return IntImm::make(name == "true", DType::Bool);
    for (const auto& [short_suffix, type] : kFloatSuffixes) {
      const std::string suffix = "_" + std::string(short_suffix);
      const double inf = std::numeric_limits<double>::infinity();
      if (name == "inf" + suffix) {
        return FloatImm::make(sign.empty() ? inf : -inf, type);
      }
      if (name == "nan" + suffix) {
        return FloatImm::make(std::numeric_limits<double>::quiet_NaN(), type);
      }
    }
    if (lex_.at("(")) return call(name);
    if (lex_.at("[")) {
      const Buffer from = buffer(name);
      return Load::make(from, indices());
    }
    const auto it = scope_.vars.find(name);
    if (it == scope_.vars.end()) lex_.fail("a variable before this, '" + name + "' is none");
    return Var::make(name, it->second);
  }

  Expr call(const std::string& name) {
    lex_.expect("(");
    if (name == "vscale" && lex_.accept(")")) return VectorScale::make();
    Expr out = call_arguments(name);
    lex_.expect(")");
    return out;
  }

  Expr call_arguments(const std::string& name) {
    if (name == "vload") return vector_load();
    Expr a = expr();
    if (const auto op = try_unary(name)) return Unary::make(*op, std::move(a));
    if (const auto op = try_reduce(name)) return ReduceLanes::make(*op, std::move(a));
    if (const auto type = try_dtype(name)) return Cast::make(std::move(a), *type);
    lex_.expect(",");
    if (name == "broadcast") return Broadcast::make(std::move(a), lanes());
    Expr b = expr();
    if (const auto op = try_binary(name)) return Binary::make(*op, std::move(a), std::move(b));
    lex_.expect(",");
    if (name == "ramp") return Ramp::make(std::move(a), std::move(b), lanes());
    if (name == "dot") return Dot::make(std::move(a), std::move(b), expr());
    if (name != "select") lex_.fail("a function before this, '" + name + "' is none");
    Expr c = expr();
    return Select::make(std::move(a), std::move(b), std::move(c));
  }

  Lanes lanes() {
    const bool is_scalable = lex_.accept("vscale");
    if (is_scalable) lex_.expect("*");
    return {static_cast<int>(integer()), is_scalable};
  }

  /// `A[i], 8, stride 4, active n, first 2`, shared by vload and vstore, but for `first`.
  struct Access {
    Buffer buffer;
    std::vector<Expr> indices;
    Lanes lanes;
    std::int64_t stride_elems = 1;
    Expr stride;  ///< of a load, if one is named
    Expr active;
    int first = 0;
  };

  Access access(bool is_load) {
    Access a;
    a.buffer = buffer(lex_.word());
    a.indices = indices();
    lex_.expect(",");
    a.lanes = lanes();
    while (lex_.accept(",")) {
      if (lex_.accept("stride")) {
        if (is_load) {
          a.stride = expr();
        } else {
          a.stride_elems = integer();
        }
      } else if (is_load && lex_.accept("first")) {
        a.first = static_cast<int>(integer());
      } else {
        lex_.expect("active");
        a.active = expr();
      }
    }
    return a;
  }

  Expr vector_load() {
    Access a = access(/*is_load=*/true);
    if (!a.stride.defined()) {
      return VectorLoad::make(a.buffer, std::move(a.indices), 1, a.lanes, a.active, a.first);
    }
    return VectorLoad::make(a.buffer, std::move(a.indices), a.stride, a.lanes, a.active, a.first);
  }

  std::vector<Expr> indices() {
    std::vector<Expr> out;
    lex_.expect("[");
    while (!lex_.accept("]")) {
      if (!out.empty()) lex_.expect(",");
      out.push_back(expr());
    }
    return out;
  }

  Buffer buffer(const std::string& name) {
    const auto it = scope_.buffers.find(name);
    if (it == scope_.buffers.end()) lex_.fail("a buffer before this, '" + name + "' is none");
    return it->second;
  }

  // Statements.

  Stmt body() {
    lex_.expect("{");
    Stmt out = stmts();
    lex_.expect("}");
    return out;
  }

  Stmt stmt() {
    const std::string head = lex_.word();
    if (lex_.at("[")) return store(head);
    if (head == "for") return for_loop();
    if (head == "if") return if_then();
    if (head == "let") return let();
    if (head == "vstore") return vector_store();
    if (head == "allocate") return allocate();
    if (head == "issue") return issue();
    if (head == "wait") {
      std::string id = lex_.word();
      return TransferWait::make(std::move(id), slot());
    }
    if (head == "call") return call();
    if (head == "barrier") return Barrier::make();
    if (head == "exchange") return exchange();
    if (head == "prefetch") {
      const Buffer from = buffer(lex_.word());
      return Prefetch::make(from, indices());
    }
    lex_.fail("a statement before this, not '" + head + "'");
  }

  Stmt store(const std::string& name) {
    const Buffer to = buffer(name);
    std::vector<Expr> at = indices();
    lex_.expect("=");
    return Store::make(to, std::move(at), expr());
  }

  Stmt call() {
    std::string name = lex_.word();
    std::vector<CallOperand> operands;
    lex_.expect("(");
    while (!lex_.accept(")")) {
      if (!operands.empty()) lex_.expect(",");
      CallOperand operand;
      operand.name = lex_.word();
      lex_.expect("=");
      operand.buffer = buffer(lex_.word());
      operand.indices = indices();
      lex_.expect("by");
      lex_.expect("(");
      while (!lex_.accept(")")) {
        if (!operand.strides_elems.empty()) lex_.expect(",");
        operand.strides_elems.push_back(integer());
      }
      operands.push_back(std::move(operand));
    }
    return Call::make(std::move(name), std::move(operands), {});
  }

  Stmt vector_store() {
    lex_.expect("(");
    Access a = access(/*is_load=*/false);
    lex_.expect(")");
    lex_.expect("=");
    return VectorStore::make(a.buffer, std::move(a.indices), a.stride_elems, expr(), a.active);
  }

  /// The body with `var` defined around it.
  Stmt body_with(const std::string& var, const Type& type) {
    const auto outer = scope_.vars;
    scope_.vars[var] = type;
    Stmt out = body();
    scope_.vars = outer;
    return out;
  }

  Stmt for_loop() {
    const std::string var = lex_.word();
    lex_.expect("in");
    lex_.expect("[");
    Expr begin = expr();
    lex_.expect(",");
    Expr end = expr();
    lex_.expect(")");
    ForKind kind = ForKind::Serial;
    if (lex_.accept("parallel")) kind = ForKind::Parallel;
    if (lex_.accept("unrolled")) kind = ForKind::Unrolled;
    if (lex_.accept("vectorized")) kind = ForKind::Vectorized;
    return For::make(var, std::move(begin), std::move(end), kind, body_with(var, kInt64));
  }

  Stmt if_then() {
    Expr condition = expr();
    Stmt then_body = body();
    Stmt else_body = lex_.accept("else") ? body() : Stmt();
    return If::make(std::move(condition), std::move(then_body), std::move(else_body));
  }

  Stmt let() {
    const std::string var = lex_.word();
    lex_.expect("=");
    Expr value = expr();
    Stmt inner = body_with(var, value.type());
    return Let::make(var, std::move(value), std::move(inner));
  }

  Stmt allocate() {
    const auto outer = scope_.buffers;
    Buffer buffer = declare_buffer();
    Stmt inner = body();
    scope_.buffers = outer;
    return Allocate::make(std::move(buffer), std::move(inner));
  }

  Stmt issue() {
    TransferIssue::Fields f;
    f.id = lex_.word();
    const bool is_get = lex_.at("get");
    if (!lex_.accept("get")) lex_.expect("put");
    f.direction = is_get ? TransferDirection::Get : TransferDirection::Put;
    const auto side = [&](Buffer& b, std::vector<Expr>& index) {
      b = buffer(lex_.word());
      index = indices();
    };
    is_get ? side(f.main, f.main_index) : side(f.near, f.near_index);
    lex_.expect("->");
    is_get ? side(f.near, f.near_index) : side(f.main, f.main_index);
    while (lex_.accept("(")) {
      TransferDim dim;
      dim.count = expr();
      lex_.expect(",");
      dim.main_stride_elems = expr();
      lex_.expect(",");
      dim.near_stride_elems = integer();
      lex_.expect(")");
      f.dims.push_back(std::move(dim));
    }
    f.slot = slot();
    if (f.slot.defined()) {
      lex_.expect("of");
      f.num_slots = static_cast<int>(integer());
    }
    if (lex_.accept("in")) {
      lex_.expect("units");
      lex_.expect("of");
      f.unit_elems = integer();
    }
    return TransferIssue::make(std::move(f));
  }

  Stmt exchange() {
    Exchange::Fields f;
    f.buffer = buffer(lex_.word());
    f.indices = indices();
    f.line = lex_.accept("row") ? MeshLine::Row : MeshLine::Column;
    if (f.line == MeshLine::Column) lex_.expect("column");
    lex_.expect("part");
    f.part = expr();
    lex_.expect("of");
    f.parts = integer();
    lex_.expect("(");
    f.part_elems = integer();
    lex_.expect(",");
    f.num_elems = expr();
    lex_.expect(")");
    return Exchange::make(std::move(f));
  }

  Expr slot() {
    if (!lex_.at("slot") || lex_.following() == '[') return {};
    lex_.expect("slot");
    return expr();
  }

  Role role() {
    if (lex_.accept("in")) return Role::In;
    if (lex_.accept("out")) return Role::Out;
    lex_.expect("inout");
    return Role::InOut;
  }

  Buffer declare_buffer() {
    const std::string name = lex_.word();
    lex_.expect(":");
    const std::string type_name = lex_.word();
    const auto type = try_dtype(type_name);
    if (!type) lex_.fail("an element type before this, not '" + type_name + "'");
    std::vector<std::int64_t> shape;
    lex_.expect("[");
    const bool is_upper_bound = lex_.accept("<=");
    bool is_scalable = false;
    while (!lex_.accept("]")) {
      if (!shape.empty()) lex_.expect(",");
      is_scalable = lex_.accept("vscale");
      if (is_scalable) lex_.expect("*");
      shape.push_back(integer());
    }
    const std::string scope = lex_.accept("in") ? lex_.word() : "main";
    const int alignment_bytes = lex_.accept("align") ? static_cast<int>(integer()) : 0;
    Buffer buffer = make_buffer(name, *type, shape, scope, alignment_bytes);
    if (is_scalable) {
      const Lanes lanes{static_cast<int>(shape.back()), true};
      shape.pop_back();
      buffer = make_vectors(name, *type, std::move(shape), lanes, scope);
    }
    if (is_upper_bound) buffer = as_upper_bound(buffer);
    scope_.buffers[name] = buffer;
    return buffer;
  }

  Lexer lex_;
  Scope scope_;
};

}  // namespace

Kernel parse_kernel(std::string_view text) {
  Parser parser(text, {});
  Kernel kernel = parser.kernel();
  parser.expect_end();
  return kernel;
}

Stmt parse_stmt(std::string_view text, const Scope& scope) {
  Parser parser(text, scope);
  Stmt stmt = parser.stmts();
  parser.expect_end();
  return stmt;
}

Expr parse_expr(std::string_view text, const Scope& scope) {
  Parser parser(text, scope);
  Expr expr = parser.expr();
  parser.expect_end();
  return expr;
}

}  // namespace solway::ir
