#include "lowering/detail/dot_nest.h"

#include <algorithm>

#include "lowering/ir/linear.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/reduction_form.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::ForKind;
using Loops = std::vector<const ir::For*>;

/// The loops from `root` inward as long as nothing else is in them, and the store in the last.
const ir::Store* store_or_null(const ir::For& root, Loops& loops) {
  const ir::Stmt* s = nullptr;
  for (const ir::For* loop = &root; loop != nullptr; loop = s->as_or_null<ir::For>()) {
    if (loop->for_kind == ForKind::Parallel) return nullptr;
    loops.push_back(loop);
    s = &loop->body;
    while (s->kind() == ir::StmtKind::Block && s->as<ir::Block>().stmts.size() == 1) {
      s = &s->as<ir::Block>().stmts.front();
    }
  }
  return s->as_or_null<ir::Store>();
}

/// The load of a byte that is widened to int32, or of a bfloat16 to float32, or null.
const ir::Load* widened_or_null(const Expr& e, DType wide) {
  const auto* cast = e.as_or_null<ir::Cast>();
  if (cast == nullptr || cast->type.scalar != wide) return nullptr;
  const auto* load = cast->operand.as_or_null<ir::Load>();
  if (load == nullptr) return nullptr;
  const DType type = load->type.scalar;
  const bool is_byte = type == DType::Int8 || type == DType::UInt8;
  return (wide == DType::Int32 ? is_byte : type == DType::BFloat16) ? load : nullptr;
}

std::optional<std::int64_t> step_of(const ir::Buffer& buffer, const std::vector<Expr>& indices,
                                    const std::string& var) {
  return ir::try_coefficient(ir::flat_index(*buffer, indices), var);
}

std::optional<std::int64_t> extent_of(const ir::For& loop) {
  return ir::try_constant(ir::simplify(ir::sub(loop.end, loop.begin)));
}

bool is_bound_of_another(const std::string& var, const Loops& loops) {
  return std::any_of(loops.begin(), loops.end(), [&](const ir::For* loop) {
    return ir::mentions(loop->begin, var) || ir::mentions(loop->end, var);
  });
}

/// The innermost loop along which both lie side by side and the place stays.
const ir::For* terms_or_null(const Loops& loops, const ir::Store& store, const ir::Load& x,
                             const ir::Load& y) {
  const auto fits = [&](const ir::For* loop) {
    return loop->for_kind != ForKind::Vectorized && !is_bound_of_another(loop->var, loops) &&
           step_of(store.buffer, store.indices, loop->var) == 0 &&
           step_of(x.buffer, x.indices, loop->var) == 1 &&
           step_of(y.buffer, y.indices, loop->var) == 1;
  };
  const auto at = std::find_if(loops.rbegin(), loops.rend(), fits);
  return at == loops.rend() ? nullptr : *at;
}

const ir::For* vector_or_null(const Loops& around, const Loops& loops) {
  const ir::For* out = nullptr;
  for (const Loops* all : {&around, &loops}) {
    for (const ir::For* loop : *all) {
      if (loop->for_kind == ForKind::Vectorized) out = loop;
    }
  }
  return out;
}

/// The operand whose first byte is that of group number `terms` of its loop.
DotOperand operand_at(const ir::Load& load, const ir::For* terms, const DotNest& nest) {
  DotOperand out{load.buffer, load.indices, 0};
  if (terms == nullptr) return out;
  Expr first = terms->begin;
  if (nest.num_groups > 1) {
    first = ir::add(first, ir::mul(ir::Var::make(terms->var), ir::index(nest.group)));
  }
  for (Expr& index : out.indices) {
    index = ir::simplify(ir::substitute(index, {{terms->var, first}}));
  }
  return out;
}

/// Sets how many groups there are, and of how many terms; else says why there are none.
bool set_groups(const ir::For* terms, DotNest& nest, int& count, std::string& why) {
  const auto extent = terms == nullptr ? std::optional<std::int64_t>(1) : extent_of(*terms);
  const int group = nest.group;
  if (!extent || *extent < 1 || (*extent > group && *extent % group != 0)) {
    why =
        "loop '" + terms->var + "' has not a multiple of " + std::to_string(group) + " iterations";
    return false;
  }
  nest.num_groups = std::max<std::int64_t>(1, *extent / group);
  count = static_cast<int>(std::min<std::int64_t>(*extent, group));
  if (nest.num_groups > 1) nest.terms = terms->var;
  return true;
}

/// Sets how far the groups of lanes lie apart; else says why they do not lie side by side.
bool set_lane_steps(const std::string& vector, int count, DotNest& nest, std::string& why) {
  for (DotOperand* operand : {&nest.x, &nest.y}) {
    const auto step = step_of(operand->buffer, operand->indices, vector);
    if (!step || (*step != 0 && *step != nest.group)) {
      why = "the groups of " + std::string(nest.group == kDotHalves ? "2" : "4 bytes") + " of '" +
            operand->buffer->name + "' do not lie side by side";
      return false;
    }
    operand->lane_step = *step;
    operand->count = count;
    operand->size = nest.group;
  }
  // What lies beside may be no number, whose product with 0 is none.
  const bool may_be_part =
      nest.group != kDotHalves && (nest.x.lane_step == 0 || nest.y.lane_step == 0);
  if (!may_be_part && count < nest.group) {
    why = "the last terms do not fill a group of " + std::to_string(nest.group);
    return false;
  }
  return true;
}

}  // namespace

Expr DotOperand::group() const {
  return ir::VectorLoad::make(buffer, indices, 1, {size, false},
                              count < size ? ir::index(count) : Expr());
}

std::optional<DotNest> try_dot_nest(const ir::For& root, const Loops& around,
                                    const std::vector<DType>& sums, std::string& why) {
  DotNest out;
  const ir::Store* const store = store_or_null(root, out.loops);
  if (store == nullptr) return std::nullopt;
  const DType wide = store->buffer->type;
  if (std::find(sums.begin(), sums.end(), wide) == sums.end()) return std::nullopt;
  const auto sum = try_reduction(*store);
  if (!sum || sum->op != ReduceOp::Sum) return std::nullopt;
  const auto* product = sum->term.as_or_null<ir::Binary>();
  if (product == nullptr || product->op != BinaryOp::Mul) return std::nullopt;
  const ir::Load* const x = widened_or_null(product->a, wide);
  const ir::Load* const y = widened_or_null(product->b, wide);
  const ir::For* const vector = vector_or_null(around, out.loops);
  if (x == nullptr || y == nullptr || vector == nullptr) return std::nullopt;

  const ir::For* const terms = terms_or_null(out.loops, *store, *x, *y);
  out.group = wide == DType::Int32 ? kDotTerms : kDotHalves;
  int count = out.group;
  if (!set_groups(terms, out, count, why)) return std::nullopt;
  out.x = operand_at(*x, terms, out);
  out.y = operand_at(*y, terms, out);
  if (!set_lane_steps(vector->var, count, out, why)) return std::nullopt;
  const auto step = step_of(store->buffer, store->indices, vector->var);
  if (!step || *step == 0) return std::nullopt;
  out.place = store->buffer;
  out.place_indices = store->indices;
  out.vector = vector->var;
  out.has_vector_inside = std::find(out.loops.begin(), out.loops.end(), vector) != out.loops.end();
  std::erase(out.loops, terms);
  out.where = store->where;
  return out;
}

}  // namespace solway::lowering
