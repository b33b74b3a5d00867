#include "lowering/lane_sums.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/reduction_form.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kMostVectors = 4;  ///< that lanes fill

/// Loops around a vectorized one that adds to one element.
struct SumNest {
  std::vector<const ir::For*> around;  ///< outermost first
  const ir::For* lanes = nullptr;
  const ir::Store* store = nullptr;
  std::int64_t extent = 0;  ///< of `lanes`
};

std::optional<std::int64_t> extent_of(const ir::For& loop) {
  const auto begin = ir::try_constant(loop.begin);
  const auto end = ir::try_constant(loop.end);
  return begin && end ? std::optional(*end - *begin) : std::nullopt;
}

/// The loops from one on that stand alone in each other, down to one that is vectorized.
std::optional<SumNest> nest_from(const ir::For& outermost) {
  SumNest out;
  const ir::For* loop = &outermost;
  while (loop->for_kind != ir::ForKind::Vectorized) {
    const bool is_plain =
        loop->for_kind == ir::ForKind::Serial || loop->for_kind == ir::ForKind::Unrolled;
    const auto* inside = loop->body.as_or_null<ir::For>();
    if (!is_plain || inside == nullptr) return std::nullopt;
    out.around.push_back(loop);
    loop = inside;
  }
  out.lanes = loop;
  out.store = loop->body.as_or_null<ir::Store>();
  const auto extent = extent_of(*loop);
  if (out.around.empty() || out.store == nullptr || !extent || *extent < 2) return std::nullopt;
  out.extent = *extent;
  return out;
}

/// Whether no loop moves the element that is stored.
bool is_one_element(const SumNest& nest) {
  const auto& indices = nest.store->indices;
  const auto moves = [&](const ir::For* loop) {
    return std::any_of(indices.begin(), indices.end(),
                       [&](const Expr& index) { return ir::mentions(index, loop->var); });
  };
  const bool has_loads = std::any_of(indices.begin(), indices.end(),
                                     [](const Expr& index) { return ir::has_load(index); });
  return !has_loads && !moves(nest.lanes) &&
         std::none_of(nest.around.begin(), nest.around.end(), moves);
}

class Keeper final : public ir::Mutator {
 public:
  explicit Keeper(const VectorForms& forms) : forms_(forms) {}

 private:
  using Mutator::rewrite;

  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const auto nest = nest_from(s);
    if (!nest || !is_one_element(*nest)) return Mutator::rewrite(s, self);
    const auto form = try_reduction(*nest->store);
    const bool is_sum = form && ir::mentions(form->term, nest->lanes->var);
    const int lanes = is_sum ? least_lanes(forms_.lanes, ir::types_read(nest->store->value)) : 0;
    if (lanes < 2 || nest->extent > kMostVectors * lanes) return self;
    return kept(*nest, *form, (nest->extent + lanes - 1) / lanes * lanes);
  }

  Stmt kept(const SumNest& nest, const Reduction& form, std::int64_t size) {
    const ir::Store& store = *nest.store;
    const DType type = store.buffer->type;
    const SourceLoc& where = store.where;
    const std::string name = "lanes_" + std::to_string(count_++) + "_" + nest.lanes->var;
    const ir::Buffer sums =
        ir::make_vectors(name, type, {}, {static_cast<int>(size), false}, "register");
    const auto both = [&](const Expr& a, const Expr& b) {
      return converted(ir::Binary::make(combine_op(form.op), a, b), type);
    };
    const DType wide = form.term.type().scalar;
    const auto over_all = [&](const std::string& suffix, const auto& body) {
      const std::string var = nest.lanes->var + suffix;
      return ir::For::make(var, ir::index(0), ir::index(size), ir::ForKind::Vectorized,
                           body(ir::Var::make(var)), where);
    };
    const Stmt first = over_all("_first", [&](const Expr& lane) {
      return ir::Store::make(sums, {lane}, identity_of(form.op, type), where);
    });
    const Expr lane = ir::sub(ir::Var::make(nest.lanes->var), nest.lanes->begin);
    const Expr sum = converted(ir::Load::make(sums, {lane}), wide);
    Stmt terms = ir::Store::make(sums, {lane}, both(sum, form.term), where);
    terms = ir::For::make(nest.lanes->var, nest.lanes->begin, nest.lanes->end,
                          ir::ForKind::Vectorized, terms, nest.lanes->where);
    for (auto loop = nest.around.rbegin(); loop != nest.around.rend(); ++loop) {
      terms = ir::For::make((*loop)->var, (*loop)->begin, (*loop)->end, (*loop)->for_kind, terms,
                            (*loop)->where);
    }
    const Stmt last = over_all("_last", [&](const Expr& place) {
      const Expr one = converted(ir::Load::make(sums, {place}), wide);
      return ir::Store::make(store.buffer, store.indices, both(form.place, one), where);
    });
    return ir::Allocate::make(sums, ir::Block::make({first, terms, last}, where), where);
  }

  const VectorForms& forms_;
  int count_ = 0;  ///< buffers so far, for names
};

}  // namespace

Stmt keep_lane_sums(const Stmt& s, const VectorForms& forms) {
  return forms.scalable_lanes.empty() ? Keeper(forms)(s) : s;
}

}  // namespace solway::lowering
