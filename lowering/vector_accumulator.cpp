#include "lowering/vector_accumulator.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/lane_divisions.h"
#include "lowering/reduction_form.h"
#include "lowering/vector_body.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kFewAccumulators = 4;
/// Accumulators of all sums of a loop, if these are several.
constexpr std::int64_t kSumsAtOnce = 8;
/// Of a body whose loops are written out.
constexpr std::size_t kMostStatements = 64;
/// From so many rounds on, more accumulators pay for being combined.
constexpr std::int64_t kLeastRounds = 4;

/// A statement of the body: a sum into an element that the loop does not move, or any other.
struct Part {
  Stmt stmt;
  const ir::Store* store = nullptr;  ///< of a sum
  std::optional<Reduction> form;
  ir::Buffer accumulator;  ///< of its vectors
};

bool is_extreme(const Part& sum) {
  return sum.form && (sum.form->op == ReduceOp::Min || sum.form->op == ReduceOp::Max);
}

/// Vectors that accumulate apart, of so many, as far as a statement decides. Those of an extreme
/// have a mask each, of which machines have few; what else each vector computes is written as
/// often.
std::int64_t accumulators_of(const Part& part, const AccumulatedLoop& loop,
                             std::int64_t num_vectors) {
  std::int64_t most = loop.forms == nullptr ? VectorForms{}.accumulators : loop.forms->accumulators;
  const bool is_few = part.store == nullptr || is_extreme(part);
  if (is_few || num_vectors < kLeastRounds * most) most = std::min(most, kFewAccumulators);
  return std::min(std::max<std::int64_t>(1, most / loop.at_once), num_vectors);
}

class Accumulation {
 public:
  Accumulation(const AccumulatedLoop& loop, std::vector<Part> parts)
      : loop_(loop), parts_(std::move(parts)) {
    known_ = ir::try_constant(loop.num_vectors);
    const std::int64_t num_vectors = known_.value_or(loop.lanes.scalable ? 1 : kFewAccumulators);
    width_ = num_vectors;
    for (const Part& part : parts_) {
      width_ = std::min(width_, accumulators_of(part, loop, num_vectors));
    }
    const std::int64_t sums = std::count_if(parts_.begin(), parts_.end(),
                                            [](const Part& part) { return part.store != nullptr; });
    if (sums > 1) width_ = std::min(width_, std::max<std::int64_t>(1, kSumsAtOnce / sums));
    const ir::Lanes all{static_cast<int>(width_) * loop.lanes.count, loop.lanes.scalable};
    int count = 0;
    for (Part& part : parts_) {
      if (part.store == nullptr) continue;
      std::string name = loop.accumulator;
      if (count++ > 0) name += "_" + std::to_string(count);
      part.accumulator = ir::make_vectors(name, part.store->buffer->type, {}, all, "register");
    }
  }

  /// nullopt when a statement has no vector form.
  std::optional<Stmt> run() {
    std::vector<Stmt> out;
    for (const Part& part : parts_) {
      for (std::int64_t u = 0; part.store != nullptr && u < width_; ++u)
        out.push_back(start(part, u));
    }
    const std::int64_t round = vectors_of_round();
    const Expr rounds = ir::fold(BinaryOp::FloorDiv, loop_.num_vectors, ir::index(round));
    const Expr done = ir::mul(rounds, ir::index(round));
    append_loop(out, ir::index(0), rounds, round);
    if (known_) {
      const std::int64_t written = *ir::try_constant(done);
      append_vectors(out, ir::index(written * loop_.lanes.count), *known_ - written, loop_.ranges);
    } else if (round > 1) {
      append_loop(out, done, loop_.num_vectors, 1);
    }
    append_rest(out);
    if (!remarks_.empty()) return std::nullopt;
    for (const Part& part : parts_) {
      if (part.store == nullptr) continue;
      out.push_back(result(part));
      if (is_lacking(start(part, 0)) || is_lacking(out.back())) return std::nullopt;
    }
    return wrapped(std::move(out));
  }

 private:
  /// In one turn of the loop.
  std::int64_t vectors_of_round() const {
    const bool has_extreme = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return part.store != nullptr && is_extreme(part) && is_float(part.accumulator->type);
    });
    const std::int64_t wanted =
        loop_.forms == nullptr || !has_extreme ? 1 : loop_.forms->vectors_of_extreme;
    return known_ && *known_ >= wanted * width_ ? wanted * width_ : width_;
  }

  const SourceLoc& where() const { return first_sum().store->where; }

  const Part& first_sum() const {
    return *std::find_if(parts_.begin(), parts_.end(),
                         [](const Part& part) { return part.store != nullptr; });
  }

  /// A loop over [begin, end) of so many vectors each.
  void append_loop(std::vector<Stmt>& out, const Expr& begin, const Expr& end,
                   std::int64_t vectors) {
    const std::string counter = loop_.var + "_vec";
    const Expr offset =
        ir::mul(ir::Var::make(counter), ir::mul(lane_count(loop_.lanes), ir::index(vectors)));
    ir::Ranges inside = loop_.ranges;
    if (const auto n = ir::try_constant(end)) inside[counter] = {0, *n - 1};
    std::vector<Stmt> body;
    append_vectors(body, offset, vectors, inside);
    out.push_back(
        ir::For::make(counter, begin, end, loop_.kind, ir::Block::make(std::move(body)), where()));
  }

  /// `count` vectors from begin + offset on, each statement of all of them, as what they compute is
  /// independent.
  void append_vectors(std::vector<Stmt>& out, const Expr& offset, std::int64_t count,
                      const ir::Ranges& ranges) {
    for (const Part& part : parts_) {
      for (std::int64_t u = 0; u < count; ++u) {
        out.push_back(chunk(part,
                            {ir::add(offset, ir::index(u * loop_.lanes.count)), loop_.lanes, {}},
                            u % width_, ranges));
      }
    }
  }

  void append_rest(std::vector<Stmt>& out) {
    if (!loop_.rest.defined()) return;
    const Expr done = known_ ? ir::index(*known_ * loop_.lanes.count)
                             : ir::mul(loop_.num_vectors, lane_count(loop_.lanes));
    const bool is_full = ir::try_constant(loop_.rest) == loop_.rest_lanes.count;
    const Vector last{done, loop_.rest_lanes, is_full ? Expr() : loop_.rest};
    std::vector<Stmt> rest;
    for (const Part& part : parts_) {
      rest.push_back(chunk(part, last, known_ ? *known_ % width_ : 0, loop_.ranges));
    }
    if (known_) {
      out.insert(out.end(), rest.begin(), rest.end());
    } else {
      out.push_back(ir::If::make(ir::fold(BinaryOp::Gt, loop_.rest, ir::index(0)),
                                 ir::Block::make(std::move(rest)), {}, where()));
    }
  }

  std::vector<Expr> place_of(std::int64_t u) const { return {ir::index(u * loop_.lanes.count)}; }

  Stmt start(const Part& part, std::int64_t u) const {
    const Expr identity = identity_of(part.form->op, part.accumulator->type);
    return ir::VectorStore::make(part.accumulator, place_of(u), 1,
                                 ir::Broadcast::make(identity, loop_.lanes), {}, part.store->where);
  }

  /// Iterations from begin + offset on.
  struct Vector {
    Expr offset;
    ir::Lanes lanes;
    Expr active;  ///< undefined: all
  };

  /// One vector of a statement; sums into accumulator `u`.
  Stmt chunk(const Part& part, const Vector& vector, std::int64_t u, const ir::Ranges& ranges) {
    const Expr base = ir::add(loop_.begin, vector.offset);
    const VectorChunk one{loop_.var, base, vector.lanes, vector.active, loop_.forms, loop_.ranges};
    Stmt body = part.stmt;
    if (part.store != nullptr) {
      const Expr lane =
          ir::add(ir::sub(ir::Var::make(loop_.var), base), ir::index(u * loop_.lanes.count));
      const Expr sum = converted(ir::Load::make(part.accumulator, {lane}), wide(part));
      const Expr value = both(part, sum, part.form->term, part.accumulator->type);
      body = ir::Store::make(part.accumulator, {lane}, value, part.store->where);
    }
    return vectorize_body(simplify_lane_divisions(body, one, ranges), one, remarks_);
  }

  /// The type that elements are combined in.
  static DType wide(const Part& part) { return part.form->term.type().scalar; }

  static Expr both(const Part& part, const Expr& a, const Expr& b, DType type) {
    return converted(ir::Binary::make(combine_op(part.form->op), a, b), type);
  }

  Stmt result(const Part& part) const {
    const Expr lanes = ir::ReduceLanes::make(part.form->op, combined(part, 0, width_));
    return ir::Store::make(part.store->buffer, part.store->indices,
                           both(part, part.form->place, lanes, part.accumulator->type),
                           part.store->where);
  }

  /// Elements that are only stored wrap where they are stored, and so do not here.
  Expr combined(const Part& part, std::int64_t from, std::int64_t to) const {
    if (to - from == 1) {
      return converted(ir::VectorLoad::make(part.accumulator, place_of(from), 1, loop_.lanes),
                       wide(part));
    }
    const std::int64_t middle = (from + to + 1) / 2;
    return both(part, combined(part, from, middle), combined(part, middle, to), wide(part));
  }

  /// With the accumulators around it.
  Stmt wrapped(std::vector<Stmt> stmts) const {
    Stmt out = ir::Block::make(std::move(stmts));
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      if (part->store == nullptr) continue;
      out = ir::Allocate::make(part->accumulator, std::move(out), part->store->where);
    }
    return out;
  }

  bool is_lacking(const Stmt& s) const {
    return loop_.forms != nullptr && loop_.forms->lack && !loop_.forms->lack(s).empty();
  }

  const AccumulatedLoop& loop_;
  std::vector<Part> parts_;
  std::optional<std::int64_t> known_;  ///< the number of vectors
  std::int64_t width_ = 1;             ///< accumulators of each sum
  Remarks remarks_;                    ///< what has no vector form
};

/// The statements of a body, those of loops that are written out one by one; false when these are
/// too many.
bool add_statements(const Stmt& body, std::vector<Stmt>& out) {
  if (const auto* block = body.as_or_null<ir::Block>()) {
    return std::all_of(block->stmts.begin(), block->stmts.end(),
                       [&](const Stmt& s) { return add_statements(s, out); });
  }
  const auto* loop = body.as_or_null<ir::For>();
  const auto begin = loop == nullptr ? std::nullopt : ir::try_constant(loop->begin);
  const auto end = loop == nullptr ? std::nullopt : ir::try_constant(loop->end);
  if (!begin || !end || loop->for_kind != ir::ForKind::Unrolled) {
    out.push_back(body);
    return true;
  }
  for (std::int64_t i = *begin; i < *end; ++i) {
    if (!add_statements(ir::substitute(loop->body, {{loop->var, ir::index(i)}}), out)) return false;
    if (out.size() > kMostStatements) return false;
  }
  return true;
}

/// Whether two sums add to elements of one buffer that are never the same, and read none of it.
bool are_apart(const Part& a, const Part& b) {
  if (a.store == nullptr || b.store == nullptr || a.store->buffer != b.store->buffer) return false;
  const ir::Buffer& buffer = a.store->buffer;
  if (ir::uses(a.form->term, buffer) || ir::uses(b.form->term, buffer)) return false;
  const auto place = [&](const Part& part) {
    return ir::linear_of(ir::flat_index(*buffer, part.store->indices));
  };
  const ir::Linear between = place(a) - place(b);
  return between.terms.empty() && between.constant != 0;
}

/// The statements of a body; nullopt when none is a sum, or other statements use what one sums up.
std::optional<std::vector<Part>> parts_of(const AccumulatedLoop& loop) {
  const auto moves = [&](const Expr& index) { return ir::mentions(index, loop.var); };
  std::vector<Stmt> statements;
  if (!add_statements(loop.body, statements)) return std::nullopt;
  std::vector<Part> out;
  for (const Stmt& stmt : statements) {
    Part part{stmt, {}, {}, {}};
    const auto* store = part.stmt.as_or_null<ir::Store>();
    if (store != nullptr && std::none_of(store->indices.begin(), store->indices.end(), moves)) {
      part.form = try_reduction(*store);
      // A term that is the same in every lane needs no vectors.
      if (part.form && ir::mentions(part.form->term, loop.var)) part.store = store;
    }
    out.push_back(std::move(part));
  }
  bool has_sum = false;
  for (const Part& sum : out) {
    if (sum.store == nullptr) continue;
    has_sum = true;
    for (const Part& other : out) {
      if (&other == &sum || are_apart(sum, other)) continue;
      if (ir::uses(other.stmt, sum.store->buffer)) return std::nullopt;
    }
  }
  return has_sum ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

std::optional<Stmt> try_accumulate(const AccumulatedLoop& loop) {
  const std::int64_t full = ir::try_constant(loop.num_vectors).value_or(2);
  const bool is_one = full < 1 || (full == 1 && !loop.rest.defined());
  if (is_one) return std::nullopt;
  auto parts = parts_of(loop);
  if (!parts) return std::nullopt;
  return Accumulation(loop, std::move(*parts)).run();
}

}  // namespace solway::lowering
