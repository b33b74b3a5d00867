#include "lowering/spread_lines.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kMostStraight = 16;  ///< requests of one iteration without a loop

/// A loop inside the one whose iterations count.
struct Inner {
  const ir::For* loop = nullptr;
  std::string var;
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> extent;  ///< nullopt: not known
};

Inner inner_of(const ir::For& s) {
  const auto begin = ir::try_constant(s.begin);
  const auto end = ir::try_constant(s.end);
  if (!begin || !end) return {&s, s.var, std::nullopt, std::nullopt};
  return {&s, s.var, begin, std::max<std::int64_t>(0, *end - *begin)};
}

/// Places at equal distances.
struct Dim {
  std::int64_t stride = 1;  ///< in elements
  std::int64_t count = 1;
  bool operator==(const Dim&) const = default;
};

/// What a read touches in one iteration: base + sum of stride * [0, count).
struct Box {
  ir::Linear base;
  std::vector<Dim> dims;

  /// Adds `count` places, each `step` elements behind the one before, or in front of it.
  void add(std::int64_t step, std::int64_t count) {
    if (step < 0) base.constant += step * (count - 1);
    if (step != 0) dims.push_back({std::abs(step), count});
  }
};

/// Merges places that follow each other, the nearest first. What lies nearer than a line counts as
/// one stretch, whose elements are the first dimension.
std::vector<Dim> merged(std::vector<Dim> dims, std::int64_t line_elems) {
  std::sort(dims.begin(), dims.end(), [](const Dim& a, const Dim& b) {
    return std::pair(a.stride, a.count) < std::pair(b.stride, b.count);
  });
  std::vector<Dim> out{{1, 1}};
  for (const Dim& dim : dims) {
    Dim& last = out.back();
    const bool is_near =
        out.size() == 1 ? dim.stride <= std::max(last.count, line_elems)
                        : dim.stride % last.stride == 0 && dim.stride / last.stride <= last.count;
    if (is_near) {
      last.count += dim.stride / last.stride * (dim.count - 1);
    } else if (dim.count > 1) {
      out.push_back(dim);
    }
  }
  return out;
}

/// Boxes of the reads of one buffer in an iteration.
class Boxes final : public ir::Visitor {
 public:
  Boxes(const std::string& buffer, std::string at, std::int64_t line_bytes)
      : name_(buffer), at_(std::move(at)), line_bytes_(line_bytes) {}

  /// Boxes that differ by a constant alone, at equal distances, are one.
  std::vector<Box> take() const {
    std::map<std::pair<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>>,
             std::vector<const Box*>>
        alike;
    for (const Box& box : found_) {
      std::string terms;
      for (const auto& [key, term] : box.base.terms) {
        terms += key + "*" + std::to_string(term.coefficient) + "+";
      }
      std::vector<std::pair<std::int64_t, std::int64_t>> dims;
      for (const Dim& dim : box.dims) dims.emplace_back(dim.stride, dim.count);
      alike[{terms, dims}].push_back(&box);
    }
    std::vector<Box> out;
    for (const auto& [key, boxes] : alike) join(boxes, out);
    return out;
  }

  ir::Buffer buffer;
  std::string why;  ///< some read has no box

 private:
  std::int64_t line_elems() const {
    return std::max<std::int64_t>(1, line_bytes_ / size_bytes(buffer->type));
  }

  void join(const std::vector<const Box*>& boxes, std::vector<Box>& out) const {
    std::vector<std::int64_t> places;
    for (const Box* box : boxes) places.push_back(box->base.constant);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    const std::int64_t apart = places.size() > 1 ? places[1] - places[0] : 0;
    bool is_even = true;
    for (std::size_t k = 1; k < places.size(); ++k) {
      is_even = is_even && places[k] - places[k - 1] == apart;
    }
    Box one = *boxes.front();
    if (is_even) {
      one.base.constant = places.front();
      one.dims.push_back(
          {std::max<std::int64_t>(1, apart), static_cast<std::int64_t>(places.size())});
      one.dims = merged(std::move(one.dims), line_elems());
      out.push_back(std::move(one));
      return;
    }
    for (const std::int64_t place : places) {
      one.base.constant = place;
      out.push_back(one);
    }
  }

  void visit(const ir::For& s) override {
    loops_.push_back(inner_of(s));
    Visitor::visit(s);
    loops_.pop_back();
  }

  void visit(const ir::Let& s) override {
    own_.push_back(s.var);
    Visitor::visit(s);
    own_.pop_back();
  }

  void visit(const ir::Load& e) override {
    if (e.buffer->name == name_) add(e.buffer, e.indices, {1, 1});
    Visitor::visit(e);
  }

  void visit(const ir::VectorLoad& e) override {
    const std::int64_t lanes = e.type.lanes.scalable ? 1 : e.type.lanes.count;
    if (e.buffer->name == name_) add(e.buffer, e.indices, {e.stride_elems, lanes});
    Visitor::visit(e);
  }

  void add(const ir::Buffer& from, const std::vector<Expr>& indices, const Dim& lanes) {
    buffer = from;
    const auto has = [&](const std::string& var) {
      return std::any_of(indices.begin(), indices.end(),
                         [&](const Expr& index) { return ir::mentions(index, var); });
    };
    if (!has(at_)) return;
    const bool is_data = std::any_of(indices.begin(), indices.end(), [](const Expr& index) {
      return index.type() != ir::kInt64 || ir::has_load(index);
    });
    if (is_data || std::any_of(own_.begin(), own_.end(), has)) {
      why = "where it reads depends on data";
      return;
    }
    Box box{ir::linear_of(ir::flat_index(*from, indices)), {}};
    box.add(lanes.stride, lanes.count);
    for (const Inner& loop : loops_) {
      if (has(loop.var) && !take_out(loop, box)) return;
    }
    box.dims = merged(std::move(box.dims), line_elems());
    found_.push_back(std::move(box));
  }

  /// Makes a loop a dimension of the box.
  bool take_out(const Inner& loop, Box& box) {
    std::int64_t step = 0;
    for (auto at = box.base.terms.begin(); at != box.base.terms.end();) {
      const Expr& atom = at->second.atom;
      if (!ir::mentions(atom, loop.var)) {
        ++at;
        continue;
      }
      if (atom.kind() != ir::ExprKind::Var) {
        why = "the place of what '" + loop.var + "' reads is not affine";
        return false;
      }
      step = at->second.coefficient;
      at = box.base.terms.erase(at);
    }
    if (!loop.extent) {
      why = "'" + loop.var + "' has no constant extent";
      return false;
    }
    if (*loop.extent == 0) return false;
    box.base.constant += step * *loop.begin;
    box.add(step, *loop.extent);
    return true;
  }

  const std::string& name_;
  std::string at_;
  std::int64_t line_bytes_;
  std::vector<Inner> loops_;
  std::vector<std::string> own_;  ///< variables that statements around define
  std::vector<Box> found_;
};

/// The place in a loop's body where most iterations of a loop inside it run.
class Places final : public ir::Visitor {
 public:
  explicit Places(const std::set<std::string>& vars) : vars_(vars) {}

  std::vector<Inner> best;  ///< the loops down to it; empty: none of constant extents
  std::int64_t iterations = 0;

 private:
  void visit(const ir::For& s) override {
    path_.push_back(inner_of(s));
    if (vars_.count(s.var) != 0) take();
    Visitor::visit(s);
    path_.pop_back();
  }

  void take() {
    std::int64_t count = 1;
    for (const Inner& loop : path_) count *= loop.extent.value_or(0);
    if (count <= iterations) return;
    iterations = count;
    best = path_;
  }

  const std::set<std::string>& vars_;
  std::vector<Inner> path_;
};

/// Puts statements at the beginning of the body of the last loop of a path; others may have its
/// variable, such as those of a last, smaller tile.
class AtBeginning final : public ir::Mutator {
 public:
  AtBeginning(const std::vector<Inner>& path, std::vector<Stmt> first)
      : path_(path), first_(std::move(first)) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (is_done_ || &s != path_[depth_].loop) return self;
    Stmt body;
    if (depth_ + 1 == path_.size()) {
      std::vector<Stmt> all = first_;
      all.push_back(s.body);
      body = ir::Block::make(std::move(all));
      is_done_ = true;
    } else {
      ++depth_;
      body = mutate(s.body);
      --depth_;
    }
    return ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  const std::vector<Inner>& path_;
  std::vector<Stmt> first_;
  std::size_t depth_ = 0;
  bool is_done_ = false;  ///< a nest may be in the tree several times
};

Expr quotient(const Expr& a, std::int64_t b) {
  return ir::fold(BinaryOp::FloorDiv, a, ir::index(b));
}
Expr rest(const Expr& a, std::int64_t b) { return ir::fold(BinaryOp::Mod, a, ir::index(b)); }

class Spreader final : public ir::Mutator {
 public:
  Spreader(const std::vector<LinesRequest>& requests, std::int64_t line_bytes,
           std::vector<std::string>& why)
      : requests_(requests), line_bytes_(line_bytes), why_(why) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    around_.push_back(s.var);
    Stmt body = mutate(s.body);
    around_.pop_back();
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (requests_[k].inside.empty() || requests_[k].loops.count(s.var) == 0) continue;
      body = spread(k, s, body);
    }
    return body.same_as(s.body) ? self
                                : ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  Stmt spread(std::size_t k, const ir::For& s, const Stmt& body) {
    const LinesRequest& request = requests_[k];
    Places places(request.inside);
    places.walk(body);
    Boxes boxes(request.buffer, s.var, line_bytes_);
    boxes.walk(body);
    if (places.best.empty()) {
      note(k, "no loop of constant extent to spread them over runs in '" + s.var + "'");
      return body;
    }
    const std::vector<Box> found = boxes.take();
    if (!boxes.why.empty() || found.empty()) {
      note(k, !boxes.why.empty() ? boxes.why
                                 : "nothing that '" + s.var + "' moves is read of it there");
      return body;
    }
    done_.insert(k);
    why_[k].clear();
    Expr turn = ir::index(0);
    for (const Inner& loop : places.best) {
      turn = ir::add(ir::mul(turn, ir::index(*loop.extent)),
                     ir::sub(ir::Var::make(loop.var), ir::index(*loop.begin)));
    }
    const std::map<std::string, Expr> later = iteration_later(s, request.distance);
    std::vector<Stmt> asked;
    for (const Box& box : found) {
      ask(box, boxes.buffer, {turn, places.iterations}, later, request.where, asked);
    }
    return AtBeginning(places.best, std::move(asked))(body);
  }

  void note(std::size_t k, const std::string& why) {
    if (done_.count(k) == 0) why_[k] = why;
  }

  /// The loop's variable `distance` iterations later, and that of the loop around it where it ends.
  std::map<std::string, Expr> iteration_later(const ir::For& s, std::int64_t distance) const {
    const Expr later = ir::add(ir::Var::make(s.var), ir::index(distance));
    const Inner own = inner_of(s);
    if (around_.empty() || !own.extent || *own.extent < 1) return {{s.var, later}};
    const Expr since = ir::sub(later, ir::index(*own.begin));
    const Expr around = ir::Var::make(around_.back());
    return {{s.var, ir::add(rest(since, *own.extent), ir::index(*own.begin))},
            {around_.back(), ir::add(around, quotient(since, *own.extent))}};
  }

  struct Turn {
    Expr number;
    std::int64_t count = 1;
  };

  /// Requests of one turn: lines floor(t * lines / turns) of all turns of `share` each.
  void ask(const Box& box, const ir::Buffer& buffer, const Turn& turn,
           const std::map<std::string, Expr>& later, const SourceLoc& where,
           std::vector<Stmt>& out) {
    const std::int64_t line_elems =
        std::max<std::int64_t>(1, line_bytes_ / size_bytes(buffer->type));
    std::vector<Dim> dims = box.dims;
    dims.front() = {line_elems, (dims.front().count + line_elems - 1) / line_elems};
    std::int64_t lines = 1;
    for (const Dim& dim : dims) lines *= dim.count;
    const std::int64_t share = (lines + turn.count - 1) / turn.count;
    const auto request = [&](const Expr& of_turn) {
      Expr n = ir::add(ir::mul(turn.number, ir::index(share)), of_turn);
      if (lines != share * turn.count) {
        n = quotient(ir::mul(n, ir::index(lines)), share * turn.count);
      }
      Expr place = substitute(ir::to_expr(box.base), later);
      for (std::size_t d = 0; d < dims.size(); ++d) {
        const Expr part = d + 1 == dims.size() ? n : rest(n, dims[d].count);
        place = ir::add(place, ir::mul(part, ir::index(dims[d].stride)));
        n = quotient(n, dims[d].count);
      }
      std::vector<Expr> at(buffer->shape.size(), ir::index(0));
      at.back() = ir::simplify(place);
      return ir::Prefetch::make(buffer, std::move(at), where);
    };
    if (share <= kMostStraight) {
      for (std::int64_t j = 0; j < share; ++j) out.push_back(request(ir::index(j)));
      return;
    }
    const std::string var = buffer->name + "_line" + std::to_string(loops_made_++);
    out.push_back(ir::For::make(var, ir::index(0), ir::index(share), ir::ForKind::Serial,
                                request(ir::Var::make(var)), where));
  }

  const std::vector<LinesRequest>& requests_;
  std::int64_t line_bytes_;
  std::vector<std::string>& why_;
  std::set<std::size_t> done_;
  std::vector<std::string> around_;
  int loops_made_ = 0;
};

}  // namespace

Stmt spread_lines(const Stmt& s, const std::vector<LinesRequest>& requests, std::int64_t line_bytes,
                  std::vector<std::string>& why) {
  why.assign(requests.size(), "no such loop is left in the code");
  return Spreader(requests, line_bytes, why)(s);
}

}  // namespace solway::lowering
