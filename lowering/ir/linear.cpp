#include "lowering/ir/linear.h"

#include <algorithm>

#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::ir {
namespace {

constexpr std::int64_t kFewValues = 16;  ///< of a variable, that are looked at one by one

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

/// Terms in which a variable occurs.
std::ptrdiff_t occurrences(const Linear& linear, const std::string& var) {
  return std::count_if(linear.terms.begin(), linear.terms.end(),
                       [&](const auto& term) { return mentions(term.second.atom, var); });
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
  const Expr e = to_expr(linear);
  const auto shared = std::find_if(vars.begin(), vars.end(), [&](const auto& var) {
    const auto& [name, range] = var;
    const bool is_short = range.lo > INT64_MIN / 2 && range.hi - range.lo < kFewValues;
    return is_short && occurrences(linear, name) > 1;
  });
  if (shared == vars.end()) return try_range(e, vars);
  std::optional<Range> out;
  for (std::int64_t value = shared->second.lo; value <= shared->second.hi; ++value) {
    const Expr here = simplify(substitute(e, {{shared->first, index(value)}}));
    const auto range = try_range(linear_of(here), vars);
    if (!range) return std::nullopt;
    out = out ? Range{std::min(out->lo, range->lo), std::max(out->hi, range->hi)} : *range;
  }
  return out;
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

Expr coefficient_or_undefined(const Expr& e, const std::string& var) {
  if (!mentions(e, var)) return index(0);
  if (e.as_or_null<Var>() != nullptr) return index(1);
  const auto* n = e.as_or_null<Binary>();
  if (n == nullptr || e.type() != kInt64) return {};
  const auto both = [&](const auto& combine) {
    const Expr a = coefficient_or_undefined(n->a, var);
    const Expr b = coefficient_or_undefined(n->b, var);
    return a.defined() && b.defined() ? combine(a, b) : Expr();
  };
  if (n->op == BinaryOp::Add) return both([](const Expr& a, const Expr& b) { return add(a, b); });
  if (n->op == BinaryOp::Sub) return both([](const Expr& a, const Expr& b) { return sub(a, b); });
  if (n->op != BinaryOp::Mul || (mentions(n->a, var) && mentions(n->b, var))) return {};
  const bool is_first = mentions(n->a, var);
  const Expr of_factor = coefficient_or_undefined(is_first ? n->a : n->b, var);
  return of_factor.defined() ? mul(of_factor, is_first ? n->b : n->a) : Expr();
}

}  // namespace solway::ir
