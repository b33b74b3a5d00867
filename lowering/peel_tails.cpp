#include "lowering/peel_tails.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/range.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/simplify_bounds.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

/// A loop whose bounds change at more places stays whole: at two ends of an image and at that of
/// the whole tiles; of few iterations, as the taps of a window, which are looked at one by one, at
/// more.
constexpr std::size_t kMaxCuts = 3;
constexpr std::int64_t kFewIterations = 16;
constexpr std::size_t kMaxCutsOfFew = 6;
/// Nested cuts multiply the code inside; those further in stop at this many copies, or at so many
/// stores, as two directions of windows have two ends each.
constexpr std::size_t kMaxCopies = 16;
constexpr std::int64_t kMaxStores = 4096;

/// The smallest v with c * v + k >= 0; requires c > 0.
std::int64_t first_non_negative(std::int64_t c, std::int64_t k) {
  return -*ir::try_evaluate(BinaryOp::FloorDiv, k, c, DType::Int64);
}

/// What a bound is in each iteration of a loop; none for a loop of many, and where other variables
/// decide, too.
std::vector<std::int64_t> values_of(const ir::Expr& bound, const std::string& var,
                                    std::int64_t begin, std::int64_t end) {
  if (end - begin > kFewIterations) return {};
  std::vector<std::int64_t> out;
  for (std::int64_t v = begin; v < end; ++v) {
    const ir::Expr here = ir::substitute(bound, {{var, ir::index(v)}});
    const auto value = ir::try_constant(simplify_within(here, {}));
    if (!value) return {};
    out.push_back(*value);
  }
  return out;
}

bool is_copied(const ir::For& s) {
  return s.for_kind == ir::ForKind::Vectorized || s.for_kind == ir::ForKind::Unrolled;
}

/// Bounds of unrolled and vectorized loops that are the same in all iterations of a loop of few, as
/// max(q // 2 - q + 1, 0) for q from 1 to 2, become that number.
class SameBounds final : public ir::Mutator {
 public:
  SameBounds(const std::string& var, std::int64_t begin, std::int64_t end)
      : var_(var), begin_(begin), end_(end) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const Stmt body = mutate(s.body);
    const ir::Expr begin = is_copied(s) ? bound(s.begin) : s.begin;
    const ir::Expr end = is_copied(s) ? bound(s.end) : s.end;
    if (body.same_as(s.body) && begin.same_as(s.begin) && end.same_as(s.end)) return self;
    return ir::For::make(s.var, begin, end, s.for_kind, body, s.where);
  }

  ir::Expr bound(const ir::Expr& e) const {
    if (!ir::mentions(e, var_)) return e;
    const auto values = values_of(e, var_, begin_, end_);
    const bool is_same = !values.empty() && std::count(values.begin(), values.end(), values[0]) ==
                                                static_cast<std::ptrdiff_t>(values.size());
    return is_same ? ir::index(values[0]) : e;
  }

  const std::string& var_;
  std::int64_t begin_;
  std::int64_t end_;
};

/// Where the bounds of a vectorized loop change as the variable of `loop` grows: in a loop of few
/// iterations they themselves, else the outcome of a choice or comparison in them. Those of an
/// unrolled one, too, unless the copies of `loop` have such bounds anyway, as it is unrolled
/// itself. And where what they compute takes another side of a select, as around an image.
class CutFinder final : public ir::Visitor {
 public:
  CutFinder(const ir::For& loop, std::int64_t begin, std::int64_t end)
      : var_(loop.var),
        begin_(begin),
        end_(end),
        is_unrolled_(loop.for_kind == ir::ForKind::Unrolled),
        ranges_{{loop.var, {begin, end - 1}}} {}
  std::set<std::int64_t> cuts;           ///< the first value of each new outcome
  std::set<std::int64_t> cuts_of_sides;  ///< ... of a select
  /// Iterations of a loop of few with each of which a vectorized loop decides a select.
  std::set<std::int64_t> cuts_of_lanes;

 private:
  void visit(const ir::For& s) override {
    if (s.for_kind == ir::ForKind::Vectorized) lanes_.insert(s.var);
    const bool counts = is_copied(s) && !(is_unrolled_ && s.for_kind == ir::ForKind::Unrolled);
    if (counts) {
      found_ = &cuts;
      for (const ir::Expr& bound : {s.begin, s.end}) {
        if (!try_values(bound)) walk(bound);
      }
      found_ = nullptr;
    }
    ranges_[s.var] = ir::range_of(s, ranges_);
    const bool outside = std::exchange(is_in_copies_, is_in_copies_ || counts);
    walk(s.body);
    is_in_copies_ = outside;
    ranges_.erase(s.var);
  }

  void visit(const ir::Select& e) override {
    const bool counts = is_in_copies_ && found_ == nullptr && !ir::has_load(e.condition);
    if (counts) found_ = &cuts_of_sides;
    walk(e.condition);
    if (counts) found_ = nullptr;
    walk(e.if_true);
    walk(e.if_false);
  }

  /// Of a loop of few iterations, by what the bound is in each; false: other variables decide, too.
  bool try_values(const ir::Expr& bound) {
    const auto values = values_of(bound, var_, begin_, end_);
    if (values.empty()) return false;
    for (std::size_t k = 1; k < values.size(); ++k) {
      if (values[k] != values[k - 1]) cuts.insert(begin_ + static_cast<std::int64_t>(k));
    }
    return true;
  }

  void visit(const ir::Binary& e) override {
    Visitor::visit(e);
    const bool is_choice = e.op == BinaryOp::Min || e.op == BinaryOp::Max;
    if (found_ == nullptr || e.a.type() != ir::kInt64) return;
    if (!is_choice && !is_comparison(e.op)) return;
    ir::Linear d = ir::linear_of(e.a) - ir::linear_of(e.b);
    const bool has_lanes = std::any_of(d.terms.begin(), d.terms.end(), [&](const auto& term) {
      return lanes_.count(term.first) != 0;
    });
    const auto own = d.terms.find(var_);
    if (own == d.terms.end() || own->second.coefficient == INT64_MIN) return;
    std::int64_t c = own->second.coefficient;
    d.terms.erase(own);
    const auto rest = ir::try_range(d, ranges_);
    if (!rest || rest->lo == INT64_MIN || rest->hi == INT64_MIN) return;
    std::int64_t lo = rest->lo;
    std::int64_t hi = rest->hi;
    const bool is_turned = c < 0;
    if (is_turned) {
      c = -c;
      std::tie(lo, hi) = std::pair(-hi, -lo);
    }
    if (found_ == &cuts_of_sides) {
      if (!is_choice) add_sides(e.op, is_turned, c, lo, hi, has_lanes);
      return;
    }
    if (lo < hi) {
      if (is_choice) add_decided(c, lo, hi);
      return;
    }
    const std::int64_t from_zero = first_non_negative(c, lo);
    const std::int64_t above_zero = first_non_negative(c, lo - 1);
    // A choice between equal values is none.
    if (!is_choice || from_zero == above_zero) cuts.insert(from_zero);
    cuts.insert(above_zero);
  }

  /// A comparison of c * v + k with 0, turned: of its negative, for k from lo to hi: the values v
  /// for which it has one outcome for all k are told from others.
  void add_sides(BinaryOp op, bool is_turned, std::int64_t c, std::int64_t lo, std::int64_t hi,
                 bool has_lanes) {
    const bool is_equation = op == BinaryOp::Eq || op == BinaryOp::Ne;
    const bool turns_at_zero = op == (is_turned ? BinaryOp::Le : BinaryOp::Ge) ||
                               op == (is_turned ? BinaryOp::Gt : BinaryOp::Lt);
    const std::int64_t from = turns_at_zero || is_equation ? 0 : 1;
    const std::int64_t past = turns_at_zero ? 0 : 1;
    const std::int64_t some = first_non_negative(c, hi - from);
    const std::int64_t all = first_non_negative(c, lo - past);
    cuts_of_sides.insert(some);
    cuts_of_sides.insert(all);
    if (!has_lanes || end_ - begin_ > kFewIterations) return;
    for (std::int64_t v = std::max(some, begin_) + 1; v < std::min(all, end_); ++v) {
      cuts_of_lanes.insert(v);
    }
  }

  /// A choice by the sign of c * v + k, for k from lo to hi, that loops inside decide: the values v
  /// for which it is the same for all k are told from others.
  void add_decided(std::int64_t c, std::int64_t lo, std::int64_t hi) {
    const std::int64_t not_always_below = first_non_negative(c, hi - 1);
    const std::int64_t always_above = first_non_negative(c, lo);
    cuts.insert(not_always_below);
    cuts.insert(std::max(not_always_below, always_above));
  }

  const std::string& var_;
  std::int64_t begin_;
  std::int64_t end_;
  bool is_unrolled_;
  bool is_in_copies_ = false;
  std::set<std::int64_t>* found_ = nullptr;  ///< where a choice that decides something is cut
  std::set<std::string> lanes_;              ///< variables of vectorized loops
  ir::Ranges ranges_;  ///< of `loop` and the loops in it around the present place
};

/// Copies of an unrolled loop's body, at most; 1 of another loop.
std::int64_t most_copies(const ir::For& s) {
  if (s.for_kind != ir::ForKind::Unrolled) return 1;
  const std::int64_t last = std::min(ir::range_of(s.end, {}).hi, kMaxStores);
  const std::int64_t first = std::max(ir::range_of(s.begin, {}).lo, -kMaxStores);
  return std::clamp<std::int64_t>(last - first, 1, kMaxStores);
}

/// Stores in what unrolled loops become, at most; one in vectors counts as one.
class StoreCount final : public ir::Visitor {
 public:
  std::int64_t count = 0;

 private:
  void visit(const ir::For& s) override {
    const std::int64_t copies = std::min(copies_ * most_copies(s), kMaxStores);
    const std::int64_t outside = std::exchange(copies_, copies);
    walk(s.body);
    copies_ = outside;
  }
  void visit(const ir::Store& /*s*/) override { count += copies_; }

  std::int64_t copies_ = 1;
};

class TailPeeler final : public ir::Mutator {
 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const std::int64_t unrolled = std::min(unrolled_ * most_copies(s), kMaxStores);
    const std::int64_t outside = std::exchange(unrolled_, unrolled);
    Stmt out = peeled(s, self);
    unrolled_ = outside;
    return out;
  }

  Stmt peeled(const ir::For& s, const Stmt& self) {
    const auto begin = ir::try_constant(s.begin);
    const auto end = ir::try_constant(s.end);
    if (!begin || !end || s.for_kind == ir::ForKind::Vectorized) return Mutator::rewrite(s, self);
    CutFinder finder(s, *begin, *end);
    finder.walk(s.body);
    std::set<std::int64_t> decided = finder.cuts;
    decided.insert(finder.cuts_of_sides.begin(), finder.cuts_of_sides.end());
    std::set<std::int64_t> all = decided;
    all.insert(finder.cuts_of_lanes.begin(), finder.cuts_of_lanes.end());
    // Sides of selects may stay undecided, bounds had better not.
    Cuts made;
    for (const auto* found : {&all, &decided, &finder.cuts}) {
      made = cuts_at(*found, s, *begin, *end);
      if (!made.is_too_much) break;
    }
    std::vector<std::int64_t>& cuts = made.at;
    if (cuts.empty() || made.is_too_much) {
      const Stmt body = mutate(SameBounds(s.var, *begin, *end)(s.body));
      return body.same_as(s.body) ? self : with_body(s, body);
    }
    cuts.push_back(*end);
    std::vector<Stmt> parts;
    std::int64_t from = *begin;
    const std::size_t outside = std::exchange(copies_, made.copies);
    for (const std::int64_t to : cuts) {
      parts.push_back(mutate(simplify_bounds(part(s, from, to))));
      from = to;
    }
    copies_ = outside;
    if (s.for_kind == ir::ForKind::Parallel) return chosen_inside(s, parts, cuts);
    return ir::Block::make(std::move(parts), s.where);
  }

  /// Where a loop is to be cut.
  struct Cuts {
    std::vector<std::int64_t> at;
    std::size_t copies = 1;  ///< of its body, with those by cuts around
    bool is_too_much = false;
  };

  Cuts cuts_at(const std::set<std::int64_t>& found, const ir::For& s, std::int64_t begin,
               std::int64_t end) const {
    Cuts out;
    std::copy_if(found.begin(), found.end(), std::back_inserter(out.at),
                 [&](std::int64_t cut) { return cut > begin && cut < end; });
    const bool is_copied_anyway = s.for_kind == ir::ForKind::Unrolled;
    out.copies = copies_ * (is_copied_anyway ? 1 : out.at.size() + 1);
    const std::size_t most = end - begin <= kFewIterations ? kMaxCutsOfFew : kMaxCuts;
    const bool has_room = out.copies <= kMaxCopies || has_few_stores(s.body, out.copies);
    out.is_too_much = !is_copied_anyway && (out.at.size() > most || !has_room);
    return out;
  }

  /// Whether so many copies of a body, in all unrolled loops around, are not too much.
  bool has_few_stores(const Stmt& body, std::size_t copies) const {
    StoreCount stores;
    stores.walk(body);
    return stores.count <= kMaxStores / (static_cast<std::int64_t>(copies) * unrolled_);
  }

  /// One loop that runs in each iteration what the part does that has it.
  static Stmt chosen_inside(const ir::For& s, const std::vector<Stmt>& parts,
                            const std::vector<std::int64_t>& ends) {
    const auto body_of = [&](std::size_t k) {
      const ir::For* const loop = parts[k].as_or_null<ir::For>();
      return loop != nullptr && loop->var == s.var ? loop->body : parts[k];
    };
    Stmt body = body_of(parts.size() - 1);
    for (std::size_t k = parts.size() - 1; k-- > 0;) {
      const ir::Expr condition =
          ir::Binary::make(BinaryOp::Lt, ir::Var::make(s.var), ir::index(ends[k]));
      body = ir::If::make(condition, body_of(k), body, s.where);
    }
    return with_body(s, body);
  }

  static Stmt with_body(const ir::For& s, const Stmt& body) {
    return ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  static Stmt part(const ir::For& s, std::int64_t from, std::int64_t to) {
    if (to - from == 1) return ir::substitute(s.body, {{s.var, ir::index(from)}});
    return ir::For::make(s.var, ir::index(from), ir::index(to), s.for_kind, s.body, s.where);
  }

  std::size_t copies_ = 1;     ///< of the present statement, by cuts
  std::int64_t unrolled_ = 1;  ///< ... and by the unrolled loops around it
};

}  // namespace

Stmt peel_tails(const Stmt& s) { return TailPeeler()(s); }

}  // namespace solway::lowering
