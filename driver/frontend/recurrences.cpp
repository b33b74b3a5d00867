#include "driver/frontend/recurrences.h"

#include "dsl/recurrence.h"
#include "dsl/update.h"

namespace solway::detail {

Tensor recurrence(const Shape& shape, const std::vector<std::string>& names, DType dtype,
                  const SelfBody& body, const Body& where, std::string name, const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const std::vector<Axis> axes = axes_of(shape, names, name, at);
  const dsl::Tensor self = dsl::make_self(solway::nodes_of(shape), dtype, std::move(name), at);
  return Tensor(dsl::make_recurrence(self, nodes_of(axes), body(Tensor(self), axes).node(),
                                     where ? where(axes).node() : nullptr, at));
}

Tensor update(const Tensor& tensor, const Shape& box, const std::vector<std::string>& names,
              const Index& index, const Body& value, const Body& where, std::string name,
              const Line& line) {
  const SourceLoc at = to_source_loc(line);
  const std::vector<Axis> axes = axes_of(box, names, name, at);
  std::vector<dsl::Expr> nodes;
  for (const Expr& one : index(axes)) nodes.push_back(one.node());
  return Tensor(dsl::make_update(tensor.node(), nodes_of(axes), std::move(nodes),
                                 value(axes).node(), where ? where(axes).node() : nullptr,
                                 std::move(name), at));
}

}  // namespace solway::detail
