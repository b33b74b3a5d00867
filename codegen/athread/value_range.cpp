#include "codegen/athread/value_range.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace solway::codegen {
namespace {

using ir::Binary;
using ir::Cast;
using ir::Expr;
using ir::IntImm;
using ir::Select;
using ir::Unary;
using ir::Var;

using Wide = __int128;

struct WideRange {
  Wide lo;
  Wide hi;
};

Range whole(DType type) {
  switch (type) {
    case DType::Bool:
      return {0, 1};
    case DType::Int8:
      return {INT8_MIN, INT8_MAX};
    case DType::Int32:
      return {INT32_MIN, INT32_MAX};
    case DType::Int64:
    case DType::Float32:
    case DType::Float64:
      return {};
  }
  return {};
}

bool fits(const WideRange& wide, DType type) {
  const Range all = whole(type);
  return wide.lo >= all.lo && wide.hi <= all.hi;
}

Range narrow(const WideRange& wide, DType type) {
  if (!fits(wide, type)) return whole(type);
  return {static_cast<std::int64_t>(wide.lo), static_cast<std::int64_t>(wide.hi)};
}

WideRange arithmetic(BinaryOp op, const Range& a, const Range& b) {
  const Wide alo = a.lo;
  const Wide ahi = a.hi;
  if (op == BinaryOp::Add) return {alo + b.lo, ahi + b.hi};
  if (op == BinaryOp::Sub) return {alo - b.hi, ahi - b.lo};
  const Wide products[] = {alo * b.lo, alo * b.hi, ahi * b.lo, ahi * b.hi};
  return {*std::min_element(products, products + 4), *std::max_element(products, products + 4)};
}

bool is_arithmetic(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Greatest common divisor; 0 is divisible by everything.
std::int64_t common_divisor(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }

}  // namespace

void ValueRanges::define(const std::string& var, Range range, std::int64_t divisor) {
  ranges_[var] = range;
  divisors_[var] = divisor;
}

void ValueRanges::forget(const std::string& var) {
  ranges_.erase(var);
  divisors_.erase(var);
}

void ValueRanges::define_loop(const std::string& var, const Expr& begin, const Expr& end) {
  const Range first = range(begin);
  const Range past = range(end);
  const std::int64_t last = past.hi == INT64_MIN ? past.hi : past.hi - 1;
  define(var, {first.lo, std::max(first.lo, last)});
}

Range ValueRanges::range(const Expr& e) const {
  const DType type = e.type().scalar;
  if (e.type().is_vector() || is_float(type)) return whole(type);
  if (const IntImm* n = e.as_or_null<IntImm>()) return {n->value, n->value};
  if (const Var* n = e.as_or_null<Var>()) {
    const auto it = ranges_.find(n->name);
    return it == ranges_.end() ? whole(type) : it->second;
  }
  if (const Binary* n = e.as_or_null<Binary>()) return range(*n);
  if (const Unary* n = e.as_or_null<Unary>()) {
    const Range r = range(n->operand);
    if (n->op == UnaryOp::Neg) return narrow({-Wide(r.hi), -Wide(r.lo)}, type);
    if (n->op == UnaryOp::Abs && r.lo >= 0) return r;
    return whole(type);
  }
  if (const Select* n = e.as_or_null<Select>()) {
    const Range a = range(n->if_true);
    const Range b = range(n->if_false);
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  if (const Cast* n = e.as_or_null<Cast>()) {
    if (is_float(n->operand.type().scalar) || type == DType::Bool) return whole(type);
    const Range r = range(n->operand);
    return narrow({r.lo, r.hi}, type);
  }
  return whole(type);
}

Range ValueRanges::range(const Binary& e) const {
  const DType type = e.type.scalar;
  if (is_float(type) || type == DType::Bool) return whole(type);
  const Range a = range(e.a);
  const Range b = range(e.b);
  if (is_arithmetic(e.op)) return narrow(arithmetic(e.op, a, b), type);
  if (e.op == BinaryOp::Min) return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  if (e.op == BinaryOp::Max) return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  if (b.lo != b.hi || b.lo <= 0) return whole(type);
  if (e.op == BinaryOp::FloorDiv) return {floor_div(a.lo, b.lo), floor_div(a.hi, b.lo)};
  if (e.op == BinaryOp::Mod) return a.lo >= 0 && a.hi < b.lo ? a : Range{0, b.lo - 1};
  return whole(type);
}

bool ValueRanges::may_wrap(const Binary& e) const {
  if (!is_arithmetic(e.op)) return true;
  return !fits(arithmetic(e.op, range(e.a), range(e.b)), e.type.scalar);
}

bool ValueRanges::may_wrap(const Unary& e) const {
  return range(e.operand).lo == whole(e.type.scalar).lo;
}

std::int64_t ValueRanges::divisor(const Expr& e) const {
  if (const IntImm* n = e.as_or_null<IntImm>()) {
    return n->value == INT64_MIN ? 1 : std::abs(n->value);
  }
  if (const Var* n = e.as_or_null<Var>()) {
    const auto it = divisors_.find(n->name);
    return it == divisors_.end() ? 1 : it->second;
  }
  const Binary* n = e.as_or_null<Binary>();
  if (n == nullptr) return 1;
  const std::int64_t a = divisor(n->a);
  const std::int64_t b = divisor(n->b);
  if (n->op == BinaryOp::Mul) {
    std::int64_t product = 1;
    return __builtin_mul_overflow(a, b, &product) ? 1 : product;
  }
  if (n->op == BinaryOp::Add || n->op == BinaryOp::Sub || n->op == BinaryOp::Min ||
      n->op == BinaryOp::Max) {
    return common_divisor(a, b);
  }
  return 1;
}

}  // namespace solway::codegen
