#include "driver/frontend/tensor.h"

#include <cstring>

#include "support/error.h"

namespace solway {
namespace {

std::vector<Axis> wrapped(const std::vector<dsl::Axis>& nodes) {
  std::vector<Axis> out;
  for (const dsl::Axis& node : nodes) out.emplace_back(node);
  return out;
}

}  // namespace

Shape Tensor::shape() const {
  Shape out;
  for (std::size_t d = 0; d < node_->shape.size(); ++d) out.emplace_back(node_->extent(d));
  return out;
}

std::vector<Tensor> Tensor::members() const {
  std::vector<Tensor> out;
  for (const dsl::Tensor& member : dsl::members_of(node_)) out.emplace_back(member);
  return out;
}

std::vector<Axis> Tensor::axis() const { return wrapped(node_->axis); }
std::vector<Axis> Tensor::reduce_axis() const { return wrapped(node_->reduce_axis); }

Expr Tensor::operator[](const Expr& index) const {
  return Expr(dsl::make_read(node_, {index.node()}, index.node()->where));
}

Expr Tensor::operator[](std::initializer_list<Expr> indices) const {
  std::vector<dsl::Expr> nodes;
  for (const Expr& index : indices) nodes.push_back(index.node());
  const SourceLoc where = nodes.empty() ? node_->where : nodes[0]->where;
  return Expr(dsl::make_read(node_, std::move(nodes), where));
}

Tensor placeholder(const Shape& shape, DType dtype, std::string name, Line line) {
  return Tensor(
      dsl::make_placeholder(nodes_of(shape), dtype, std::move(name), to_source_loc(line)));
}

Tensor constant(const std::vector<std::int64_t>& shape, const ArrayRef& values, std::string name,
                Line line) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  if (count != values.count()) {
    throw DslError({to_source_loc(line), "the values of '" + name + "' do not fill it",
                    "got " + std::to_string(values.count()) + " values, its shape has " +
                        std::to_string(count) + " elements",
                    "pass one value per element"});
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * size_bytes(values.type())));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return Tensor(dsl::make_constant(shape, values.type(), std::move(name), std::move(bytes),
                                   to_source_loc(line)));
}

Axis reduce_axis(const Extent& begin, const Extent& end, std::string name, Line line) {
  return Axis(dsl::make_axis(std::move(name), dsl::AxisKind::Reduce, begin.node(), end.node(),
                             to_source_loc(line)));
}

Tensor compute(const Expr& value, std::string name, Line line) {
  return Tensor(dsl::make_compute({}, {}, value.node(), std::move(name), to_source_loc(line)));
}

namespace detail {

std::vector<dsl::Axis> nodes_of(const std::vector<Axis>& axes) {
  std::vector<dsl::Axis> out;
  for (const Axis& axis : axes) out.push_back(axis.node());
  return out;
}

std::vector<Axis> axes_of(const Shape& extents, const std::vector<std::string>& names,
                          const std::string& stage, const SourceLoc& where) {
  if (names.size() != extents.size()) {
    throw DslError({where, "'" + stage + "' needs one axis per dimension",
                    "got " + std::to_string(names.size()) + " names for " +
                        std::to_string(extents.size()) + " extents",
                    "name " + std::to_string(extents.size()) + " axes"});
  }
  std::vector<Axis> out;
  for (std::size_t d = 0; d < names.size(); ++d) {
    out.emplace_back(dsl::make_axis(names[d], dsl::AxisKind::Spatial, 0, extents[d].node(), where));
  }
  return out;
}

Tensor compute(const Shape& shape, const std::vector<std::string>& names, const Body& body,
               const Body& where, std::string name, const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const std::vector<Axis> axes = axes_of(shape, names, name, at);
  return Tensor(dsl::make_compute(solway::nodes_of(shape), nodes_of(axes), body(axes).node(),
                                  std::move(name), at, where ? where(axes).node() : nullptr));
}

std::vector<Tensor> computes(const Shape& shape, const std::vector<std::string>& names,
                             const Bodies& bodies, const Body& where, const std::string& name,
                             const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const std::vector<Axis> axes = axes_of(shape, names, name, at);
  std::vector<dsl::Expr> values;
  std::vector<std::string> tensors;
  for (const Expr& value : bodies(axes)) {
    tensors.push_back(name + "_" + std::to_string(values.size()));
    values.push_back(value.node());
  }
  if (values.empty()) {
    throw DslError({at, "'" + name + "' has no values", "its function returned none",
                    "return one expression or several"});
  }
  std::vector<Tensor> out;
  for (const dsl::Tensor& made :
       dsl::make_computes(solway::nodes_of(shape), nodes_of(axes), values, tensors, at,
                          where ? where(axes).node() : nullptr)) {
    out.emplace_back(made);
  }
  return out;
}

}  // namespace detail
}  // namespace solway
