#include "codegen/llvm/detail/interleaved_stores.h"

#include <cstdint>

#include "codegen/llvm/detail/lanes.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/uses_buffer.h"
#include "support/lanes_apart.h"

namespace solway::codegen::detail {
namespace {

using Vectors = std::vector<llvm::Value*>;

const ir::VectorStore* apart_or_null(const ir::Stmt& s) {
  const auto* store = s.as_or_null<ir::VectorStore>();
  const bool is_apart = store != nullptr && store->stride_elems > 1 &&
                        store->stride_elems <= kMostLanesApart && !store->buffer->is_scalable &&
                        !store->value.type().lanes.scalable && store->buffer->type != DType::Bool;
  return is_apart ? store : nullptr;
}

bool are_as_many(const ir::Expr& a, const ir::Expr& b) {
  return a.defined() == b.defined() && (!a.defined() || ir::equal(a, b));
}

/// Lanes of so many vectors in turn: each step takes them from two.
Vectors interleaved(llvm::IRBuilder<>& b, const Vectors& vectors, int lanes) {
  const auto count = static_cast<int>(vectors.size());
  const auto shuffle = [&](llvm::Value* x, llvm::Value* y, const auto& source) {
    llvm::SmallVector<int, 64> mask;
    for (int lane = 0; lane < lanes; ++lane) mask.push_back(source(lane));
    return b.CreateShuffleVector(x, y, mask);
  };
  if (count == 2 || count == 4) {
    const auto two = [&](llvm::Value* x, llvm::Value* y, int half) {
      return shuffle(x, y, [&](int lane) { return lane % 2 * lanes + (half * lanes + lane) / 2; });
    };
    if (count == 2) return {two(vectors[0], vectors[1], 0), two(vectors[0], vectors[1], 1)};
    Vectors out;
    for (const int half : {0, 1}) {
      llvm::Value* const even = two(vectors[0], vectors[2], half);
      llvm::Value* const odd = two(vectors[1], vectors[3], half);
      for (const int part : {0, 1}) out.push_back(two(even, odd, part));
    }
    return out;
  }
  Vectors out;
  for (int part = 0; part < count; ++part) {
    llvm::Value* made = vectors[0];
    for (int from = 1; from < count; ++from) {
      made = shuffle(made, vectors[static_cast<std::size_t>(from)], [&](int lane) {
        const int place = part * lanes + lane;
        if (place % count == from) return lanes + place / count;
        return from == 1 ? place / count : lane;  // of the first one, or what was put there before
      });
    }
    out.push_back(made);
  }
  return out;
}

}  // namespace

std::size_t interleaved_stores(const std::vector<ir::Stmt>& stmts, std::size_t first) {
  const ir::VectorStore* const head = apart_or_null(stmts[first]);
  if (head == nullptr) return 0;
  const auto count = static_cast<std::size_t>(head->stride_elems);
  if (first + count > stmts.size()) return 0;
  const ir::Linear start = ir::linear_of(ir::flat_index(*head->buffer, head->indices));
  for (std::size_t k = 0; k < count; ++k) {
    const ir::VectorStore* const store = apart_or_null(stmts[first + k]);
    if (store == nullptr || store->buffer != head->buffer ||
        store->stride_elems != head->stride_elems || store->value.type() != head->value.type() ||
        !are_as_many(store->active, head->active) || ir::uses(store->value, head->buffer)) {
      return 0;
    }
    const ir::Linear place = ir::linear_of(ir::flat_index(*store->buffer, store->indices));
    const ir::Linear apart = place - start;
    if (!apart.terms.empty() || apart.constant != static_cast<std::int64_t>(k)) return 0;
  }
  return count;
}

void emit_interleaved_stores(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                             const std::vector<ir::Stmt>& stmts, std::size_t first,
                             std::size_t count) {
  const auto& head = stmts[first].as<ir::VectorStore>();
  Vectors values;
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(exprs.value(stmts[first + k].as<ir::VectorStore>().value));
  }
  auto* const type = llvm::cast<llvm::FixedVectorType>(values.front()->getType());
  const auto lanes = static_cast<int>(type->getNumElements());
  llvm::Value* active = nullptr;
  if (head.active.defined()) {
    active = b.CreateMul(exprs.value(head.active), b.getInt64(count));
  }
  llvm::Value* const start = b.CreateGEP(type->getElementType(), exprs.pointer(head.buffer),
                                         exprs.position(head.buffer, head.indices));
  const llvm::Align align = exprs.element_alignment(head.buffer);
  const Vectors made = interleaved(b, values, lanes);
  for (std::size_t part = 0; part < made.size(); ++part) {
    llvm::Value* const before = b.getInt64(part * static_cast<std::size_t>(lanes));
    llvm::Value* const at = b.CreateGEP(type->getElementType(), start, before);
    llvm::Value* const mask =
        active == nullptr
            ? nullptr
            : emit_active_or_null(b, b.CreateSub(active, before), type->getElementCount());
    if (mask == nullptr) {
      b.CreateAlignedStore(made[part], at, align);
    } else {
      b.CreateMaskedStore(made[part], at, align, mask);
    }
  }
}

}  // namespace solway::codegen::detail
