#include "lowering/ir/linear.h"

#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/substitute.h"

namespace solway::ir {
namespace {

std::int64_t wrapping(BinaryOp op, std::int64_t a, std::int64_t b) {
  return *try_evaluate(op, a, b, DType::Int64);
}

/// a + factor * b.
Linear sum(const Linear& a, const Linear& b, std::int64_t factor) {
  Linear out = a;
  out.constant = wrapping(BinaryOp::Add, a.constant, wrapping(BinaryOp::Mul, factor, b.constant));
  for (const auto& [key, term] : b.terms) {
    Linear::Term& mine = out.terms[key];
    mine.atom = term.atom;
    mine.coefficient = wrapping(BinaryOp::Add, mine.coefficient,
                                wrapping(BinaryOp::Mul, factor, term.coefficient));
    if (mine.coefficient == 0) out.terms.erase(key);
  }
  return out;
}

Linear atom(const Expr& e) {
  Linear out;
  out.terms[to_string(e)] = {e, 1};
  return out;
}

}  // namespace

Linear linear_of(const Expr& e) {
  if (const auto value = try_constant(e)) return {{}, *value};
  const auto* binary = e.as_or_null<Binary>();
  if (binary == nullptr) return atom(e);
  if (binary->op == BinaryOp::Add) return sum(linear_of(binary->a), linear_of(binary->b), 1);
  if (binary->op == BinaryOp::Sub) return sum(linear_of(binary->a), linear_of(binary->b), -1);
  if (binary->op == BinaryOp::Mul) {
    if (const auto value = try_constant(binary->b)) return sum({}, linear_of(binary->a), *value);
    if (const auto value = try_constant(binary->a)) return sum({}, linear_of(binary->b), *value);
  }
  return atom(e);
}

Linear operator-(const Linear& a, const Linear& b) { return sum(a, b, -1); }

Expr to_expr(const Linear& linear) {
  Expr out = index(0);
  for (const auto& [key, term] : linear.terms) {
    out = add(out, mul(term.atom, index(term.coefficient)));
  }
  return add(out, index(linear.constant));
}

std::optional<Range> try_range(const Linear& linear, const Ranges& vars) {
  return try_range(to_expr(linear), vars);
}

std::optional<std::int64_t> try_coefficient(const Expr& e, const std::string& var) {
  std::int64_t coefficient = 0;
  for (const auto& [key, term] : linear_of(e).terms) {
    if (key == var) {
      coefficient = term.coefficient;
    } else if (mentions(term.atom, var)) {
      return std::nullopt;
    }
  }
  return coefficient;
}

}  // namespace solway::ir
