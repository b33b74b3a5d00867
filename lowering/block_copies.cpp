#include "lowering/block_copies.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

constexpr std::int64_t kBlock = 16;  ///< iterations of the outer loop
constexpr std::int64_t kFarBytes =
    1024;                                ///< from one place to the next of the inner loop, at least
constexpr std::int64_t kNearBytes = 64;  ///< ... of the outer loop, at most: a line
constexpr std::int64_t kFewest = 8;      ///< iterations of the inner loop

/// Where a copy of one element or vector goes; undefined where a statement is none.
Expr place_of_copy(const Stmt& s) {
  if (const auto* store = s.as_or_null<ir::Store>()) {
    const auto* load = store->value.as_or_null<ir::Load>();
    if (load == nullptr || load->buffer == store->buffer) return {};
    return ir::flat_index(*store->buffer, store->indices);
  }
  const auto* store = s.as_or_null<ir::VectorStore>();
  const auto* load = store == nullptr ? nullptr : store->value.as_or_null<ir::VectorLoad>();
  if (load == nullptr || load->buffer == store->buffer) return {};
  return ir::flat_index(*store->buffer, store->indices);
}

const ir::Buffer& buffer_of(const Stmt& s) {
  const auto* store = s.as_or_null<ir::Store>();
  return store != nullptr ? store->buffer : s.as<ir::VectorStore>().buffer;
}

/// Bytes from one iteration to the next.
std::optional<std::int64_t> step_bytes(const Stmt& copy, const Expr& place, const ir::For& loop) {
  const auto step = ir::try_coefficient(place, loop.var);
  if (!step) return std::nullopt;
  return std::abs(*step) * size_bytes(buffer_of(copy)->type);
}

bool is_worth(const ir::For& outer, const ir::For& inner) {
  const bool is_serial =
      outer.for_kind == ir::ForKind::Serial && inner.for_kind == ir::ForKind::Serial;
  const auto begin = ir::try_constant(inner.begin);
  const auto end = ir::try_constant(inner.end);
  if (!is_serial || !begin || !end || *end - *begin < kFewest) return false;
  const Expr place = place_of_copy(inner.body);
  if (!place.defined()) return false;
  const auto far = step_bytes(inner.body, place, inner);
  const auto near = step_bytes(inner.body, place, outer);
  return far && near && *far >= kFarBytes && *near > 0 && *near <= kNearBytes;
}

class CopyBlocker final : public ir::Mutator {
  using Mutator::rewrite;

  Stmt rewrite(const ir::For& outer, const Stmt& self) override {
    const auto* const inner = outer.body.as_or_null<ir::For>();
    if (inner == nullptr || !is_worth(outer, *inner)) return Mutator::rewrite(outer, self);
    const auto begin = ir::try_constant(outer.begin);
    const auto end = ir::try_constant(outer.end);
    if (!begin || !end || *end - *begin < 2 * kBlock) return self;
    const std::int64_t blocks = (*end - *begin) / kBlock;
    const std::int64_t rest = *begin + blocks * kBlock;
    std::vector<Stmt> out{in_blocks(outer, *inner, *begin, blocks)};
    if (rest < *end) {
      out.push_back(ir::For::make(outer.var, ir::index(rest), outer.end, outer.for_kind, outer.body,
                                  outer.where));
    }
    return ir::Block::make(std::move(out));
  }

  static Stmt in_blocks(const ir::For& outer, const ir::For& inner, std::int64_t begin,
                        std::int64_t blocks) {
    const std::string block = outer.var + "_block";
    const Expr first = ir::add(ir::mul(ir::Var::make(block), ir::index(kBlock)), ir::index(begin));
    const Stmt body = ir::simplify(
        ir::substitute(inner.body, {{outer.var, ir::add(first, ir::Var::make(outer.var))}}));
    const Stmt some = ir::For::make(outer.var, ir::index(0), ir::index(kBlock), outer.for_kind,
                                    body, outer.where);
    const Stmt far =
        ir::For::make(inner.var, inner.begin, inner.end, inner.for_kind, some, inner.where);
    return ir::For::make(block, ir::index(0), ir::index(blocks), outer.for_kind, far, outer.where);
  }
};

}  // namespace

Stmt block_copies(const Stmt& s) { return CopyBlocker()(s); }

}  // namespace solway::lowering
