#include "lowering/ir/range.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "lowering/ir/fold.h"

namespace solway::ir {
namespace {

Range all_of(DType type) {
  if (is_float(type)) return {INT64_MIN, INT64_MAX};
  return {lowest(type), largest(type)};
}

bool fits(const Range& r, DType type) {
  const Range all = all_of(type);
  return r.lo >= all.lo && r.hi <= all.hi;
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
    case BinaryOp::Fmod:
    case BinaryOp::Atan2:
    case BinaryOp::Hypot:
    case BinaryOp::Copysign:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_division(BinaryOp op) { return op == BinaryOp::FloorDiv || op == BinaryOp::Mod; }

/// Bounds of the values of expressions. What they are where an operation may wrap, or is not
/// followed, differs: nullopt, or everything that the type can hold.
class Bounds {
 public:
  enum class Unknown { Fails, IsWholeType };

  Bounds(const Ranges& vars, Unknown unknown)
      : vars_(vars), is_total_(unknown == Unknown::IsWholeType) {}

  std::optional<Range> of(const Expr& e) const {
    const DType type = e.type().scalar;
    if (e.type().is_vector() || is_float(type)) return unknown(type);
    if (type == DType::Bool && !is_total_) return std::nullopt;
    if (const auto value = try_constant(e)) return Range{*value, *value};
    if (const auto* var = e.as_or_null<Var>()) {
      const auto it = vars_.find(var->name);
      return it == vars_.end() ? all_of(type) : it->second;
    }
    if (e.as_or_null<Load>() != nullptr) return all_of(type);
    if (const auto* cast = e.as_or_null<Cast>()) return of(*cast);
    if (const auto* select = e.as_or_null<Select>()) {
      const auto a = of(select->if_true);
      const auto b = of(select->if_false);
      if (!a || !b) return std::nullopt;
      return Range{std::min(a->lo, b->lo), std::max(a->hi, b->hi)};
    }
    if (const auto* unary = e.as_or_null<Unary>()) return of(*unary);
    if (const auto* binary = e.as_or_null<Binary>()) return of(*binary);
    return unknown(type);
  }

  std::optional<Range> of(const Binary& e) const {
    const DType type = e.type.scalar;
    if (is_float(type) || type == DType::Bool) return unknown(type);
    const auto a = of(e.a);
    const auto b = of(e.b);
    if (!a || !b) return std::nullopt;
    // range_of() follows divisions by one known value only.
    if (is_total_ && is_division(e.op) && b->lo != b->hi) return all_of(type);
    return checked(combine(e.op, *a, *b), type);
  }

 private:
  std::optional<Range> of(const Cast& e) const {
    const DType from = e.operand.type().scalar;
    const DType to = e.type.scalar;
    if (is_float(from) || to == DType::Bool) return all_of(to);
    if (from == DType::Bool && !is_total_) return Range{0, 1};
    return checked(of(e.operand), to);
  }

  std::optional<Range> of(const Unary& e) const {
    if (!is_total_) return std::nullopt;
    const DType type = e.type.scalar;
    const auto operand = of(e.operand);
    if (e.op == UnaryOp::Neg) return checked(difference({0, 0}, *operand), type);
    if (e.op == UnaryOp::Abs && operand->lo >= 0) return operand;
    return unknown(type);
  }

  std::optional<Range> unknown(DType type) const {
    return is_total_ ? std::optional(all_of(type)) : std::nullopt;
  }
  std::optional<Range> checked(const std::optional<Range>& r, DType type) const {
    return r && fits(*r, type) ? r : unknown(type);
  }

  const Ranges& vars_;
  bool is_total_;
};

}  // namespace

std::optional<Range> try_range(const Expr& e, const Ranges& vars) {
  return Bounds(vars, Bounds::Unknown::Fails).of(e);
}

std::optional<Range> try_range(const For& loop, const Ranges& vars) {
  const auto begin = try_range(loop.begin, vars);
  const auto end = try_range(loop.end, vars);
  if (!begin || !end || end->hi <= begin->lo) return std::nullopt;
  return Range{begin->lo, end->hi - 1};
}

Range range_of(const Expr& e, const Ranges& vars) {
  Range out = *Bounds(vars, Bounds::Unknown::IsWholeType).of(e);
  out.divisor = divisor_of(e, vars);
  return out;
}

Range range_of(const Binary& e, const Ranges& vars) {
  return *Bounds(vars, Bounds::Unknown::IsWholeType).of(e);
}

Range range_of(const For& loop, const Ranges& vars) {
  const std::int64_t first = range_of(loop.begin, vars).lo;
  const std::int64_t past = range_of(loop.end, vars).hi;
  return {first, past > first ? past - 1 : first};
}

bool may_wrap(const Binary& e, const Ranges& vars) {
  if (e.op != BinaryOp::Add && e.op != BinaryOp::Sub && e.op != BinaryOp::Mul) return true;
  const auto out = combine(e.op, range_of(e.a, vars), range_of(e.b, vars));
  return !out || !fits(*out, e.type.scalar);
}

bool may_wrap(const Unary& e, const Ranges& vars) {
  return range_of(e.operand, vars).lo == all_of(e.type.scalar).lo;
}

std::int64_t divisor_of(const Expr& e, const Ranges& vars) {
  if (const auto value = try_constant(e)) return *value == INT64_MIN ? 1 : std::abs(*value);
  if (const auto* var = e.as_or_null<Var>()) {
    const auto it = vars.find(var->name);
    return it == vars.end() ? 1 : it->second.divisor;
  }
  const auto* binary = e.as_or_null<Binary>();
  if (binary == nullptr) return 1;
  const std::int64_t a = divisor_of(binary->a, vars);
  const std::int64_t b = divisor_of(binary->b, vars);
  if (binary->op == BinaryOp::Mul) {
    std::int64_t product = 1;
    return __builtin_mul_overflow(a, b, &product) ? 1 : product;
  }
  const bool keeps = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub ||
                     binary->op == BinaryOp::Min || binary->op == BinaryOp::Max;
  return keeps ? std::gcd(a, b) : 1;
}

}  // namespace solway::ir
