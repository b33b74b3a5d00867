#include "lowering/lane_states.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lowering/chosen_positions.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/reduction_form.h"
#include "lowering/vector_body.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kMostVectors = 4;  ///< that accumulate apart
/// Rounds of twice as many that pay for combining these, and registers that hold them.
constexpr std::int64_t kLongRounds = 8;
constexpr int kManyRegisters = 32;

/// A body that combines terms with elements.
struct Combination {
  std::vector<const ir::Let*> terms;     ///< of each element
  std::vector<std::string> names;        ///< of its new value
  std::vector<Expr> values;              ///< ... which reads elements
  std::vector<const ir::Store*> stores;  ///< ... stored
  std::vector<std::string> states;       ///< names for the elements that `values` read
  std::vector<Expr> results;             ///< `values` with these

  std::size_t count() const { return stores.size(); }
};

/// Puts names in the place of loads of elements.
class NamedStates final : public ir::Mutator {
 public:
  explicit NamedStates(const Combination& combination) : combination_(combination) {}

  bool reads_others() const { return reads_others_; }

 private:
  using Mutator::rewrite;

  Expr rewrite(const ir::Load& e, const Expr& self) override {
    for (std::size_t k = 0; k < combination_.stores.size(); ++k) {
      const ir::Store& store = *combination_.stores[k];
      const bool is_state = e.buffer == store.buffer &&
                            std::equal(e.indices.begin(), e.indices.end(), store.indices.begin(),
                                       store.indices.end(), ir::equal);
      if (is_state) return ir::Var::make(combination_.states[k], self.type());
    }
    reads_others_ = true;
    return self;
  }

  const Combination& combination_;
  bool reads_others_ = false;
};

/// The stores of a block, or one store; empty: other statements are there.
std::vector<const ir::Store*> stores_of(const Stmt& s) {
  std::vector<const ir::Store*> out;
  const auto* block = s.as_or_null<ir::Block>();
  for (const Stmt& one : block == nullptr ? std::vector{s} : block->stmts) {
    const auto* store = one.as_or_null<ir::Store>();
    if (store == nullptr) return {};
    out.push_back(store);
  }
  return out;
}

bool is_variable(const Expr& e, const std::string& name) {
  const auto* var = e.as_or_null<ir::Var>();
  return var != nullptr && var->name == name;
}

/// Whether stores are to different buffers, each at a place that the loop does not move.
bool are_elements(const std::vector<const ir::Store*>& stores, const std::string& var) {
  for (std::size_t k = 0; k < stores.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) {
      if (stores[k]->buffer == stores[other]->buffer) return false;
    }
    for (const Expr& index : stores[k]->indices) {
      if (ir::mentions(index, var) || ir::has_load(index)) return false;
    }
  }
  return true;
}

std::optional<Combination> combination_of(const Stmt& body, const std::string& var) {
  std::vector<const ir::Let*> lets;
  const Stmt* inside = &body;
  while (const auto* let = inside->as_or_null<ir::Let>()) {
    lets.push_back(let);
    inside = &let->body;
  }
  Combination out;
  out.stores = stores_of(*inside);
  const std::size_t count = out.count();
  // One value has no name.
  const bool is_one = count == 1 && lets.size() == 1;
  if (count == 0 || (!is_one && lets.size() != 2 * count) || !are_elements(out.stores, var)) {
    return std::nullopt;
  }
  const auto middle = lets.begin() + static_cast<std::ptrdiff_t>(count);
  out.terms.assign(lets.begin(), middle);
  for (std::size_t k = 0; k < count; ++k) {
    const ir::Let* value = is_one ? nullptr : middle[static_cast<std::ptrdiff_t>(k)];
    if (value != nullptr && !is_variable(out.stores[k]->value, value->var)) return std::nullopt;
    out.names.push_back(is_one ? out.terms[k]->var + "_value" : value->var);
    out.values.push_back(is_one ? out.stores[k]->value : value->value);
    for (const ir::Store* store : out.stores) {
      if (ir::uses(out.terms[k]->value, store->buffer)) return std::nullopt;
    }
    for (const Expr& index : out.stores[k]->indices) {
      for (const ir::Let* let : lets) {
        if (ir::mentions(index, let->var)) return std::nullopt;
      }
    }
    out.states.push_back(out.terms[k]->var + "_before");
  }
  NamedStates named(out);
  for (const Expr& value : out.values) {
    if (ir::mentions(value, var)) return std::nullopt;
    out.results.push_back(named(value));
  }
  return named.reads_others() ? std::nullopt : std::optional(std::move(out));
}

/// Which int64 elements are positions that lanes may hold as int32, and are larger with each term.
struct Positions {
  std::set<std::string> narrow;                ///< variables of these
  std::map<std::string, std::string> smaller;  ///< the element before, of each such term
};

Positions positions_of(const Combination& combination, const CombinedLoop& loop) {
  Positions out;
  const ir::Range all{lowest(DType::Int32), largest(DType::Int32)};
  for (std::size_t k = 0; k < combination.count(); ++k) {
    const ir::Let& term = *combination.terms[k];
    const std::string& before = combination.states[k];
    const bool is_one =
        term.value.type() == ir::kInt64 && chooses_among(combination.results[k], term.var, before);
    const auto range = is_one ? ir::try_range(term.value, loop.ranges) : std::nullopt;
    if (!range || range->lo < all.lo || range->hi > all.hi) continue;
    out.narrow.insert({term.var, before, combination.names[k]});
    if (ir::try_coefficient(term.value, loop.var).value_or(0) > 0) out.smaller[term.var] = before;
  }
  return out;
}

/// Puts int32 in the place of positions; false where there are none, or more is done with them.
bool narrow(Combination& combination, const Positions& positions) {
  if (positions.narrow.empty()) return false;
  std::vector<Expr> results;
  for (const Expr& result : combination.results) {
    auto made = try_narrow(result, positions.narrow);
    if (!made) return false;
    results.push_back(*std::move(made));
  }
  combination.results = std::move(results);
  return true;
}

/// Lanes that vectors of all values and terms have; 0: not known.
int most_lanes(const Combination& combination, const CombinedLoop& loop) {
  if (loop.forms == nullptr) return 0;
  std::set<DType> types;
  for (std::size_t k = 0; k < combination.count(); ++k) {
    types.merge(ir::types_read(combination.terms[k]->value));
    types.insert(combination.results[k].type().scalar);
  }
  return least_lanes(loop.forms->lanes, types);
}

/// Vectors that accumulate apart.
std::int64_t width_of(const CombinedLoop& loop, std::int64_t num_vectors) {
  if (num_vectors < kMostVectors) return 2;
  const bool has_registers = loop.forms != nullptr && loop.forms->registers >= kManyRegisters;
  const bool is_long = num_vectors >= kLongRounds * 2 * kMostVectors;
  return has_registers && is_long ? 2 * kMostVectors : kMostVectors;
}

class LaneStates {
 public:
  LaneStates(const CombinedLoop& loop, Combination combination, const Positions& positions)
      : loop_(loop),
        combination_(std::move(combination)),
        num_vectors_(loop.extent / loop.lanes),
        width_(width_of(loop, num_vectors_)) {
    for (std::size_t k = 0; k < combination_.count(); ++k) {
      const ir::Lanes all{static_cast<int>(width_) * loop.lanes, false};
      lanes_.push_back(ir::make_vectors(loop.name + "_" + std::to_string(k),
                                        combination_.results[k].type().scalar, {}, all,
                                        "register"));
      with_later_.push_back(with_order(combination_.results[k], positions.smaller));
    }
  }

  /// nullopt when a statement has no vector form.
  std::optional<Stmt> run() {
    std::vector<Stmt> out;
    for (std::int64_t u = 0; u < width_; ++u) out.push_back(first_terms(u));
    append_rounds(out);
    for (std::int64_t part = width_ * loop_.lanes / 2; part > 0; part /= 2) append_half(out, part);
    out.push_back(result());
    if (!remarks_.empty()) return std::nullopt;
    Stmt all = ir::Block::make(std::move(out), where());
    for (auto buffer = lanes_.rbegin(); buffer != lanes_.rend(); ++buffer) {
      all = ir::Allocate::make(*buffer, std::move(all), where());
    }
    return all;
  }

 private:
  const SourceLoc& where() const { return combination_.stores[0]->where; }
  Expr own_var() const { return ir::Var::make(loop_.var); }

  /// `var` counts iterations from `base` on, in vector `u` of those that accumulate.
  Expr lane(const Expr& base, std::int64_t u) const {
    return ir::add(ir::sub(own_var(), base), ir::index(u * loop_.lanes));
  }

  Stmt vectorized(const Stmt& body, const Expr& base, std::int64_t lanes) {
    const VectorChunk chunk{loop_.var, base,        {static_cast<int>(lanes), false},
                            {},        loop_.forms, loop_.ranges};
    return vectorize_body(body, chunk, remarks_);
  }

  Stmt in_terms(Stmt body) const {
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      const ir::Let& term = *combination_.terms[k];
      body =
          ir::Let::make(term.var, converted(term.value, lanes_[k]->type), std::move(body), where());
    }
    return body;
  }

  Stmt first_terms(std::int64_t u) {
    const Expr base = ir::add(loop_.begin, ir::index(u * loop_.lanes));
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const ir::Let& term = *combination_.terms[k];
      stores.push_back(ir::Store::make(lanes_[k], {lane(base, u)},
                                       ir::Var::make(term.var, {lanes_[k]->type, {}}), where()));
    }
    return vectorized(in_terms(ir::Block::make(std::move(stores))), base, loop_.lanes);
  }

  /// The new values, of elements that lie at `place`, stored there.
  Stmt combined_at(const Expr& place, const std::vector<Expr>& results) const {
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const Expr value = ir::Var::make(combination_.names[k], results[k].type());
      stores.push_back(ir::Store::make(lanes_[k], {place}, value, where()));
    }
    Stmt out = ir::Block::make(std::move(stores));
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      out = ir::Let::make(combination_.names[k], results[k], std::move(out), where());
    }
    return in_lanes(combination_.states, place, std::move(out));
  }

  /// With names for what the lanes at a place hold.
  Stmt in_lanes(const std::vector<std::string>& names, const Expr& place, Stmt body) const {
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      body = ir::Let::make(names[k], ir::Load::make(lanes_[k], {place}), std::move(body), where());
    }
    return body;
  }

  /// One more vector of terms, into vector `u`.
  Stmt more_terms(const Expr& offset, std::int64_t u) {
    const Expr base = ir::add(loop_.begin, offset);
    return vectorized(in_terms(combined_at(lane(base, u), with_later_)), base, loop_.lanes);
  }

  void append_rounds(std::vector<Stmt>& out) {
    const std::int64_t rounds = num_vectors_ / width_;
    const std::string counter = loop_.var + "_vec";
    const auto offset = [&](const Expr& round, std::int64_t u) {
      return ir::add(ir::mul(round, ir::index(width_ * loop_.lanes)), ir::index(u * loop_.lanes));
    };
    if (rounds > 1) {
      std::vector<Stmt> round;
      for (std::int64_t u = 0; u < width_; ++u) {
        round.push_back(more_terms(offset(ir::Var::make(counter), u), u));
      }
      out.push_back(ir::For::make(counter, ir::index(1), ir::index(rounds), loop_.kind,
                                  ir::Block::make(std::move(round)), where()));
    }
    for (std::int64_t u = 0; u < num_vectors_ % width_; ++u) {
      out.push_back(more_terms(offset(ir::index(rounds), u), u));
    }
  }

  std::vector<std::string> term_names() const {
    std::vector<std::string> out;
    for (const ir::Let* term : combination_.terms) out.push_back(term->var);
    return out;
  }

  /// `part` lanes from `part` on into those before them.
  void append_half(std::vector<Stmt>& out, std::int64_t part) {
    const std::int64_t lanes = std::min<std::int64_t>(part, loop_.lanes);
    for (std::int64_t from = 0; from < part; from += lanes) {
      const Expr place = ir::add(own_var(), ir::index(from));
      const Stmt both = in_lanes(term_names(), ir::add(place, ir::index(part)),
                                 combined_at(place, combination_.results));
      out.push_back(lanes > 1 ? vectorized(both, ir::index(0), lanes)
                              : ir::simplify(ir::substitute(both, {{loop_.var, ir::index(0)}})));
    }
  }

  /// What the first lane holds with the elements.
  Stmt result() const {
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const ir::Store& store = *combination_.stores[k];
      const Expr value = ir::Var::make(combination_.names[k], combination_.values[k].type());
      stores.push_back(ir::Store::make(store.buffer, store.indices, value, store.where));
    }
    Stmt out = ir::Block::make(std::move(stores));
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      out = ir::Let::make(combination_.names[k], combination_.values[k], std::move(out), where());
    }
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      const ir::Let& term = *combination_.terms[k];
      const Expr first = ir::Load::make(lanes_[k], {ir::index(0)});
      out = ir::Let::make(term.var, converted(first, term.value.type().scalar), std::move(out),
                          where());
    }
    return out;
  }

  const CombinedLoop& loop_;
  Combination combination_;
  std::int64_t num_vectors_;
  std::int64_t width_;             ///< vectors that accumulate, a power of two
  std::vector<ir::Buffer> lanes_;  ///< of each element
  std::vector<Expr> with_later_;   ///< the results with terms behind those that lanes hold
  Remarks remarks_;                ///< what has no vector form
};

}  // namespace

std::optional<CombinedLanes> try_combine_in_lanes(CombinedLoop loop) {
  auto combination = combination_of(loop.body, loop.var);
  if (!combination) return std::nullopt;
  const Positions positions = positions_of(*combination, loop);
  Combination narrowed = *combination;
  const int most = narrow(narrowed, positions) ? most_lanes(narrowed, loop) : loop.lanes;
  if (most > loop.lanes && loop.extent / 2 >= most) {
    loop.lanes = most;
    combination = std::move(narrowed);
  }
  const bool has_halves = loop.lanes > 1 && (loop.lanes & (loop.lanes - 1)) == 0;
  if (loop.extent / 2 < loop.lanes || !has_halves) return std::nullopt;
  auto made = LaneStates(loop, *std::move(combination), positions).run();
  if (!made) return std::nullopt;
  return CombinedLanes{*std::move(made), loop.extent / loop.lanes * loop.lanes};
}

}  // namespace solway::lowering
