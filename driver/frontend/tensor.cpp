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
  return Tensor(dsl::make_placeholder(shape, dtype, std::move(name), to_source_loc(line)));
}

Tensor constant(const Shape& shape, const ArrayRef& values, std::string name, Line line) {
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

Axis reduce_axis(std::int64_t begin, std::int64_t end, std::string name, Line line) {
  return Axis(
      dsl::make_axis(std::move(name), dsl::AxisKind::Reduce, begin, end, to_source_loc(line)));
}

Tensor compute(const Expr& value, std::string name, Line line) {
  return Tensor(dsl::make_compute({}, {}, value.node(), std::move(name), to_source_loc(line)));
}

namespace detail {

Tensor compute(const Shape& shape, const std::vector<std::string>& names, const Body& body,
               std::string name, const Line& line) {
  const SourceLoc where = to_source_loc(line);
  if (names.size() != shape.size()) {
    throw DslError({where, "'" + name + "' needs one axis per dimension",
                    "got " + std::to_string(names.size()) + " names, its shape has rank " +
                        std::to_string(shape.size()),
                    "name " + std::to_string(shape.size()) + " axes"});
  }
  std::vector<dsl::Axis> axes;
  std::vector<Axis> values;
  for (std::size_t d = 0; d < names.size(); ++d) {
    axes.push_back(dsl::make_axis(names[d], dsl::AxisKind::Spatial, 0, shape[d], where));
    values.emplace_back(axes.back());
  }
  return Tensor(
      dsl::make_compute(shape, std::move(axes), body(values).node(), std::move(name), where));
}

}  // namespace detail
}  // namespace solway
