#include "schedule/pairings.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace solway::schedule {
namespace {

using dsl::Expr;
using dsl::ExprKind;

constexpr std::size_t kMostPairings = 64;

bool is_commutative(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::Min || op == BinaryOp::Max;
}

std::optional<std::size_t> operand_of(const Statement& s, const dsl::ExprNode* read) {
  for (std::size_t k = 0; k < s.reads.size(); ++k) {
    if (s.reads[k].read.get() == read) return k;
  }
  return std::nullopt;
}

/// Whether an element is found by data.
bool has_data_index(const Expr& index) {
  return index->kind == ExprKind::Read || index->kind == ExprKind::Bounded ||
         std::any_of(index->operands.begin(), index->operands.end(), has_data_index);
}

/// The ways to extend pairings such that two expressions compute the same.
std::vector<Pairing> extended(const Statement& s, const Expr& a, const Statement& r, const Expr& b,
                              const std::vector<Pairing>& so_far);

std::vector<Pairing> of_operands(const Statement& s, const Expr& a, const Statement& r,
                                 const Expr& b, const std::vector<std::size_t>& order,
                                 std::vector<Pairing> out) {
  for (std::size_t k = 0; k < order.size() && !out.empty(); ++k) {
    out = extended(s, a->operands[order[k]], r, b->operands[k], out);
  }
  return out;
}

std::vector<Pairing> extended(const Statement& s, const Expr& a, const Statement& r, const Expr& b,
                              const std::vector<Pairing>& so_far) {
  if (a->kind != b->kind || a->type != b->type) return {};
  if (a->kind == ExprKind::Read) {
    const auto own = operand_of(s, a.get()), other = operand_of(r, b.get());
    const auto& indices = a->operands;
    if (!own || !other || std::any_of(indices.begin(), indices.end(), has_data_index)) return {};
    std::vector<Pairing> out = so_far;
    for (Pairing& one : out) one.emplace_back(*own, *other);
    return out;
  }
  const auto bits = [](const Expr& e) { return std::bit_cast<std::uint64_t>(e->float_value); };
  const bool is_same = a->int_value == b->int_value && bits(a) == bits(b) && a->unary == b->unary &&
                       a->binary == b->binary && a->size == b->size &&
                       a->operands.size() == b->operands.size();
  const bool has_index = a->kind == ExprKind::AxisRef || a->kind == ExprKind::Bounded;
  if (!is_same || has_index) return {};
  std::vector<std::size_t> order(a->operands.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::vector<Pairing> out = of_operands(s, a, r, b, order, so_far);
  if (a->kind == ExprKind::Binary && is_commutative(a->binary)) {
    std::reverse(order.begin(), order.end());
    for (Pairing& one : of_operands(s, a, r, b, order, so_far)) {
      if (out.size() < kMostPairings) out.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace

std::vector<Pairing> pairings(const Statement& s, const Statement& r) {
  return extended(s, s.writes[0].value, r, r.writes[0].value, {Pairing{}});
}

}  // namespace solway::schedule
