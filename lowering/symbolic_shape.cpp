#include "lowering/symbolic_shape.h"

#include <algorithm>

#include "lowering/convert_expr.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/substitute.h"

namespace solway::lowering {
namespace {

ir::Expr extent_of(const dsl::Tensor& tensor, std::size_t dim) {
  const dsl::Extent extent = tensor->extent(dim);
  return extent.is_constant() ? ir::index(extent.max) : convert_expr(extent.value, {});
}

}  // namespace

bool has_symbolic_strides(const dsl::Tensor& tensor) {
  const std::vector<dsl::Expr>& extents = tensor->symbolic_shape;
  return extents.size() > 1 && std::any_of(extents.begin() + 1, extents.end(),
                                           [](const dsl::Expr& e) { return e != nullptr; });
}

ir::Buffer as_argument(const ir::Buffer& buffer, const dsl::Tensor& tensor) {
  if (tensor->has_constant_shape()) return buffer;
  if (!has_symbolic_strides(tensor)) return ir::as_upper_bound(buffer);
  return ir::as_upper_bound(ir::make_buffer(buffer->name, buffer->type, {buffer->num_elements()},
                                            buffer->scope, buffer->alignment_bytes));
}

ir::Expr flat_index(const dsl::Tensor& tensor, const std::vector<ir::Expr>& index) {
  ir::Expr out = index[0];
  for (std::size_t d = 1; d < index.size(); ++d) {
    out = ir::add(ir::mul(out, extent_of(tensor, d)), index[d]);
  }
  return out;
}

std::vector<ir::Expr> flat_strides(const dsl::Tensor& tensor) {
  std::vector<ir::Expr> out(tensor->shape.size(), ir::index(1));
  for (std::size_t d = out.size() - 1; d-- > 0;) {
    out[d] = ir::mul(out[d + 1], extent_of(tensor, d + 1));
  }
  return out;
}

ir::Stmt with_sizes(const std::vector<dsl::Size>& sizes, const ir::Buffer& values, ir::Stmt body,
                    const SourceLoc& where) {
  for (std::size_t k = sizes.size(); k-- > 0;) {
    const ir::Expr value = ir::Load::make(values, {ir::index(static_cast<std::int64_t>(k))});
    body = ir::Let::make(sizes[k]->name, value, body, where);
  }
  return body;
}

std::vector<ir::Expr> requirements_of(const schedule::Program& program, const ir::Buffer& values) {
  std::map<std::string, ir::Expr> elements;
  for (std::size_t k = 0; k < program.sizes.size(); ++k) {
    elements.emplace(program.sizes[k]->name,
                     ir::Load::make(values, {ir::index(static_cast<std::int64_t>(k))}));
  }
  std::vector<ir::Expr> out;
  for (const schedule::Assumption& assumption : program.assumptions) {
    if (!assumption.has_effect) continue;
    out.push_back(ir::substitute(convert_expr(assumption.condition, {}), elements));
  }
  return out;
}

}  // namespace solway::lowering
