#include "lowering/allocate_buffers.h"

#include <algorithm>
#include <vector>

#include "lowering/ir/mutator.h"
#include "lowering/ir/uses_buffer.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

/// Goes down while a single statement holds all uses.
class Allocator final : public ir::Mutator {
 public:
  Allocator(const ir::Buffer& buffer, const SourceLoc& where) : buffer_(buffer), where_(where) {}

  Stmt run(const Stmt& s) {
    const Stmt out = mutate(s);
    return is_done_ ? out : ir::Allocate::make(buffer_, s, where_);
  }

 private:
  Stmt rewrite(const ir::Block& s, const Stmt& self) override {
    const auto is_user = [&](const Stmt& child) { return ir::uses(child, buffer_); };
    if (std::count_if(s.stmts.begin(), s.stmts.end(), is_user) != 1) return self;
    std::vector<Stmt> stmts = s.stmts;
    Stmt& user = *std::find_if(stmts.begin(), stmts.end(), is_user);
    const Stmt before = user;
    user = mutate(user);
    return user.same_as(before) ? self : ir::Block::make(std::move(stmts), s.where);
  }

  Stmt rewrite(const ir::If& s, const Stmt& self) override {
    const bool is_split =
        s.else_body.defined() && ir::uses(s.then_body, buffer_) && ir::uses(s.else_body, buffer_);
    return is_split ? self : Mutator::rewrite(s, self);
  }

  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (!ir::uses(s.body, buffer_)) return self;
    const Stmt inner = Mutator::rewrite(s, self);
    if (is_done_ || s.for_kind != ir::ForKind::Parallel) return inner;
    is_done_ = true;
    return ir::For::make(s.var, s.begin, s.end, s.for_kind,
                         ir::Allocate::make(buffer_, s.body, where_), s.where);
  }

  const ir::Buffer& buffer_;
  const SourceLoc& where_;
  bool is_done_ = false;
};

/// Finds vectorized loops that use a buffer.
class VectorizedUse final : public ir::Visitor {
 public:
  explicit VectorizedUse(const ir::Buffer& buffer) : buffer_(buffer) {}
  bool found = false;

 private:
  using Visitor::visit;
  void visit(const ir::For& s) override {
    found = found || (s.for_kind == ir::ForKind::Vectorized && ir::uses(s.body, buffer_));
    Visitor::visit(s);
  }

  const ir::Buffer& buffer_;
};

class LaneAllocator final : public ir::Mutator {
 public:
  LaneAllocator(const ir::Buffer& buffer, const SourceLoc& where)
      : buffer_(buffer), where_(where) {}

  Stmt run(const Stmt& s) {
    if (!ir::uses(s, buffer_)) return s;
    return is_vectorized_in(s) ? mutate(s) : allocated(s);
  }

 private:
  bool is_vectorized_in(const Stmt& s) const {
    VectorizedUse finder(buffer_);
    finder.walk(s);
    return finder.found;
  }

  Stmt allocated(const Stmt& s) const { return ir::Allocate::make(buffer_, s, where_); }

  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (!ir::uses(s.body, buffer_)) return self;
    const bool is_loop = s.for_kind == ir::ForKind::Vectorized;
    const Stmt body = is_loop ? allocated(s.body) : run(s.body);
    return ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  Stmt rewrite(const ir::If& s, const Stmt& /*self*/) override {
    return ir::If::make(s.condition, run(s.then_body),
                        s.else_body.defined() ? run(s.else_body) : Stmt(), s.where);
  }

  /// What uses the buffer in no vectorized loop is one iteration of it, from its first use to its
  /// last.
  Stmt rewrite(const ir::Block& s, const Stmt& /*self*/) override {
    std::vector<Stmt> out;
    std::vector<Stmt> iteration;  // what stands from its first use on
    std::size_t needed = 0;       // of these, those up to the last use
    const auto finish = [&] {
      if (needed > 0) {
        out.push_back(allocated(ir::Block::make(
            {iteration.begin(), iteration.begin() + static_cast<std::ptrdiff_t>(needed)})));
      }
      out.insert(out.end(), iteration.begin() + static_cast<std::ptrdiff_t>(needed),
                 iteration.end());
      iteration.clear();
      needed = 0;
    };
    for (const Stmt& child : s.stmts) {
      if (is_vectorized_in(child)) {
        finish();
        out.push_back(mutate(child));
        continue;
      }
      const bool is_use = ir::uses(child, buffer_);
      if (!is_use && iteration.empty()) {
        out.push_back(child);
        continue;
      }
      iteration.push_back(child);
      if (is_use) needed = iteration.size();
    }
    finish();
    return ir::Block::make(std::move(out), s.where);
  }

  const ir::Buffer& buffer_;
  const SourceLoc& where_;
};

}  // namespace

Stmt allocate_in_vectorized(const Stmt& s, const ir::Buffer& buffer, const SourceLoc& where) {
  return LaneAllocator(buffer, where).run(s);
}

Stmt allocate_in_parallel(const Stmt& s, const ir::Buffer& buffer, const SourceLoc& where) {
  return Allocator(buffer, where).run(s);
}

}  // namespace solway::lowering
