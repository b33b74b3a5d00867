#include "lowering/detail/dot_excess.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;
using Loops = std::vector<const ir::For*>;

bool moves(const std::vector<Expr>& indices, const ir::For& loop) {
  return std::any_of(indices.begin(), indices.end(),
                     [&](const Expr& e) { return ir::mentions(e, loop.var); });
}

Stmt in_loops(const Loops& loops, Stmt body) {
  for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
    const ir::For& loop = **it;
    body = ir::For::make(loop.var, loop.begin, loop.end, loop.for_kind, body, loop.where);
  }
  return body;
}

/// `value` in the first `count` bytes of a group, 0 in the others.
Expr in_group(const Expr& value, int count) {
  const ir::Lanes lanes{kDotTerms, false};
  const Expr all = ir::Broadcast::make(value, lanes);
  if (count == kDotTerms) return all;
  const Expr counts =
      ir::Binary::make(BinaryOp::Lt, ir::Ramp::make(ir::index(0), ir::index(1), lanes),
                       ir::Broadcast::make(ir::index(count), lanes));
  const Expr none = ir::Broadcast::make(ir::IntImm::make(0, value.type().scalar), lanes);
  return ir::Select::make(counts, all, none);
}

/// The bytes with these of their bits turned, as bytes of the other sign.
Expr with_bits(const Expr& bytes, const Expr& bits) {
  if (bytes.type().scalar == DType::Int8) {
    return ir::Cast::make(ir::Binary::make(BinaryOp::BitXor, bytes, bits), DType::UInt8);
  }
  return ir::Binary::make(BinaryOp::BitXor, ir::Cast::make(bytes, DType::Int8), bits);
}

}  // namespace

Expr turned_byte(const Expr& x) { return with_bits(x, ir::IntImm::make(-128, DType::Int8)); }

Expr turned(const DotOperand& operand) {
  return with_bits(operand.group(), in_group(ir::IntImm::make(-128, DType::Int8), operand.count));
}

Expr excess_of(const Expr& acc, DType turned_from, const DotOperand& other) {
  const bool was_signed = turned_from == DType::Int8;
  const Expr more =
      was_signed ? ir::IntImm::make(128, DType::UInt8) : ir::IntImm::make(-128, DType::Int8);
  return ir::Dot::make(acc, in_group(more, other.count), other.group());
}

std::optional<DotExcess> try_excess(const DotNest& nest, DType turned_from, const DotOperand& other,
                                    const std::string& name, const std::string& scope) {
  if (!nest.has_vector_inside) return std::nullopt;
  Loops of_sums;    // that are summed
  Loops of_places;  // of the excess
  Loops of_results;
  std::vector<std::int64_t> shape;
  std::vector<Expr> at;
  for (const ir::For* loop : nest.loops) {
    const auto extent = ir::try_constant(ir::simplify(ir::sub(loop->end, loop->begin)));
    if (!extent || *extent < 1 || !ir::try_constant(loop->begin)) return std::nullopt;
    const bool is_of_result = moves(nest.place_indices, *loop);
    if (is_of_result) of_results.push_back(loop);
    if (is_of_result && !moves(other.indices, *loop)) continue;
    of_sums.push_back(loop);
    if (!is_of_result) continue;
    of_places.push_back(loop);
    shape.push_back(*extent);
    at.push_back(ir::sub(ir::Var::make(loop->var), loop->begin));
  }
  const auto is_vector = [&](const ir::For* loop) { return loop->var == nest.vector; };
  if (std::none_of(of_places.begin(), of_places.end(), is_vector)) return std::nullopt;

  DotExcess out;
  out.sums.buffer = ir::make_buffer(name, DType::Int32, shape, scope);
  out.sums.source = other.buffer;
  const Expr present = ir::Load::make(out.sums.buffer, at);
  const Stmt zero =
      ir::Store::make(out.sums.buffer, at, ir::IntImm::make(0, DType::Int32), nest.where);
  Stmt add =
      ir::Store::make(out.sums.buffer, at, excess_of(present, turned_from, other), nest.where);
  if (nest.num_groups > 1) {
    add = ir::For::make(nest.terms, ir::index(0), ir::index(nest.num_groups), ir::ForKind::Serial,
                        add, nest.where);
  }
  out.sums.fill = ir::Block::make({in_loops(of_places, zero), in_loops(of_sums, add)}, nest.where);
  const Expr result = ir::Load::make(nest.place, nest.place_indices);
  const Stmt take = ir::Store::make(nest.place, nest.place_indices,
                                    ir::Binary::make(BinaryOp::Sub, result, present), nest.where);
  out.subtract = in_loops(of_results, take);
  return out;
}

}  // namespace solway::lowering
