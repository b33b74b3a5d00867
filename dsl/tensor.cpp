#include "dsl/tensor.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "dsl/affine.h"
#include "dsl/detail/identifier.h"
#include "dsl/detail/make_stage.h"
#include "dsl/type_rules.h"
#include "support/error.h"
#include "support/isl_context.h"

namespace solway::dsl {

namespace {

std::string shape_text(const Extents& shape) {
  std::string text;
  for (const Extent& extent : shape) text += (text.empty() ? "" : ", ") + to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

void require_shape(const Extents& shape, DType type, const std::string& name,
                   const SourceLoc& where) {
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / size_bytes(type);
  for (const Extent& extent : shape) {
    if (extent.min < 0) {
      const std::string fact = extent.is_constant() ? ""
                                                    : ", where " + to_string(extent) + " may be " +
                                                          std::to_string(extent.min);
      throw DslError({where, "'" + name + "' has a negative extent",
                      "its shape is " + shape_text(shape) + fact, "give extents of 0 or more"});
    }
    if (extent.max > room) {
      throw DslError({where, "'" + name + "' is larger than any memory",
                      "its shape is " + shape_text(shape) + ", past 2**63 bytes",
                      "give smaller extents"});
    }
    room /= std::max<std::int64_t>(extent.max, 1);
  }
}

/// Checks that every axis of a body is in scope where it is used, and collects the reduce axes.
class AxisCheck {
 public:
  explicit AxisCheck(const std::vector<Axis>& spatial) : in_scope_(spatial) {
    for (const Axis& axis : spatial) require_new_name(axis);
  }

  void run(const Expr& body) {
    std::set<const ExprNode*> seen;
    walk(body, seen);
  }

  /// A condition on the elements that are computed, each of which has all terms of its reductions.
  void run_domain(const Expr& domain) {
    is_domain_ = true;
    run(domain);
  }

  std::vector<Axis> reduce_axes() && { return std::move(reduce_axes_); }

 private:
  void walk(const Expr& expr, std::set<const ExprNode*>& seen) {
    if (!seen.insert(expr.get()).second) return;
    if (expr->kind == ExprKind::AxisRef) require_in_scope(*expr);
    if (expr->kind == ExprKind::Reduce) return walk_reduce(expr);
    for (const Expr& operand : expr->operands) walk(operand, seen);
  }

  void walk_reduce(const Expr& reduce) {
    for (const Axis& axis : reduce->axes) claim(axis, reduce);
    in_scope_.insert(in_scope_.end(), reduce->axes.begin(), reduce->axes.end());
    std::set<const ExprNode*> seen;
    for (const Expr& operand : reduce->operands) walk(operand, seen);
    in_scope_.resize(in_scope_.size() - reduce->axes.size());
  }

  void claim(const Axis& axis, const Expr& reduce) {
    const auto [owner, is_new] = owner_of_.emplace(axis, reduce.get());
    if (is_new) {
      require_new_name(axis);
      reduce_axes_.push_back(axis);
    } else if (owner->second != reduce.get()) {
      throw DslError({reduce->where, "'" + axis->name + "' is reduced over twice",
                      to_string(reduce) + " uses the axis of another reduction",
                      "make a second axis with sw.reduce_axis(...)"});
    }
  }

  void require_in_scope(const ExprNode& ref) const {
    if (std::find(in_scope_.begin(), in_scope_.end(), ref.axis) != in_scope_.end()) return;
    const bool reduce = ref.axis->kind == AxisKind::Reduce;
    if (reduce && is_domain_) {
      throw DslError(
          {ref.where, "where= uses the reduction axis '" + ref.axis->name + "'",
           "it chooses elements, which have spatial axes alone",
           "choose terms inside the reduction: sw.sum(sw.select(condition, x, 0), axis=" +
               ref.axis->name + ")"});
    }
    throw DslError({ref.where, "axis '" + ref.axis->name + "' has no value here",
                    reduce ? "it is a reduction axis, used outside of a reduction over it"
                           : "it is an axis of another tensor",
                    reduce ? "wrap the expression: sw.sum(..., axis=" + ref.axis->name + ")"
                           : "use the parameters of this compute's function"});
  }

  void require_new_name(const Axis& axis) {
    if (names_.insert(axis->name).second) return;
    throw DslError({axis->where, "two axes of one compute are named '" + axis->name + "'",
                    "loops are addressed by name",
                    "give one another name: sw.reduce_axis(..., name=\"" + axis->name + "2\")"});
  }

  bool is_domain_ = false;
  std::vector<Axis> in_scope_;
  std::map<Axis, const ExprNode*> owner_of_;
  std::set<std::string> names_;
  std::vector<Axis> reduce_axes_;
};

void collect_inputs(const Expr& expr, std::set<const ExprNode*>& seen,
                    std::vector<Tensor>& inputs) {
  if (!seen.insert(expr.get()).second) return;
  if (expr->kind == ExprKind::Read &&
      std::find(inputs.begin(), inputs.end(), expr->tensor) == inputs.end()) {
    inputs.push_back(expr->tensor);
  }
  for (const Expr& operand : expr->operands) collect_inputs(operand, seen, inputs);
}

/// Whether two extents are the same expression, or number.
bool is_same(const Extent& a, const Extent& b) { return to_string(a) == to_string(b); }

void add_new(const std::vector<Size>& sizes, std::vector<Size>& out) {
  for (const Size& size : sizes) {
    if (std::find(out.begin(), out.end(), size) == out.end()) out.push_back(size);
  }
}

/// The sizes in the shape, the axes, the body and the domain.
std::vector<Size> sizes_in(const TensorNode& tensor) {
  std::vector<Size> out;
  for (const Expr& extent : tensor.symbolic_shape) {
    if (extent) add_new(sizes_of(extent), out);
  }
  for (const Axis& axis : tensor.axis) add_new(sizes_of(axis), out);
  for (const Axis& axis : tensor.reduce_axis) add_new(sizes_of(axis), out);
  for (const Expr& expr : {tensor.body, tensor.domain}) {
    if (expr) add_new(sizes_of(expr), out);
  }
  for (const Expr& index : tensor.index) add_new(sizes_of(index), out);
  return out;
}

/// Two sizes of one name would be one parameter.
void require_distinct_names(const std::vector<Size>& sizes, const std::string& name,
                            const SourceLoc& where) {
  std::map<std::string, Size> known;
  for (const Size& size : sizes) {
    const auto [at, is_new] = known.emplace(size->name, size);
    if (is_new) continue;
    throw DslError({where, "'" + name + "' has two sizes named '" + size->name + "'",
                    "one is defined at " + at->second->where.to_string() + ", the other at " +
                        size->where.to_string(),
                    "use one sw.size(...), or give them different names"});
  }
}

}  // namespace

void TensorNode::set_shape(const Extents& extents) {
  bool is_constant = true;
  for (const Extent& extent : extents) {
    shape.push_back(extent.max);
    symbolic_shape.push_back(extent.value);
    is_constant = is_constant && extent.is_constant();
  }
  if (is_constant) symbolic_shape.clear();
}

Extents TensorNode::extents() const {
  Extents out;
  for (std::size_t d = 0; d < shape.size(); ++d) out.push_back(extent(d));
  return out;
}

Extent TensorNode::extent(std::size_t dimension) const {
  Extent out(shape[dimension]);
  if (symbolic_shape.empty() || !symbolic_shape[dimension]) return out;
  out.value = symbolic_shape[dimension];
  out.min = make_extent(out.value, where).min;
  return out;
}

std::vector<Size> sizes_of(const Tensor& tensor) { return sizes_in(*tensor); }

Tensor make_placeholder(const Extents& shape, DType type, std::string name, SourceLoc where) {
  detail::require_identifier("tensor", name, where);
  require_shape(shape, type, name, where);
  auto tensor = std::make_shared<TensorNode>();
  tensor->name = std::move(name);
  tensor->set_shape(shape);
  tensor->type = type;
  tensor->where = std::move(where);
  require_distinct_names(sizes_of(Tensor(tensor)), tensor->name, tensor->where);
  return tensor;
}

Tensor make_constant(const std::vector<std::int64_t>& shape, DType type, std::string name,
                     std::vector<std::byte> values, SourceLoc where) {
  detail::require_identifier("tensor", name, where);
  require_shape(shape, type, name, where);
  auto tensor = std::make_shared<TensorNode>();
  tensor->name = std::move(name);
  tensor->set_shape(shape);
  tensor->type = type;
  tensor->where = std::move(where);
  tensor->values = std::make_shared<const std::vector<std::byte>>(std::move(values));
  return tensor;
}

Tensor make_compute(const Extents& shape, std::vector<Axis> axis, Expr body, std::string name,
                    SourceLoc where, Expr domain) {
  auto stage = std::make_shared<TensorNode>();
  if (body->weak) body = convert(body, body->type, where);
  stage->name = std::move(name);
  stage->set_shape(shape);
  stage->type = body->type;
  stage->where = std::move(where);
  stage->axis = std::move(axis);
  stage->body = std::move(body);
  stage->domain = std::move(domain);
  detail::require_axis_per_dimension(*stage);
  return detail::make_stage(std::move(stage));
}

namespace {

/// Checks all but the shape of the members of one stage, and collects their reduction axes.
void check_stage(const TensorNode& first, const std::vector<TensorNode*>& members) {
  AxisCheck check(first.axis);
  for (const TensorNode* member : members) {
    detail::require_identifier("tensor", member->name, member->where);
    require_shape(member->extents(), member->type, member->name, member->where);
    check.run(member->body);
  }
  for (const Expr& index : first.index) AxisCheck(first.axis).run(index);
  if (first.domain) AxisCheck(first.axis).run_domain(first.domain);
  const std::vector<Axis> reduce_axes = std::move(check).reduce_axes();
  const IslContext isl;
  for (TensorNode* member : members) {
    member->reduce_axis = reduce_axes;
    detail::require_present_contents(*member);
    detail::require_affine_domain(isl.get(), *member);
    require_in_bounds(isl.get(), member->body, {member->name, member->axis, member->domain});
    detail::require_defined_elements(isl.get(), *member);
    require_distinct_names(sizes_in(*member), member->name, member->where);
  }
}

}  // namespace

std::vector<Tensor> make_computes(const Extents& shape, const std::vector<Axis>& axis,
                                  const std::vector<Expr>& bodies,
                                  const std::vector<std::string>& names, const SourceLoc& where,
                                  const Expr& domain) {
  auto tuple = std::make_shared<TensorTuple>();
  tuple->members.resize(bodies.size());
  std::vector<TensorNode*> members;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    TensorNode& member = tuple->members[k];
    const Expr& body = bodies[k];
    member.body = body->weak ? convert(body, body->type, where) : body;
    member.name = names[k];
    member.set_shape(shape);
    member.type = body->type;
    member.where = where;
    member.axis = axis;
    member.domain = domain;
    member.tuple = tuple.get();
    detail::require_axis_per_dimension(member);
    members.push_back(&member);
  }
  check_stage(*members[0], members);
  std::vector<Tensor> out;
  for (const TensorNode* member : members) out.emplace_back(tuple, member);
  return out;
}

namespace detail {

void require_axis_per_dimension(const TensorNode& stage) {
  const Extents shape = stage.extents();
  const std::vector<Axis>& axis = stage.axis;
  require_shape(shape, stage.type, stage.name, stage.where);
  if (axis.size() != shape.size()) {
    throw DslError({stage.where, "'" + stage.name + "' needs one axis per dimension",
                    "got " + std::to_string(axis.size()) + " axes for shape " + shape_text(shape),
                    "give the function " + std::to_string(shape.size()) + " parameters"});
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Extent begin = begin_of(axis[d]);
    const Extent end = end_of(axis[d]);
    if (!is_same(begin, 0) || !is_same(end, shape[d])) {
      throw DslError({stage.where, "axis '" + axis[d]->name + "' does not span its dimension",
                      "it runs from " + to_string(begin) + " to " + to_string(end) +
                          ", dimension " + std::to_string(d) + " has extent " + to_string(shape[d]),
                      "make the axis over (0, " + to_string(shape[d]) + ")"});
    }
  }
}

Tensor make_stage(std::shared_ptr<TensorNode> stage) {
  check_stage(*stage, {stage.get()});
  return stage;
}

}  // namespace detail

std::vector<Tensor> inputs_of(const Tensor& tensor) {
  std::vector<Tensor> inputs;
  std::set<const ExprNode*> seen;
  if (tensor->base) inputs.push_back(tensor->base);
  for (const Tensor& member : members_of(tensor)) {
    if (member->body) collect_inputs(member->body, seen, inputs);
  }
  inputs.erase(std::remove(inputs.begin(), inputs.end(), tensor->self), inputs.end());
  return inputs;
}

std::vector<Tensor> members_of(const Tensor& tensor) {
  if (tensor->tuple == nullptr) return {tensor};
  const std::shared_ptr<const TensorTuple> tuple = tensor->tuple->shared_from_this();
  std::vector<Tensor> out;
  for (const TensorNode& member : tuple->members) out.emplace_back(tuple, &member);
  return out;
}

Tensor stage_of(const Tensor& tensor) { return members_of(tensor).front(); }

Tensor root_of(const Tensor& tensor) {
  return tensor->is_update() ? root_of(tensor->base) : tensor;
}

}  // namespace solway::dsl
