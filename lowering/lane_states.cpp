#include "lowering/lane_states.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/vector_body.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kMostVectors = 4;  ///< that accumulate apart

/// A body that combines terms with elements.
struct Combination {
  std::vector<const ir::Let*> terms;     ///< of each element
  std::vector<const ir::Let*> values;    ///< its new one
  std::vector<const ir::Store*> stores;  ///< ... stored
  std::vector<std::string> states;       ///< names for the elements that `values` read
  std::vector<Expr> results;             ///< `values` with these
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
  const std::size_t count = out.stores.size();
  if (count < 2 || lets.size() != 2 * count || !are_elements(out.stores, var)) return std::nullopt;
  const auto middle = lets.begin() + static_cast<std::ptrdiff_t>(count);
  out.terms.assign(lets.begin(), middle);
  out.values.assign(middle, lets.end());
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_variable(out.stores[k]->value, out.values[k]->var)) return std::nullopt;
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
  for (const ir::Let* value : out.values) {
    if (ir::mentions(value->value, var)) return std::nullopt;
    out.results.push_back(named(value->value));
  }
  return named.reads_others() ? std::nullopt : std::optional(std::move(out));
}

class LaneStates {
 public:
  LaneStates(const CombinedLoop& loop, Combination combination)
      : loop_(loop),
        combination_(std::move(combination)),
        width_(loop.num_vectors < kMostVectors ? 2 : kMostVectors) {
    for (std::size_t k = 0; k < combination_.stores.size(); ++k) {
      const ir::Lanes all{static_cast<int>(width_) * loop.lanes, false};
      lanes_.push_back(ir::make_vectors(loop.name + "_" + std::to_string(k),
                                        combination_.stores[k]->buffer->type, {}, all, "register"));
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
    for (auto let = combination_.terms.rbegin(); let != combination_.terms.rend(); ++let) {
      body = ir::Let::make((*let)->var, (*let)->value, std::move(body), where());
    }
    return body;
  }

  Stmt first_terms(std::int64_t u) {
    const Expr base = ir::add(loop_.begin, ir::index(u * loop_.lanes));
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const ir::Let& term = *combination_.terms[k];
      stores.push_back(ir::Store::make(lanes_[k], {lane(base, u)},
                                       ir::Var::make(term.var, term.value.type()), where()));
    }
    return vectorized(in_terms(ir::Block::make(std::move(stores))), base, loop_.lanes);
  }

  /// The new values, of elements that lie at `place`, stored there.
  Stmt combined_at(const Expr& place) const {
    std::vector<Stmt> stores;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      const ir::Let& value = *combination_.values[k];
      stores.push_back(ir::Store::make(lanes_[k], {place},
                                       ir::Var::make(value.var, value.value.type()), where()));
    }
    Stmt out = ir::Block::make(std::move(stores));
    for (std::size_t k = lanes_.size(); k-- > 0;) {
      out = ir::Let::make(combination_.values[k]->var, combination_.results[k], std::move(out),
                          where());
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
    return vectorized(in_terms(combined_at(lane(base, u))), base, loop_.lanes);
  }

  void append_rounds(std::vector<Stmt>& out) {
    const std::int64_t rounds = loop_.num_vectors / width_;
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
    for (std::int64_t u = 0; u < loop_.num_vectors % width_; ++u) {
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
      const Stmt both = in_lanes(term_names(), ir::add(place, ir::index(part)), combined_at(place));
      out.push_back(lanes > 1 ? vectorized(both, ir::index(0), lanes)
                              : ir::simplify(ir::substitute(both, {{loop_.var, ir::index(0)}})));
    }
  }

  /// What the first lane holds with the elements.
  Stmt result() const {
    std::vector<Stmt> stores;
    for (const ir::Store* store : combination_.stores) {
      stores.push_back(ir::Store::make(store->buffer, store->indices, store->value, store->where));
    }
    Stmt out = ir::Block::make(std::move(stores));
    for (auto let = combination_.values.rbegin(); let != combination_.values.rend(); ++let) {
      out = ir::Let::make((*let)->var, (*let)->value, std::move(out), where());
    }
    return in_lanes(term_names(), ir::index(0), std::move(out));
  }

  const CombinedLoop& loop_;
  Combination combination_;
  std::int64_t width_;             ///< vectors that accumulate, a power of two
  std::vector<ir::Buffer> lanes_;  ///< of each element
  Remarks remarks_;                ///< what has no vector form
};

}  // namespace

std::optional<Stmt> try_combine_in_lanes(const CombinedLoop& loop) {
  const bool has_halves = loop.lanes > 1 && (loop.lanes & (loop.lanes - 1)) == 0;
  if (loop.num_vectors < 2 || !has_halves) return std::nullopt;
  auto combination = combination_of(loop.body, loop.var);
  if (!combination) return std::nullopt;
  return LaneStates(loop, std::move(*combination)).run();
}

}  // namespace solway::lowering
