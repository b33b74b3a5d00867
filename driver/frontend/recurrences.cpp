#include "driver/frontend/recurrences.h"

#include "dsl/recurrence.h"
#include "dsl/update.h"
#include "support/error.h"

namespace solway::detail {
namespace {

/// The axes of a stage, and their handles.
struct Axes {
  std::vector<dsl::Axis> nodes;
  std::vector<Axis> values;
};

Axes axes_of(const Shape& extents, const std::vector<std::string>& names, const std::string& stage,
             const SourceLoc& where) {
  if (names.size() != extents.size()) {
    throw DslError({where, "'" + stage + "' needs one axis per dimension",
                    "got " + std::to_string(names.size()) + " names for " +
                        std::to_string(extents.size()) + " extents",
                    "name " + std::to_string(extents.size()) + " axes"});
  }
  Axes out;
  for (std::size_t d = 0; d < names.size(); ++d) {
    out.nodes.push_back(dsl::make_axis(names[d], dsl::AxisKind::Spatial, 0, extents[d], where));
    out.values.emplace_back(out.nodes.back());
  }
  return out;
}

dsl::Expr domain_of(const Body& where, const Axes& axes) {
  return where ? where(axes.values).node() : nullptr;
}

}  // namespace

Tensor compute_where(const Shape& shape, const std::vector<std::string>& names, const Body& body,
                     const Body& where, std::string name, const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const Axes axes = axes_of(shape, names, name, at);
  return Tensor(dsl::make_compute(shape, axes.nodes, body(axes.values).node(), std::move(name), at,
                                  domain_of(where, axes)));
}

Tensor recurrence(const Shape& shape, const std::vector<std::string>& names, DType dtype,
                  const SelfBody& body, const Body& where, std::string name, const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const Axes axes = axes_of(shape, names, name, at);
  const dsl::Tensor self = dsl::make_self(shape, dtype, std::move(name), at);
  return Tensor(dsl::make_recurrence(self, axes.nodes, body(Tensor(self), axes.values).node(),
                                     domain_of(where, axes), at));
}

Tensor update(const Tensor& tensor, const Shape& box, const std::vector<std::string>& names,
              const Index& index, const Body& value, const Body& where, std::string name,
              const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const Axes axes = axes_of(box, names, name, at);
  std::vector<dsl::Expr> nodes;
  for (const Expr& one : index(axes.values)) nodes.push_back(one.node());
  return Tensor(dsl::make_update(tensor.node(), axes.nodes, std::move(nodes),
                                 value(axes.values).node(), domain_of(where, axes), std::move(name),
                                 at));
}

}  // namespace solway::detail
