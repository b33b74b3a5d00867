#include "lowering/vector_accumulator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/substitute.h"
#include "lowering/reduction_form.h"
#include "lowering/vector_body.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kFewAccumulators = 4;
/// From so many rounds on, more accumulators pay for being combined.
constexpr std::int64_t kLeastRounds = 4;

/// Vectors that accumulate apart, of so many. Those of an extreme have a mask each, of which
/// machines have few.
std::int64_t accumulators_of(std::int64_t num_vectors, ReduceOp op, const VectorForms* forms) {
  std::int64_t most = forms == nullptr ? VectorForms{}.accumulators : forms->accumulators;
  const bool is_extreme = op == ReduceOp::Min || op == ReduceOp::Max;
  if (is_extreme || num_vectors < kLeastRounds * most) most = std::min(most, kFewAccumulators);
  return std::min(most, num_vectors);
}

class Accumulation {
 public:
  Accumulation(const AccumulatedLoop& loop, const ir::Store& store, Reduction form)
      : loop_(loop), store_(store), form_(std::move(form)) {
    known_ = ir::try_constant(loop.num_vectors);
    width_ = known_ ? accumulators_of(*known_, form_.op, loop.forms) : 1;
    const ir::Lanes all{static_cast<int>(width_) * loop.lanes.count, loop.lanes.scalable};
    accumulator_ = ir::make_vectors(loop.accumulator, store.buffer->type, {}, all, "register");
  }

  /// nullopt when the term has no vector form.
  std::optional<Stmt> run() {
    std::vector<Stmt> parts;
    for (std::int64_t u = 0; u < width_; ++u) parts.push_back(start(u));
    const Expr groups = known_ ? ir::index(*known_ / width_) : loop_.num_vectors;
    const std::string counter = loop_.var + "_vec";
    const Expr first =
        ir::mul(ir::Var::make(counter), ir::mul(lane_count(loop_.lanes), ir::index(width_)));
    std::vector<Stmt> group;
    for (std::int64_t u = 0; u < width_; ++u) {
      group.push_back(chunk(ir::add(first, ir::index(u * loop_.lanes.count)), u));
    }
    parts.push_back(ir::For::make(counter, ir::index(0), groups, loop_.kind,
                                  ir::Block::make(std::move(group)), store_.where));
    for (std::int64_t u = 0; known_ && u < *known_ % width_; ++u) {
      parts.push_back(chunk(ir::index((*known_ / width_ * width_ + u) * loop_.lanes.count), u));
    }
    if (loop_.rest.defined() && known_) {
      parts.push_back(chunk(ir::index(*known_ * loop_.lanes.count), *known_ % width_, loop_.rest));
    } else if (loop_.rest.defined()) {
      const Expr done = ir::mul(loop_.num_vectors, lane_count(loop_.lanes));
      parts.push_back(ir::If::make(ir::fold(BinaryOp::Gt, loop_.rest, ir::index(0)),
                                   chunk(done, 0, loop_.rest), {}, store_.where));
    }
    if (!remarks_.empty()) return std::nullopt;
    const Expr lanes = ir::ReduceLanes::make(form_.op, combined(0, width_));
    parts.push_back(ir::Store::make(store_.buffer, store_.indices, both(form_.place, lanes, type()),
                                    store_.where));
    if (loop_.forms != nullptr && loop_.forms->lack &&
        (!loop_.forms->lack(parts.front()).empty() || !loop_.forms->lack(parts.back()).empty())) {
      return std::nullopt;
    }
    return ir::Allocate::make(accumulator_, ir::Block::make(std::move(parts)), store_.where);
  }

 private:
  std::vector<Expr> place_of(std::int64_t u) const { return {ir::index(u * loop_.lanes.count)}; }

  Stmt start(std::int64_t u) const {
    const Expr identity = identity_of(form_.op, accumulator_->type);
    return ir::VectorStore::make(accumulator_, place_of(u), 1,
                                 ir::Broadcast::make(identity, loop_.lanes), {}, store_.where);
  }

  /// Accumulator `u` combined with the iterations from begin + offset on.
  Stmt chunk(const Expr& offset, std::int64_t u, const Expr& active = {}) {
    const Expr base = ir::add(loop_.begin, offset);
    const Expr lane =
        ir::add(ir::sub(ir::Var::make(loop_.var), base), ir::index(u * loop_.lanes.count));
    const Expr sum = converted(ir::Load::make(accumulator_, {lane}), form_.term.type().scalar);
    const Expr value = both(sum, form_.term, type());
    return vectorize_body(ir::Store::make(accumulator_, {lane}, value, store_.where),
                          {loop_.var, base, loop_.lanes, active, loop_.forms}, remarks_);
  }

  /// Of the element.
  DType type() const { return store_.buffer->type; }

  Expr both(const Expr& a, const Expr& b, DType type) const {
    return converted(ir::Binary::make(combine_op(form_.op), a, b), type);
  }

  /// In the type that elements are combined in. Those that are only stored wrap where they are
  /// stored, and so do not here.
  Expr combined(std::int64_t from, std::int64_t to) const {
    const DType wide = form_.term.type().scalar;
    if (to - from == 1) {
      return converted(ir::VectorLoad::make(accumulator_, place_of(from), 1, loop_.lanes), wide);
    }
    const std::int64_t middle = (from + to + 1) / 2;
    return both(combined(from, middle), combined(middle, to), wide);
  }

  const AccumulatedLoop& loop_;
  const ir::Store& store_;
  Reduction form_;
  std::optional<std::int64_t> known_;  ///< the number of vectors
  std::int64_t width_ = 1;             ///< accumulators
  ir::Buffer accumulator_;
  Remarks remarks_;  ///< what has no vector form
};

}  // namespace

std::optional<Stmt> try_accumulate(const AccumulatedLoop& loop) {
  const auto* store = loop.body.as_or_null<ir::Store>();
  const std::int64_t full = ir::try_constant(loop.num_vectors).value_or(2);
  const bool is_one = full < 1 || (full == 1 && !loop.rest.defined());
  if (store == nullptr || is_one) return std::nullopt;
  const auto moves = [&](const Expr& index) { return ir::mentions(index, loop.var); };
  if (std::any_of(store->indices.begin(), store->indices.end(), moves)) return std::nullopt;
  auto form = try_reduction(*store);
  // A term that is the same in every lane needs no vectors.
  if (!form || !ir::mentions(form->term, loop.var)) return std::nullopt;
  return Accumulation(loop, *store, std::move(*form)).run();
}

}  // namespace solway::lowering
