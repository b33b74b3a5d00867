#include "lowering/prefetch_lines.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/spread_lines.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// A read of one element, or of a vector that begins with it.
struct Read {
  std::vector<Expr> indices;
  std::int64_t lanes = 1;
  std::int64_t stride_elems = 1;
};

/// Reads of one buffer in statements without loops inside.
class Reads final : public ir::Visitor {
 public:
  explicit Reads(const std::string& buffer) : name_(buffer) {}

  std::vector<Read> found;
  ir::Buffer buffer;
  std::set<std::string> own;  ///< variables that the statements themselves define

 private:
  void visit(const ir::Let& s) override {
    own.insert(s.var);
    Visitor::visit(s);
  }

  void visit(const ir::Load& e) override {
    if (e.buffer->name == name_) add(e.buffer, {e.indices});
    Visitor::visit(e);
  }

  void visit(const ir::VectorLoad& e) override {
    const std::int64_t lanes = e.type.lanes.scalable ? 1 : e.type.lanes.count;
    if (e.buffer->name == name_) add(e.buffer, {e.indices, lanes, e.stride_elems});
    Visitor::visit(e);
  }

  void add(const ir::Buffer& from, Read read) {
    buffer = from;
    found.push_back(std::move(read));
  }

  const std::string& name_;
};

class HasLoop final : public ir::Visitor {
 public:
  bool found = false;

 private:
  void visit(const ir::For& /*s*/) override { found = true; }
};

bool has_loop(const Stmt& s) {
  HasLoop visitor;
  visitor.walk(s);
  return visitor.found;
}

/// The lines that were asked for behind some statements.
class Lines {
 public:
  Lines(ir::Buffer buffer, std::int64_t line_bytes)
      : buffer_(std::move(buffer)),
        line_elems_(std::max<std::int64_t>(1, line_bytes / size_bytes(buffer_->type))) {}

  /// Adds the lines of a read, but those that neighbours of it have.
  void add(const Read& read) {
    for (std::int64_t lane = 0; lane < read.lanes; ++lane) add(read, lane * read.stride_elems);
  }

  std::vector<std::vector<Expr>> take() { return std::move(indices_); }

 private:
  void add(const Read& read, std::int64_t elem) {
    std::vector<Expr> at = read.indices;
    if (elem != 0) at.back() = ir::add(at.back(), ir::index(elem));
    ir::Linear place = ir::linear_of(ir::flat_index(*buffer_, at));
    const auto is_near = [&](const ir::Linear& other) {
      const ir::Linear apart = place - other;
      return apart.terms.empty() && std::abs(apart.constant) < line_elems_;
    };
    if (std::any_of(places_.begin(), places_.end(), is_near)) return;
    places_.push_back(std::move(place));
    for (Expr& index : at) index = ir::simplify(index);
    indices_.push_back(std::move(at));
  }

  ir::Buffer buffer_;
  std::int64_t line_elems_;
  std::vector<ir::Linear> places_;
  std::vector<std::vector<Expr>> indices_;
};

class Prefetcher final : public ir::Mutator {
 public:
  Prefetcher(const std::vector<LinesRequest>& requests, std::int64_t line_bytes)
      : requests_(requests), line_bytes_(line_bytes) {}

  std::set<std::size_t> loops;  ///< requests whose loop is there
  std::set<std::size_t> done;   ///< those that found a read

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const std::size_t before = open_.size();
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (!requests_[k].inside.empty() || requests_[k].loops.count(s.var) == 0) continue;
      open_.push_back({k, s.var});
      loops.insert(k);
    }
    const Stmt body = mutate(s.body);
    Stmt out = self;
    if (!body.same_as(s.body))
      out = ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
    open_.resize(before);
    return out;
  }

  Stmt rewrite(const ir::Block& s, const Stmt& self) override {
    std::vector<Stmt> out;
    bool changed = false;
    for (std::size_t k = 0; k < s.stmts.size();) {
      std::size_t end = k;
      while (end < s.stmts.size() && !has_loop(s.stmts[end])) ++end;
      if (end == k) {
        out.push_back(mutate(s.stmts[k++]));
        changed = changed || !out.back().same_as(s.stmts[k - 1]);
        continue;
      }
      const std::vector<Stmt> straight(s.stmts.begin() + static_cast<std::ptrdiff_t>(k),
                                       s.stmts.begin() + static_cast<std::ptrdiff_t>(end));
      const std::vector<Stmt> asked = prefetches(straight);
      out.insert(out.end(), straight.begin(), straight.end());
      out.insert(out.end(), asked.begin(), asked.end());
      changed = changed || !asked.empty();
      k = end;
    }
    return changed ? ir::Block::make(std::move(out), s.where) : self;
  }

  Stmt rewrite(const ir::Store& /*s*/, const Stmt& self) override { return alone(self); }
  Stmt rewrite(const ir::VectorStore& /*s*/, const Stmt& self) override { return alone(self); }
  Stmt rewrite(const ir::Let& s, const Stmt& self) override {
    return has_loop(self) ? Mutator::rewrite(s, self) : alone(self);
  }
  Stmt rewrite(const ir::If& s, const Stmt& self) override {
    return has_loop(self) ? Mutator::rewrite(s, self) : alone(self);
  }

  Stmt alone(const Stmt& s) {
    std::vector<Stmt> out = prefetches({s});
    if (out.empty()) return s;
    out.insert(out.begin(), s);
    return ir::Block::make(std::move(out));
  }

  /// Whether the loop moves the read, to a place that follows from loops around alone.
  static bool is_known_early(const Read& read, const std::string& loop,
                             const std::set<std::string>& own) {
    const auto is_fixed = [&](const Expr& index) {
      return index.type() == ir::kInt64 && !has_load(index) &&
             std::none_of(own.begin(), own.end(),
                          [&](const std::string& var) { return ir::mentions(index, var); });
    };
    const auto moves = [&](const Expr& index) { return ir::mentions(index, loop); };
    return std::all_of(read.indices.begin(), read.indices.end(), is_fixed) &&
           std::any_of(read.indices.begin(), read.indices.end(), moves);
  }

  std::vector<Stmt> prefetches(const std::vector<Stmt>& statements) {
    std::vector<Stmt> out;
    for (const auto& [k, loop] : open_) {
      const LinesRequest& request = requests_[k];
      Reads reads(request.buffer);
      for (const Stmt& s : statements) reads.walk(s);
      if (reads.found.empty()) continue;
      Lines lines(reads.buffer, line_bytes_);
      const Expr later = ir::add(ir::Var::make(loop), ir::index(request.distance));
      for (Read& read : reads.found) {
        if (!is_known_early(read, loop, reads.own)) continue;
        for (Expr& index : read.indices) index = substitute(index, {{loop, later}});
        lines.add(read);
      }
      for (std::vector<Expr>& at : lines.take()) {
        out.push_back(ir::Prefetch::make(reads.buffer, std::move(at), request.where));
        done.insert(k);
      }
    }
    return out;
  }

  const std::vector<LinesRequest>& requests_;
  std::int64_t line_bytes_;
  /// Requests of the loops around, with the variables of these.
  std::vector<std::pair<std::size_t, std::string>> open_;
};

}  // namespace

Stmt prefetch_lines(const Stmt& s, const std::vector<LinesRequest>& requests,
                    std::int64_t line_bytes, Remarks& remarks) {
  Prefetcher prefetcher(requests, line_bytes);
  Stmt out = prefetcher(s);
  std::vector<std::string> why;
  out = spread_lines(out, requests, line_bytes, why);
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (prefetcher.done.count(k) != 0) continue;
    const LinesRequest& request = requests[k];
    const std::string loop = request.loops.empty() ? "" : *request.loops.begin();
    if (request.inside.empty()) {
      why[k] = prefetcher.loops.count(k) == 0
                   ? "no such loop is left in the code"
                   : "nothing that '" + loop + "' moves is read of it there";
    }
    if (why[k].empty()) continue;
    remarks.push_back({"prefetch_lines(" + request.buffer + ", " + loop + ")", "has no effect",
                       why[k], request.where});
  }
  return out;
}

}  // namespace solway::lowering
