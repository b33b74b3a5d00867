#include "lowering/sums_inside.h"

#include <algorithm>
#include <vector>

#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Stmt;
using Loops = std::vector<const ir::For*>;

/// What a value reads of an array.
class PlacesRead final : public ir::Visitor {
 public:
  explicit PlacesRead(const ir::Store& store) : store_(store) {}
  bool has_sum = false;
  bool has_other = false;

 private:
  void visit(const ir::Load& e) override {
    if (e.buffer == store_.buffer) {
      const bool is_there = std::equal(e.indices.begin(), e.indices.end(), store_.indices.begin(),
                                       store_.indices.end(), ir::equal);
      (is_there ? has_sum : has_other) = true;
    }
    Visitor::visit(e);
  }

  const ir::Store& store_;
};

bool is_sum(const ir::Store& store) {
  PlacesRead places(store);
  places.walk(store.value);
  return places.has_sum && !places.has_other && store.buffer->scope != "register";
}

bool moves(const ir::For& loop, const ir::Store& store) {
  return std::any_of(store.indices.begin(), store.indices.end(),
                     [&](const ir::Expr& index) { return ir::mentions(index, loop.var); });
}

bool bounds_mention(const ir::For& loop, const Loops& of_sum) {
  return std::any_of(of_sum.begin(), of_sum.end(), [&](const ir::For* one) {
    return ir::mentions(loop.begin, one->var) || ir::mentions(loop.end, one->var);
  });
}

Stmt around(const Loops& loops, Stmt body, bool are_short) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    const ir::For& s = **loop;
    const bool is_unrolled = s.for_kind == ir::ForKind::Unrolled;
    const ir::ForKind kind = is_unrolled && !are_short ? ir::ForKind::Serial : s.for_kind;
    body = ir::For::make(s.var, s.begin, s.end, kind, std::move(body), s.where);
  }
  return body;
}

}  // namespace

Stmt sums_inside(const Stmt& nest) {
  Loops loops;
  const Stmt* inner = &nest;
  while (const auto* loop = inner->as_or_null<ir::For>()) {
    loops.push_back(loop);
    inner = &loop->body;
  }
  const auto* store = inner->as_or_null<ir::Store>();
  if (store == nullptr || !is_sum(*store)) return nest;
  Loops of_results;
  Loops of_sum;
  for (const ir::For* loop : loops) (moves(*loop, *store) ? of_results : of_sum).push_back(loop);
  const bool may_move =
      !of_sum.empty() && std::none_of(loops.begin(), loops.end(), [&](const ir::For* loop) {
        const bool is_of_results = moves(*loop, *store);
        return loop->for_kind == ir::ForKind::Parallel ||
               (is_of_results ? bounds_mention(*loop, of_sum)
                              : loop->for_kind == ir::ForKind::Vectorized);
      });
  if (!may_move) return nest;
  return around(of_results, around(of_sum, *inner, /*are_short=*/true), /*are_short=*/false);
}

}  // namespace solway::lowering
