#include "codegen/athread/detail/row_squares.h"

#include "codegen/athread/vector_forms.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"

namespace solway::codegen {
namespace {

/// The strided load that a statement only stores; null where it does something else.
const ir::VectorLoad* turned_load(const ir::VectorStore& n, const CExprPrinter& exprs) {
  const auto* load = n.value.as_or_null<ir::VectorLoad>();
  if (load == nullptr || n.active.defined() || load->is_partial()) return nullptr;
  if (n.stride_elems != 1 || load->stride_elems == 1) return nullptr;
  if (load->type.lanes.count != kSquareLanes || load->type.scalar != DType::Float32) return nullptr;
  const bool is_near = load->buffer->scope != "main" && n.buffer->scope != "main" &&
                       exprs.registers_of(load->buffer->name) == nullptr &&
                       exprs.registers_of(n.buffer->name) == nullptr;
  return is_near && load->buffer->name != n.buffer->name ? load : nullptr;
}

}  // namespace

bool is_row_square(const std::vector<const ir::VectorStore*>& stores, std::size_t first,
                   const CExprPrinter& exprs) {
  if (first + kSquareLanes > stores.size()) return false;
  const ir::VectorLoad* const row = turned_load(*stores[first], exprs);
  if (row == nullptr) return false;
  const ir::Linear begin = ir::linear_of(ir::flat_index(*row->buffer, row->indices));
  for (std::size_t k = 1; k < kSquareLanes; ++k) {
    const ir::VectorStore& n = *stores[first + k];
    const ir::VectorLoad* const load = turned_load(n, exprs);
    if (load == nullptr || load->buffer->name != row->buffer->name ||
        n.buffer->name != stores[first]->buffer->name || load->stride_elems != row->stride_elems) {
      return false;
    }
    const ir::Linear apart = ir::linear_of(ir::flat_index(*load->buffer, load->indices)) - begin;
    if (!apart.terms.empty() || apart.constant != static_cast<std::int64_t>(k)) return false;
  }
  return true;
}

}  // namespace solway::codegen
