#include "lowering/detail/turned_copy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// A loop of the nest with constant bounds.
struct Range {
  std::string var;
  std::int64_t begin = 0;
  std::int64_t extent = 0;
  SourceLoc where;

  Expr position() const { return ir::sub(ir::Var::make(var), ir::index(begin)); }
};

bool moves(const DotOperand& operand, const std::string& var) {
  return std::any_of(operand.indices.begin(), operand.indices.end(),
                     [&](const Expr& e) { return ir::mentions(e, var); });
}

/// The loops along which the operand moves, outermost first; nullopt where bounds are not constant.
std::optional<std::vector<Range>> ranges_of(const DotNest& nest, const DotOperand& operand,
                                            std::vector<const ir::For*> loops) {
  std::vector<Range> out;
  loops.insert(loops.end(), nest.loops.begin(), nest.loops.end());
  for (const ir::For* loop : loops) {
    if (!moves(operand, loop->var)) continue;
    const auto begin = ir::try_constant(loop->begin);
    const auto end = ir::try_constant(loop->end);
    if (!begin || !end || *begin >= *end) return std::nullopt;
    out.push_back({loop->var, *begin, *end - *begin, loop->where});
  }
  if (nest.num_groups > 1) out.push_back({nest.terms, 0, nest.num_groups, nest.where});
  return out;
}

/// Whether neighbouring groups along the loop lie side by side, by the last index alone.
bool is_run(const DotOperand& operand, const Range& range) {
  const Expr& last = operand.indices.back();
  return ir::try_coefficient(last, range.var) == kDotTerms &&
         std::none_of(operand.indices.begin(), operand.indices.end() - 1,
                      [&](const Expr& e) { return ir::mentions(e, range.var); });
}

}  // namespace

std::optional<TurnedCopy> try_turned_copy(const DotNest& nest, const DotOperand& operand,
                                          std::vector<const ir::For*> around,
                                          const std::string& name, const std::string& scope) {
  auto ranges = ranges_of(nest, operand, std::move(around));
  if (!ranges || operand.lane_step != 0 || operand.count != kDotTerms) return std::nullopt;
  const auto run = std::find_if(ranges->rbegin(), ranges->rend(),
                                [&](const Range& range) { return is_run(operand, range); });
  if (run == ranges->rend()) return std::nullopt;
  const Range along = *run;
  ranges->erase(std::next(run).base());

  std::vector<std::int64_t> shape;
  std::vector<Expr> at;
  for (const Range& range : *ranges) {
    shape.push_back(range.extent);
    at.push_back(range.position());
  }
  shape.push_back(along.extent * kDotTerms);
  const DType type = operand.buffer->type == DType::Int8 ? DType::UInt8 : DType::Int8;
  TurnedCopy out;
  out.copy.buffer = ir::make_buffer(name, type, shape, scope);
  if (out.copy.buffer->size_bytes() > kMostTurnedBytes) return std::nullopt;
  out.copy.source = operand.buffer;
  std::vector<Expr> group_at = at;
  group_at.push_back(ir::mul(along.position(), ir::index(kDotTerms)));
  out.group = ir::VectorLoad::make(out.copy.buffer, group_at, 1, {kDotTerms, false});

  const std::string byte = name + "_byte";
  std::vector<Expr> from = operand.indices;
  from.back() = ir::simplify(ir::add(
      ir::substitute(from.back(), {{along.var, ir::index(along.begin)}}), ir::Var::make(byte)));
  at.push_back(ir::Var::make(byte));
  const Expr value = turned_byte(ir::Load::make(operand.buffer, from));
  Stmt fill = ir::Store::make(out.copy.buffer, at, value, nest.where);
  fill = ir::For::make(byte, ir::index(0), ir::index(shape.back()), ir::ForKind::Vectorized, fill,
                       nest.where);
  for (auto it = ranges->rbegin(); it != ranges->rend(); ++it) {
    fill = ir::For::make(it->var, ir::index(it->begin), ir::index(it->begin + it->extent),
                         ir::ForKind::Serial, fill, it->where);
  }
  out.copy.fill = fill;
  return out;
}

}  // namespace solway::lowering
