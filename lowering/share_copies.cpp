#include "lowering/share_copies.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/for_all_cores.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/visitor.h"
#include "support/target.h"

namespace solway::lowering {
namespace {

using ir::Stmt;

/// From so many iterations on, parts of many threads are about equal.
constexpr std::int64_t kEnough = 16;

/// What a statement writes.
class Writes final : public ir::Visitor {
 public:
  bool fills_shared = false;
  bool has_others = false;

 private:
  using Visitor::visit;
  void wrote(const ir::Buffer& buffer) {
    if (own_.count(buffer) != 0) return;
    (buffer->scope == kSharedScope ? fills_shared : has_others) = true;
  }
  void visit(const ir::Store& s) override {
    wrote(s.buffer);
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    wrote(s.buffer);
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    own_.insert(s.buffer);
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& /*s*/) override { has_others = true; }
  void visit(const ir::TransferWait& /*s*/) override { has_others = true; }
  void visit(const ir::Exchange& /*s*/) override { has_others = true; }
  void visit(const ir::Call& /*s*/) override { has_others = true; }

  std::set<ir::Buffer> own_;  ///< allocated in the statement
};

bool is_shared_copy(const Stmt& s) {
  Writes writes;
  writes.walk(s);
  return writes.fills_shared && !writes.has_others;
}

/// How often a loop runs; the most there is where that is known later.
std::int64_t iterations_of(const ir::For& loop) {
  const auto begin = ir::try_constant(loop.begin);
  const auto end = ir::try_constant(loop.end);
  return begin && end ? *end - *begin : std::numeric_limits<std::int64_t>::max();
}

/// The loop of a nest, each directly in the one before, that is shared out.
const ir::For* chosen_loop(const ir::For& outermost) {
  const ir::For* best = nullptr;
  for (const ir::For* loop = &outermost; loop != nullptr; loop = loop->body.as_or_null<ir::For>()) {
    if (loop->for_kind != ir::ForKind::Serial) break;
    if (best == nullptr || iterations_of(*loop) > iterations_of(*best)) best = loop;
    if (iterations_of(*best) >= kEnough) break;
  }
  return best;
}

Stmt with_parallel(const ir::For& loop, const ir::For* chosen) {
  const bool is_it = &loop == chosen;
  const Stmt body = is_it ? loop.body : with_parallel(loop.body.as<ir::For>(), chosen);
  return ir::For::make(loop.var, loop.begin, loop.end,
                       is_it ? ir::ForKind::Parallel : loop.for_kind, body, loop.where);
}

/// Goes where all threads do.
class Sharer final : public ir::Mutator {
  using Mutator::rewrite;

  Stmt rewrite(const ir::For& loop, const Stmt& self) override {
    if (loop.for_kind == ir::ForKind::Parallel) return self;
    if (ir::is_for_all_cores(self)) return Mutator::rewrite(loop, self);
    const ir::For* const chosen = is_shared_copy(self) ? chosen_loop(loop) : nullptr;
    return chosen == nullptr ? self : with_parallel(loop, chosen);
  }
  Stmt rewrite(const ir::If& s, const Stmt& self) override {
    return ir::is_for_all_cores(self) ? Mutator::rewrite(s, self) : self;
  }
  Stmt rewrite(const ir::Let& s, const Stmt& self) override {
    return ir::is_for_all_cores(self) ? Mutator::rewrite(s, self) : self;
  }
  Stmt rewrite(const ir::Allocate& s, const Stmt& self) override {
    return ir::is_for_all_cores(self) ? Mutator::rewrite(s, self) : self;
  }
  /// A block without anything for all threads is a piece of one of them, but for copies alone.
  Stmt rewrite(const ir::Block& s, const Stmt& self) override {
    return ir::is_for_all_cores(self) || is_shared_copy(self) ? Mutator::rewrite(s, self) : self;
  }
};

}  // namespace

Stmt share_copies(const Stmt& s) { return ir::is_for_all_cores(s) ? Sharer()(s) : s; }

}  // namespace solway::lowering
