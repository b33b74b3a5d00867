#include "dsl/update.h"

#include <utility>

#include "dsl/detail/make_stage.h"
#include "support/error.h"

namespace solway::dsl {

namespace {

void require_index(const TensorNode& base, const std::vector<Expr>& index, const std::string& name,
                   const SourceLoc& where) {
  if (index.size() != base.shape.size()) {
    throw DslError({where,
                    "update '" + name + "' needs one index per dimension of '" + base.name + "'",
                    "got " + std::to_string(index.size()) + " indices, '" + base.name +
                        "' has rank " + std::to_string(base.shape.size()),
                    "return " + std::to_string(base.shape.size()) + " integer expressions"});
  }
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (is_integer(index[d]->type)) continue;
    throw DslError({where, "index " + std::to_string(d) + " of update '" + name + "' is no integer",
                    "'" + to_string(index[d]) + "' is " + std::string(to_string(index[d]->type)),
                    "use an integer expression"});
  }
}

}  // namespace

Tensor make_update(const Tensor& base, std::vector<Axis> axis, std::vector<Expr> index,
                   const Expr& value, Expr domain, std::string name, SourceLoc where) {
  require_index(*base, index, name, where);
  auto stage = std::make_shared<TensorNode>();
  stage->name = std::move(name);
  stage->set_shape(base->extents());
  stage->type = base->type;
  stage->where = std::move(where);
  stage->axis = std::move(axis);
  stage->body = detail::stored_as(value, base->type, stage->name, stage->where);
  stage->domain = std::move(domain);
  stage->base = base;
  stage->index = std::move(index);
  Tensor out = detail::make_stage(std::move(stage));
  base->updated_by = out;
  return out;
}

}  // namespace solway::dsl
