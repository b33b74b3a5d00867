#include "lowering/vectorize_loops.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/lane_divisions.h"
#include "lowering/lane_states.h"
#include "lowering/vector_accumulator.h"
#include "lowering/vector_body.h"
#include "support/vectors_at_once.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// Vectors of a tile that are written out where it may be a part of one.
constexpr std::int64_t kMostVectorsOfTile = 8;
/// Registers that a scalable sum gathers in.
constexpr int kRegistersOfSum = 4;

/// Functions whose steps wait for each other, a polynomial's.
bool is_in_steps(UnaryOp op) {
  constexpr std::array kInSteps = {UnaryOp::Exp,  UnaryOp::Exp2,  UnaryOp::Expm1, UnaryOp::Log,
                                   UnaryOp::Log2, UnaryOp::Log10, UnaryOp::Log1p, UnaryOp::Sigmoid,
                                   UnaryOp::Tanh, UnaryOp::Erf};
  return std::find(kInSteps.begin(), kInSteps.end(), op) != kInSteps.end();
}

/// What decides how a body is vectorized.
class BodySurvey final : public ir::Visitor {
 public:
  explicit BodySurvey(const std::string& var) : var_(var) {}

  std::set<DType> types;  ///< of the elements that it reads and writes
  bool has_memory_statements = false;
  bool has_vectors = false;
  bool has_registers = false;  ///< a buffer of registers that all lanes share
  bool has_dots = false;
  bool has_loops = false;
  bool has_functions = false;     ///< of floats, in many steps
  bool has_sums = false;          ///< stores that all iterations make to one place
  std::int64_t own_elements = 0;  ///< of buffers of registers that each lane has for itself

 private:
  using Visitor::visit;

  void note(const ir::Buffer& buffer) {
    types.insert(buffer->type);
    const bool is_shared = buffer->scope == "register" && own_.count(buffer.get()) == 0;
    has_registers = has_registers || is_shared;
  }
  void visit(const ir::Load& e) override {
    note(e.buffer);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    note(s.buffer);
    const auto moves = [&](const Expr& index) { return ir::mentions(index, var_); };
    has_sums = has_sums || std::none_of(s.indices.begin(), s.indices.end(), moves);
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    has_vectors = true;
    Visitor::visit(s);
  }
  void visit(const ir::VectorLoad& e) override {
    has_vectors = true;
    Visitor::visit(e);
  }
  void visit(const ir::Dot& e) override {
    has_dots = true;
    walk(e.acc);  // bytes in groups, as many as sums
  }
  void visit(const ir::Unary& e) override {
    has_functions = has_functions || is_in_steps(e.op);
    Visitor::visit(e);
  }
  void visit(const ir::For& s) override {
    has_loops = true;
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    if (s.buffer->scope == "register") {
      own_.insert(s.buffer.get());
      own_elements += s.buffer->num_elements();
    } else {
      has_memory_statements = true;
    }
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
  void visit(const ir::TransferWait& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
  void visit(const ir::Call& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }

  const std::string& var_;  ///< of the loop
  std::set<const ir::BufferNode*> own_;
};

class Vectorizer final : public ir::Mutator {
 public:
  Vectorizer(const VectorForms& forms, Remarks& remarks) : forms_(forms), remarks_(remarks) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind != ir::ForKind::Vectorized) return around(s, self);
    const Stmt body = mutate(s.body);
    BodySurvey survey(s.var);
    survey.walk(body);
    const int lanes = lanes_of(forms_.lanes, survey);
    std::string why;
    if (lanes < 2) why = forms_.no_lanes;
    if (survey.has_vectors) why = "a loop inside it is vectorized";
    if (survey.has_memory_statements) why = "it allocates or transfers memory";
    if (has_load(s.begin) || has_load(s.end)) why = "its bounds are read from memory";
    if (!why.empty()) {
      remarks_.push_back({"vectorize(" + s.var + ")", "kept as a loop", why, s.where});
      return ir::For::make(s.var, s.begin, s.end, ir::ForKind::Serial, body, s.where);
    }
    // Registers have no addresses: their indices must become constants.
    kind_of_many_ = survey.has_registers ? ir::ForKind::Unrolled : ir::ForKind::Serial;
    const Expr extent = to_expr(ir::linear_of(s.end) - ir::linear_of(s.begin));
    const auto constant = ir::try_constant(extent);
    const int at_once = vectors_at_once(survey.own_elements, forms_.registers);
    if (is_scalable(survey, lanes, constant)) {
      const int scalable = lanes_of(forms_.scalable_lanes, survey);
      return vectors(s, body, {scalable * at_once, true}, extent, 1);
    }
    const ir::Lanes fixed{survey.own_elements > 0 ? lanes * at_once : lanes_to_load(lanes, survey),
                          false};
    if (constant) {
      const std::int64_t count = std::max<std::int64_t>(*constant, 0);
      return constant_extent(s, body, fixed, count, functions_at_once(survey, count / fixed.count));
    }
    const int of_functions = functions_at_once(survey, forms_.functions_at_once);
    if (of_functions == 1) {
      if (const auto tile = masked_tile(s, body, survey, fixed.count, extent)) return *tile;
    }
    return vectors(s, body, fixed, extent, of_functions);
  }

  /// All vectors of a tile that may have fewer iterations, each with those that are left for it,
  /// where that costs as much as whole ones: loops around keep the sums of all in registers.
  std::optional<Stmt> masked_tile(const ir::For& s, const Stmt& body, const BodySurvey& survey,
                                  int lanes, const Expr& extent) {
    if (forms_.masked_bytes == 0) return {};
    const std::optional<std::int64_t> all = most_of_tile(extent);
    const bool has_masks = std::all_of(survey.types.begin(), survey.types.end(), [&](DType type) {
      return size_bytes(type) >= forms_.masked_bytes;
    });
    const bool has_bytes = survey.has_dots && forms_.masked_bytes > 1;
    if (!all || *all > kMostVectorsOfTile * lanes || !has_masks || has_bytes ||
        survey.own_elements > 0 || survey.has_sums) {
      return {};
    }
    std::vector<Stmt> parts;
    for (std::int64_t at = 0; at < *all; at += lanes) {
      parts.push_back(chunk(s, body, ir::add(s.begin, ir::index(at)), {lanes, false},
                            ir::sub(extent, ir::index(at))));
    }
    return ir::Block::make(std::move(parts), s.where);
  }

  /// The most that an extent can be that a minimum limits, or, of rows that are written out, what
  /// is known of the loops around.
  std::optional<std::int64_t> most_of_tile(const Expr& extent) const {
    const auto* least = extent.as_or_null<ir::Binary>();
    if (least != nullptr && least->op == BinaryOp::Min) {
      if (const auto most = ir::try_constant(least->b)) return most;
      if (const auto most = ir::try_constant(least->a)) return most;
    }
    if (unrolled_ == 0) return {};
    const auto range = ir::try_range(ir::linear_of(extent), ranges_);
    return range ? std::optional(range->hi) : std::nullopt;
  }

  /// A loop around vectors, whose range tells what they have in common.
  Stmt around(const ir::For& s, const Stmt& self) {
    if (const auto range = try_range(s, ranges_)) ranges_[s.var] = *range;
    const int unrolled = s.for_kind == ir::ForKind::Unrolled ? 1 : 0;
    unrolled_ += unrolled;
    Stmt out = Mutator::rewrite(s, self);
    unrolled_ -= unrolled;
    ranges_.erase(s.var);
    return out;
  }

  /// Of the variables around the body of a loop.
  ir::Ranges ranges_in(const ir::For& s) const {
    ir::Ranges out = ranges_;
    if (const auto range = try_range(s, ranges_)) out[s.var] = *range;
    return out;
  }

  static int lanes_of(const LanesPerType& of_types, const BodySurvey& survey) {
    return survey.types.empty() ? 1 : std::max(1, least_lanes(of_types, survey.types));
  }

  /// Machines load two elements of one byte or two one by one: of such beside 64-bit types, as many
  /// as fill 8 bytes.
  static int lanes_to_load(int lanes, const BodySurvey& survey) {
    if (lanes != 2 || survey.has_registers) return lanes;
    int narrowest = 8;
    for (const DType type : survey.types) narrowest = std::min(narrowest, size_bytes(type));
    return narrowest > 2 ? lanes : 8 / narrowest;
  }

  /// Few iterations are written out. Buffers of registers that all lanes share, and groups of
  /// bytes, have places that depend on the number of lanes.
  bool is_scalable(const BodySurvey& survey, int lanes,
                   const std::optional<std::int64_t>& extent) const {
    if (forms_.scalable_lanes.empty() || survey.has_registers || survey.has_dots) return false;
    return survey.own_elements > 0 || !extent || *extent > kMostVectorsWritten * lanes;
  }

  /// Registers that one vector fills, of a loop of so many registers.
  int functions_at_once(const BodySurvey& survey, std::int64_t registers) const {
    const bool is_plain = !survey.has_registers && !survey.has_loops && survey.own_elements == 0;
    if (!survey.has_functions || !is_plain || forms_.rest != VectorRest::Masked) return 1;
    int out = forms_.functions_at_once;
    while (out > 1 && out > registers) out /= 2;
    return out;
  }

  /// Of a loop whose extent is known when it runs: vectors of `of_one` lanes, or of so many at
  /// once.
  Stmt vectors(const ir::For& s, const Stmt& body, ir::Lanes of_one, const Expr& extent,
               int at_once) {
    const ir::Lanes lanes{of_one.count * at_once, of_one.scalable};
    const std::string count = s.var + "_count";
    const Expr total = ir::Var::make(count);
    const auto in = [&](const ir::Lanes& width, BinaryOp op) {
      return ir::fold(op, total, lane_count(width));
    };
    const Expr rest = in(lanes, BinaryOp::Mod);
    const Expr tail_base = ir::add(s.begin, ir::sub(total, rest));
    // Scalable sums wait for each other less in several registers. What else the loop computes
    // needs these. A partial vector is part of the sum.
    ir::Lanes of_sums = lanes;
    const bool is_alone = body.as_or_null<ir::Store>() != nullptr;
    if (lanes.scalable && is_alone) of_sums.count *= kRegistersOfSum;
    const bool is_masked = lanes.scalable || forms_.rest != VectorRest::Scalar;
    const Expr sum_rest = is_masked ? in(of_sums, BinaryOp::Mod) : Expr();
    const auto sum =
        accumulated(s, body, of_sums, {in(of_sums, BinaryOp::FloorDiv), sum_rest, of_sums, at_once},
                    ir::ForKind::Serial);
    std::vector<Stmt> parts;
    if (sum) {
      parts.push_back(*sum);
    } else {
      append(parts,
             many_vectors(s, body, lanes, in(lanes, BinaryOp::FloorDiv), ir::ForKind::Serial));
    }
    if (!sum || !sum_rest.defined()) {
      parts.push_back(ir::If::make(ir::fold(BinaryOp::Gt, rest, ir::index(0)),
                                   remainder(s, body, tail_base, lanes, rest), {}, s.where));
    }
    return ir::Let::make(count, ir::max(extent, ir::index(0)), ir::Block::make(std::move(parts)),
                         s.where);
  }

  /// Lanes before the first iteration with which vectors of what is stored to a buffer of registers
  /// begin where others of it do: it holds whole vectors.
  int lanes_in_front(const ir::For& s, const Stmt& body, int lanes) const {
    const auto* store = body.as_or_null<ir::Store>();
    const auto begin = ir::try_constant(s.begin);
    if (store == nullptr || store->indices.empty() || store->buffer->scope != "register" ||
        !begin || lanes < 2 || forms_.rest != VectorRest::Masked) {
      return 0;
    }
    const ir::Linear column = ir::linear_of(store->indices.back());
    const bool is_of_loop = column.terms.size() == 1 && column.terms.begin()->first == s.var &&
                            column.terms.begin()->second.coefficient == 1;
    const std::int64_t place = column.constant + *begin;
    if (!is_of_loop || place < 0) return 0;
    const std::int64_t front = place % lanes;
    return place - front + lanes <= store->buffer->shape.back() ? static_cast<int>(front) : 0;
  }

  /// The first vector, which lacks lanes in front, and all others.
  Stmt from_late_start(const ir::For& s, const Stmt& body, ir::Lanes lanes, std::int64_t extent,
                       int front) {
    const std::int64_t in_first = std::min<std::int64_t>(extent, lanes.count - front);
    const Expr active = front + in_first < lanes.count ? ir::index(front + in_first) : Expr();
    std::vector<Stmt> parts = {
        chunk(s, body, ir::sub(s.begin, ir::index(front)), lanes, active, front)};
    if (extent > in_first) {
      const Stmt rest = ir::For::make(s.var, ir::add(s.begin, ir::index(in_first)), s.end,
                                      s.for_kind, body, s.where);
      parts.push_back(constant_extent(rest.as<ir::For>(), body, lanes, extent - in_first, 1));
    }
    return ir::Block::make(std::move(parts), s.where);
  }

  Stmt constant_extent(const ir::For& s, const Stmt& body, ir::Lanes lanes, std::int64_t extent,
                       int at_once) {
    if (const int front = lanes_in_front(s, body, lanes.count); front > 0 && extent > 0) {
      return from_late_start(s, body, lanes, extent, front);
    }
    const ir::Lanes wide{lanes.count * at_once, false};
    const std::int64_t full = extent / wide.count;
    const std::int64_t rest = extent % wide.count;
    if (full == 0 && rest > 0 && forms_.rest == VectorRest::Scalar) {
      remarks_.push_back({"vectorize(" + s.var + ")", "kept as a loop",
                          std::to_string(extent) + " iterations do not fill a vector of " +
                              std::to_string(lanes.count) + " lanes",
                          s.where});
    }
    const bool is_masked = rest > 0 && forms_.rest != VectorRest::Scalar;
    ir::Lanes of_rest = lanes;
    while (of_rest.count < rest) of_rest.count *= 2;
    SumVectors vectors{ir::index(full), {}, of_rest, at_once};
    if (is_masked) vectors.rest = ir::index(rest);
    const auto sum = accumulated(s, body, wide, vectors, kind_of_many_);
    if (sum && (is_masked || rest == 0)) return *sum;
    if (!sum && at_once == 1) {
      if (const auto states = combined_in_lanes(s, body, lanes.count, extent)) return *states;
    }
    std::vector<Stmt> parts;
    if (sum) {
      parts.push_back(*sum);
    } else if (full * at_once > kMostVectorsWritten) {
      append(parts, many_vectors(s, body, wide, ir::index(full), kind_of_many_));
    } else {
      append(parts, written_out(s, body, s.begin, wide, full));
    }
    const Expr base = ir::add(s.begin, ir::index(full * wide.count));
    if (rest == of_rest.count) {
      parts.push_back(chunk(s, body, base, of_rest, {}));
    } else if (rest > 0) {
      parts.push_back(remainder(s, body, base, of_rest, ir::index(rest)));
    }
    return ir::Block::make(std::move(parts), s.where);
  }

  /// Vectors of a sum, and what is left.
  struct SumVectors {
    Expr count;
    Expr rest;  ///< undefined: none
    ir::Lanes rest_lanes;
    int at_once = 1;
  };

  std::optional<Stmt> accumulated(const ir::For& s, const Stmt& body, ir::Lanes lanes,
                                  const SumVectors& vectors, ir::ForKind kind) {
    const std::string name = "sum_" + std::to_string(num_accumulated_) + "_" + s.var;
    auto out =
        try_accumulate({s.var, s.begin, vectors.count, lanes, vectors.rest, vectors.rest_lanes,
                        body, kind, name, vectors.at_once, &forms_, ranges_in(s)});
    if (out) ++num_accumulated_;
    return out;
  }

  /// Values that all iterations combine; those behind the full vectors one by one.
  std::optional<Stmt> combined_in_lanes(const ir::For& s, const Stmt& body, int lanes,
                                        std::int64_t extent) {
    const std::string name = "state_" + std::to_string(num_accumulated_) + "_" + s.var;
    const auto states = try_combine_in_lanes(
        {s.var, s.begin, extent, lanes, body, kind_of_many_, name, &forms_, ranges_in(s)});
    if (!states) return std::nullopt;
    ++num_accumulated_;
    const Expr behind = ir::simplify(ir::add(s.begin, ir::index(states->done)));
    if (ir::equal(behind, s.end)) return states->code;
    return ir::Block::make(
        {states->code, ir::For::make(s.var, behind, s.end, ir::ForKind::Serial, body, s.where)},
        s.where);
  }

  static void append(std::vector<Stmt>& to, std::vector<Stmt> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  /// Loops over vectors: rounds of several, where the target has them, and what is left.
  std::vector<Stmt> many_vectors(const ir::For& s, const Stmt& body, ir::Lanes lanes,
                                 const Expr& count, ir::ForKind kind) {
    const bool in_rounds = forms_.vectors_per_round > 1 && kind == ir::ForKind::Serial;
    const std::int64_t of_round = in_rounds ? forms_.vectors_per_round : 1;
    const Expr rounds = ir::fold(BinaryOp::FloorDiv, count, ir::index(of_round));
    const std::string var = s.var + "_vec";
    const auto from = [&](std::int64_t vectors) {
      return ir::add(s.begin,
                     ir::mul(ir::Var::make(var), ir::mul(lane_count(lanes), ir::index(vectors))));
    };
    const auto known_rounds = ir::try_constant(rounds);
    if (known_rounds && *known_rounds > 0) ranges_[var] = {0, *known_rounds - 1};
    Stmt round = ir::Block::make(written_out(s, body, from(of_round), lanes, of_round), s.where);
    ranges_.erase(var);
    std::vector<Stmt> out = {
        ir::For::make(var, ir::index(0), rounds, kind, std::move(round), s.where)};
    if (!in_rounds) return out;
    const Expr done = ir::mul(rounds, ir::index(of_round));
    if (const auto known = ir::try_constant(count)) {
      const Expr base = ir::add(s.begin, ir::mul(done, lane_count(lanes)));
      append(out, written_out(s, body, base, lanes, *known % of_round));
    } else {
      out.push_back(
          ir::For::make(var, done, count, kind, chunk(s, body, from(1), lanes, {}), s.where));
    }
    return out;
  }

  /// Vectors one after another; where the target runs them in turns, each statement of all of them.
  std::vector<Stmt> written_out(const ir::For& s, const Stmt& body, const Expr& begin,
                                ir::Lanes lanes, std::int64_t count) {
    std::vector<Stmt> out;
    const auto* block = body.as_or_null<ir::Block>();
    const bool by_statement = block != nullptr && forms_.vectors_per_round > 1;
    const std::vector<Stmt> statements = by_statement ? block->stmts : std::vector{body};
    for (const Stmt& one : statements) {
      for (std::int64_t k = 0; k < count; ++k) {
        out.push_back(chunk(s, one, ir::add(begin, ir::index(k * lanes.count)), lanes, {}));
      }
    }
    return out;
  }

  /// The iterations behind the full vectors.
  Stmt remainder(const ir::For& s, const Stmt& body, Expr base, ir::Lanes lanes, const Expr& rest) {
    if (forms_.rest != VectorRest::Scalar) return chunk(s, body, std::move(base), lanes, rest);
    const ir::ForKind kind = ir::try_constant(rest) ? kind_of_many_ : ir::ForKind::Serial;
    const Expr end = ir::add(base, rest);
    return ir::For::make(s.var, std::move(base), end, kind, body, s.where);
  }

  Stmt chunk(const ir::For& s, const Stmt& body, Expr base, ir::Lanes lanes, Expr active,
             int first = 0) {
    Remarks fresh;
    const VectorChunk part{s.var,   std::move(base), lanes, std::move(active),
                           &forms_, ranges_in(s),    first};
    Stmt out = vectorize_body(simplify_lane_divisions(body, part, ranges_), part, fresh);
    for (Remark& remark : fresh) {
      // Each chunk of a loop says the same.
      const bool is_known = std::any_of(remarks_.begin(), remarks_.end(), [&](const Remark& r) {
        return r.step == remark.step && r.why == remark.why && r.where.line == remark.where.line;
      });
      if (!is_known) remarks_.push_back(std::move(remark));
    }
    return out;
  }

  const VectorForms& forms_;
  Remarks& remarks_;
  ir::Ranges ranges_;                               ///< of the loops around
  int unrolled_ = 0;                                ///< loops around that are
  int num_accumulated_ = 0;                         ///< reductions so far, for names
  ir::ForKind kind_of_many_ = ir::ForKind::Serial;  ///< of a loop over a known number of vectors
};

}  // namespace

Stmt vectorize_loops(const Stmt& s, const VectorForms& forms, Remarks& remarks) {
  return Vectorizer(forms, remarks)(s);
}

}  // namespace solway::lowering
