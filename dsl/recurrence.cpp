#include "dsl/recurrence.h"

#include <utility>

#include "dsl/detail/make_stage.h"

namespace solway::dsl {

Tensor make_self(const Extents& shape, DType type, std::string name, SourceLoc where) {
  return make_placeholder(shape, type, std::move(name), std::move(where));
}

Tensor make_recurrence(const Tensor& self, std::vector<Axis> axis, const Expr& body, Expr domain,
                       SourceLoc where) {
  auto stage = std::make_shared<TensorNode>();
  stage->name = self->name;
  stage->set_shape(self->extents());
  stage->type = self->type;
  stage->where = std::move(where);
  stage->axis = std::move(axis);
  stage->body = detail::stored_as(body, self->type, self->name, stage->where);
  stage->domain = std::move(domain);
  stage->self = self;
  detail::require_axis_per_dimension(*stage);
  return detail::make_stage(std::move(stage));
}

}  // namespace solway::dsl
