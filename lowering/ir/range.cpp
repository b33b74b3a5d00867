#include "lowering/ir/range.h"

#include <algorithm>
#include <limits>

#include "lowering/ir/fold.h"

namespace solway::ir {
namespace {

Range all_of(DType type) {
  if (type == DType::Bool) return {0, 1};
  if (type == DType::Int8) return {INT8_MIN, INT8_MAX};
  if (type == DType::Int32) return {INT32_MIN, INT32_MAX};
  return {INT64_MIN, INT64_MAX};
}

std::optional<Range> within(const Range& r, DType type) {
  const Range all = all_of(type);
  return r.lo >= all.lo && r.hi <= all.hi ? std::optional(r) : std::nullopt;
}

std::optional<Range> sum(const Range& a, const Range& b) {
  Range out;
  if (__builtin_add_overflow(a.lo, b.lo, &out.lo)) return std::nullopt;
  if (__builtin_add_overflow(a.hi, b.hi, &out.hi)) return std::nullopt;
  return out;
}

std::optional<Range> difference(const Range& a, const Range& b) {
  Range out;
  if (__builtin_sub_overflow(a.lo, b.hi, &out.lo)) return std::nullopt;
  if (__builtin_sub_overflow(a.hi, b.lo, &out.hi)) return std::nullopt;
  return out;
}

std::optional<Range> product(const Range& a, const Range& b) {
  std::int64_t corners[4];
  if (__builtin_mul_overflow(a.lo, b.lo, &corners[0])) return std::nullopt;
  if (__builtin_mul_overflow(a.lo, b.hi, &corners[1])) return std::nullopt;
  if (__builtin_mul_overflow(a.hi, b.lo, &corners[2])) return std::nullopt;
  if (__builtin_mul_overflow(a.hi, b.hi, &corners[3])) return std::nullopt;
  return Range{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

/// Division by positive values only.
std::optional<Range> quotient(const Range& a, const Range& b) {
  if (b.lo <= 0) return std::nullopt;
  const auto div = [](std::int64_t x, std::int64_t y) {
    return *try_evaluate(BinaryOp::FloorDiv, x, y, DType::Int64);
  };
  return Range{std::min(div(a.lo, b.lo), div(a.lo, b.hi)),
               std::max(div(a.hi, b.lo), div(a.hi, b.hi))};
}

std::optional<Range> rest(const Range& a, const Range& b) {
  if (b.lo <= 0) return std::nullopt;
  if (a.lo >= 0 && a.hi < b.lo) return a;
  return Range{0, b.hi - 1};
}

std::optional<Range> combine(BinaryOp op, const Range& a, const Range& b) {
  switch (op) {
    case BinaryOp::Add:
      return sum(a, b);
    case BinaryOp::Sub:
      return difference(a, b);
    case BinaryOp::Mul:
      return product(a, b);
    case BinaryOp::FloorDiv:
      return quotient(a, b);
    case BinaryOp::Mod:
      return rest(a, b);
    case BinaryOp::Min:
      return Range{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case BinaryOp::Max:
      return Range{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case BinaryOp::Div:
    case BinaryOp::Pow:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::And:
    case BinaryOp::Or:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Range> try_range(const Expr& e, const Ranges& vars) {
  const DType type = e.type().scalar;
  if (e.type().is_vector() || !is_integer(type)) return std::nullopt;
  if (const auto value = try_constant(e)) return Range{*value, *value};
  if (const auto* var = e.as_or_null<Var>()) {
    const auto it = vars.find(var->name);
    return it == vars.end() ? all_of(type) : it->second;
  }
  if (e.as_or_null<Load>() != nullptr) return all_of(type);
  if (const auto* cast = e.as_or_null<Cast>()) {
    const DType from = cast->operand.type().scalar;
    if (from == DType::Bool) return Range{0, 1};
    if (is_float(from)) return all_of(type);
    const auto inner = try_range(cast->operand, vars);
    return inner ? within(*inner, type) : std::nullopt;
  }
  if (const auto* select = e.as_or_null<Select>()) {
    const auto a = try_range(select->if_true, vars);
    const auto b = try_range(select->if_false, vars);
    if (!a || !b) return std::nullopt;
    return Range{std::min(a->lo, b->lo), std::max(a->hi, b->hi)};
  }
  const auto* binary = e.as_or_null<Binary>();
  if (binary == nullptr) return std::nullopt;
  const auto a = try_range(binary->a, vars);
  const auto b = try_range(binary->b, vars);
  if (!a || !b) return std::nullopt;
  const auto out = combine(binary->op, *a, *b);
  return out ? within(*out, type) : std::nullopt;
}

std::optional<Range> try_range(const For& loop, const Ranges& vars) {
  const auto begin = try_range(loop.begin, vars);
  const auto end = try_range(loop.end, vars);
  if (!begin || !end || end->hi <= begin->lo) return std::nullopt;
  return Range{begin->lo, end->hi - 1};
}

}  // namespace solway::ir
