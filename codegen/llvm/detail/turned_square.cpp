#include "codegen/llvm/detail/turned_square.h"

#include <climits>
#include <cstdint>

#include "codegen/llvm/detail/defer_nan_checks.h"
#include "codegen/llvm/detail/lanes.h"
#include "codegen/llvm/detail/types.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/visitor.h"
#include "support/lanes_apart.h"

namespace solway::codegen::detail {
namespace {

/// Two-input shuffles of rows: those in which `distance` is set move to where it is not.
struct Masks {
  llvm::SmallVector<int, 16> low, high;

  Masks(int lanes, int distance) {
    for (int lane = 0; lane < lanes; ++lane) {
      const bool is_set = (lane & distance) != 0;
      low.push_back(is_set ? lanes + lane - distance : lane);
      high.push_back(is_set ? lanes + lane : lane + distance);
    }
  }
};

/// A store of neighbours; null: it is another statement.
const ir::VectorStore* plain_store_or_null(const ir::Stmt& s) {
  const auto* store = s.as_or_null<ir::VectorStore>();
  const bool is_plain = store != nullptr && store->stride_elems == 1 && !store->buffer->is_scalable;
  return is_plain ? store : nullptr;
}

/// Loads of a value whose lanes lie apart, of those lanes that are stored and from other buffers
/// than these go to.
class StridedLoads final : public ir::Visitor {
 public:
  explicit StridedLoads(const ir::VectorStore& store) : store_(store) { walk(store.value); }
  const SquareOfLoads& found() const { return found_; }

 private:
  void visit(const ir::VectorLoad& e) override {
    const bool is_strided = (e.stride_elems > 1 || e.stride.defined()) && e.first == 0;
    if (is_strided && ir::equal(e.active, store_.active) && !e.type.lanes.scalable &&
        !e.buffer->is_scalable && e.buffer != store_.buffer &&
        e.type.lanes == store_.value.type().lanes)
      found_.push_back(&e);
    Visitor::visit(e);
  }

  const ir::VectorStore& store_;
  SquareOfLoads found_;
};

ir::Linear position(const ir::VectorLoad& load) {
  return ir::linear_of(ir::flat_index(*load.buffer, load.indices));
}

bool is_power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }

/// Whether a load continues a square: from the next neighbours.
bool continues(const SquareOfLoads& rows, const ir::VectorLoad& load) {
  const ir::VectorLoad& head = *rows.front();
  if (load.buffer != head.buffer || load.type != head.type) return false;
  if (load.stride_elems != head.stride_elems) return false;
  if (!ir::equal(load.stride, head.stride) || !ir::equal(load.active, head.active)) return false;
  const ir::Linear apart = position(load) - position(head);
  return apart.terms.empty() && apart.constant == static_cast<std::int64_t>(rows.size());
}

/// Whether as few rows are turned: their elements lie further apart than whole vectors reach, and
/// others are not read.
bool is_worth_a_part(const SquareOfLoads& rows) {
  const ir::VectorLoad& head = *rows.front();
  const auto lanes = static_cast<std::size_t>(head.type.lanes.count);
  const bool is_far = head.stride.defined() || head.stride_elems > kMostLanesApart;
  return rows.size() >= 2 && 4 * rows.size() >= lanes && is_far;
}

/// The rows of a square, turned.
std::vector<llvm::Value*> turned(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                                 const SquareOfLoads& square) {
  const ir::VectorLoad& head = *square.front();
  llvm::Type* const type = memory_type(b.getContext(), head.type);
  const auto lanes = static_cast<std::size_t>(head.type.lanes.count);
  llvm::Value* const corner = b.CreateGEP(type->getScalarType(), exprs.pointer(head.buffer),
                                          exprs.position(head.buffer, head.indices));
  llvm::Value* const stride = exprs.stride_of(head);
  llvm::Value* const active = head.active.defined() ? exprs.value(head.active) : nullptr;
  llvm::Value* const columns =
      emit_active_or_null(b, b.getInt64(square.size()), element_count(head.type.lanes));
  std::vector<llvm::Value*> rows;
  for (std::size_t row = 0; row < lanes; ++row) {
    llvm::Value* const offset = b.CreateMul(stride, b.getInt64(row));
    llvm::Value* const at = b.CreateGEP(type->getScalarType(), corner, offset);
    llvm::Value* mask = columns;
    if (active != nullptr) {  // rows that are not there are not read
      llvm::Value* const is_there = b.CreateVectorSplat(static_cast<unsigned>(lanes),
                                                        b.CreateICmpSLT(b.getInt64(row), active));
      mask = mask == nullptr ? is_there : b.CreateAnd(mask, is_there);
    }
    rows.push_back(exprs.load_neighbours(at, type, exprs.element_alignment(head.buffer), mask));
  }
  for (std::size_t distance = 1; distance < lanes; distance *= 2) {
    const Masks masks(static_cast<int>(lanes), static_cast<int>(distance));
    for (std::size_t row = 0; row < lanes; ++row) {
      if ((row & distance) != 0) continue;
      llvm::Value* const low = b.CreateShuffleVector(rows[row], rows[row + distance], masks.low);
      rows[row + distance] = b.CreateShuffleVector(rows[row], rows[row + distance], masks.high);
      rows[row] = low;
    }
  }
  return rows;
}

}  // namespace

int masked_bytes_of(const llvm::Function& function) {
  if (function.hasFnAttribute(kMasksAttribute)) return 1;
  return function.hasFnAttribute(kWordMasksAttribute) ? 4 : INT_MAX;
}

std::vector<SquareOfLoads> turned_squares(const std::vector<ir::Stmt>& stmts, std::size_t first,
                                          int masked_bytes) {
  const ir::VectorStore* const head = plain_store_or_null(stmts[first]);
  if (head == nullptr) return {};
  const ir::Lanes& lanes = head->value.type().lanes;
  const auto most = static_cast<std::size_t>(lanes.count);
  if (lanes.scalable || most < 2 || !is_power_of_two(most)) return {};
  std::vector<SquareOfLoads> out;
  const StridedLoads of_head(*head);
  for (const ir::VectorLoad* load : of_head.found()) out.push_back({load});
  std::size_t rows = 1;
  for (; rows < most && first + rows < stmts.size(); ++rows) {
    const ir::VectorStore* const store = plain_store_or_null(stmts[first + rows]);
    if (store == nullptr || store->buffer != head->buffer) break;
    const StridedLoads loads(*store);
    if (loads.found().size() != out.size()) break;
    std::vector<std::size_t> going_on;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (out[k].size() == rows && continues(out[k], *loads.found()[k])) going_on.push_back(k);
    }
    if (going_on.empty()) break;
    for (const std::size_t k : going_on) out[k].push_back(loads.found()[k]);
  }
  const bool has_masks = size_bytes(head->buffer->type) >= masked_bytes;
  std::erase_if(out, [&](const SquareOfLoads& square) {
    return square.size() < rows || (rows < most && !(has_masks && is_worth_a_part(square)));
  });
  return out;
}

std::size_t emit_turned_squares(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                                const std::vector<ir::Stmt>& stmts, std::size_t first,
                                const std::vector<SquareOfLoads>& squares) {
  const std::size_t count = squares.front().size();
  for (const SquareOfLoads& square : squares) {
    const std::vector<llvm::Value*> rows = turned(b, exprs, square);
    for (std::size_t row = 0; row < count; ++row) exprs.know(*square[row], rows[row]);
  }
  for (std::size_t row = 0; row < count; ++row) {
    const auto& store = stmts[first + row].as<ir::VectorStore>();
    exprs.store_vector(store.buffer, store.indices, store.stride_elems, store.value, store.active);
  }
  exprs.forget_loads();
  return count;
}

}  // namespace solway::codegen::detail
