#include "codegen/llvm/detail/turned_square.h"

#include <cstdint>

#include "codegen/llvm/detail/types.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"

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

/// A store of a strided load; null: it is another statement.
const ir::VectorLoad* strided_load_or_null(const ir::Stmt& s) {
  const auto* store = s.as_or_null<ir::VectorStore>();
  if (store == nullptr || store->stride_elems != 1 || store->active.defined()) return nullptr;
  const auto* load = store->value.as_or_null<ir::VectorLoad>();
  const bool is_plain = load != nullptr && load->stride_elems > 1 && !load->active.defined() &&
                        !load->type.lanes.scalable && !load->buffer->is_scalable;
  return is_plain ? load : nullptr;
}

ir::Linear position(const ir::VectorLoad& load) {
  return ir::linear_of(ir::flat_index(*load.buffer, load.indices));
}

bool is_power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }

}  // namespace

bool is_turned_square(const std::vector<ir::Stmt>& stmts, std::size_t first) {
  const ir::VectorLoad* const head = strided_load_or_null(stmts[first]);
  if (head == nullptr) return false;
  const auto& to = stmts[first].as<ir::VectorStore>().buffer;
  const auto lanes = static_cast<std::size_t>(head->type.lanes.count);
  if (!is_power_of_two(lanes) || first + lanes > stmts.size()) return false;
  if (to == head->buffer || to->scope == "main" || to->type != head->buffer->type) return false;
  const ir::Linear start = position(*head);
  for (std::size_t row = 1; row < lanes; ++row) {
    const ir::VectorLoad* const load = strided_load_or_null(stmts[first + row]);
    if (load == nullptr || load->buffer != head->buffer || load->type != head->type) return false;
    if (load->stride_elems != head->stride_elems) return false;
    if (stmts[first + row].as<ir::VectorStore>().buffer != to) return false;
    const ir::Linear apart = position(*load) - start;
    if (!apart.terms.empty() || apart.constant != static_cast<std::int64_t>(row)) return false;
  }
  return true;
}

std::size_t emit_turned_square(llvm::IRBuilder<>& b, ExprEmitter& exprs,
                               const std::vector<ir::Stmt>& stmts, std::size_t first) {
  const auto& head = stmts[first].as<ir::VectorStore>().value.as<ir::VectorLoad>();
  llvm::Type* const type = memory_type(b.getContext(), head.type);
  llvm::Type* const element = type->getScalarType();
  const auto lanes = static_cast<std::size_t>(head.type.lanes.count);
  llvm::Value* const corner =
      b.CreateGEP(element, exprs.pointer(head.buffer), exprs.position(head.buffer, head.indices));
  std::vector<llvm::Value*> rows;
  for (std::size_t row = 0; row < lanes; ++row) {
    const auto offset = static_cast<std::uint64_t>(head.stride_elems) * row;
    llvm::Value* const at = b.CreateGEP(element, corner, b.getInt64(offset));
    rows.push_back(b.CreateAlignedLoad(type, at, exprs.element_alignment(head.buffer)));
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
  for (std::size_t row = 0; row < lanes; ++row) {
    const auto& store = stmts[first + row].as<ir::VectorStore>();
    llvm::Value* const at = b.CreateGEP(element, exprs.pointer(store.buffer),
                                        exprs.position(store.buffer, store.indices));
    b.CreateAlignedStore(rows[row], at, exprs.element_alignment(store.buffer));
  }
  return lanes;
}

}  // namespace solway::codegen::detail
