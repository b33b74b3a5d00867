#include "schedule/program.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "dsl/affine.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Axis;
using dsl::Expr;
using dsl::ExprKind;
using dsl::Tensor;

/// What must run before a tensor.
using Predecessors = std::map<Tensor, std::vector<Tensor>>;

void visit_in_order(const Tensor& tensor, const Predecessors& before, std::set<Tensor>& seen,
                    std::vector<Tensor>& out) {
  if (!seen.insert(tensor).second) return;
  for (const Tensor& input : dsl::inputs_of(tensor)) visit_in_order(input, before, seen, out);
  const auto others = before.find(tensor);
  if (others != before.end()) {
    for (const Tensor& other : others->second) visit_in_order(other, before, seen, out);
  }
  out.push_back(tensor);
}

std::vector<Tensor> in_order(const std::vector<Tensor>& outputs, const Predecessors& before) {
  std::set<Tensor> seen;
  std::vector<Tensor> out;
  for (const Tensor& tensor : outputs) visit_in_order(tensor, before, seen, out);
  return out;
}

/// All tensors that `outputs` need, each after what it reads, and an update after every stage that
/// reads what it changes: the order of their definition has no cycles.
std::vector<Tensor> tensors_of(const std::vector<Tensor>& outputs) {
  const std::vector<Tensor> all = in_order(outputs, {});
  Predecessors readers;
  for (const Tensor& tensor : all) {
    for (const Tensor& input : dsl::inputs_of(tensor)) readers[input].push_back(tensor);
  }
  Predecessors before;
  for (const Tensor& update : all) {
    if (!update->is_update()) continue;
    for (const Tensor& reader : readers.at(update->base)) {
      if (reader != update) before[update].push_back(reader);
    }
  }
  return in_order(outputs, before);
}

/// { S[axes] -> T[] }, the only element of a 0-d tensor.
isl::multi_pw_aff no_index(const isl::ctx& ctx, const dsl::AffineScope& scope,
                           const std::string& array) {
  const isl::space space = dsl::domain_of(ctx, scope).space();
  return isl::multi_pw_aff::zero(space.add_named_tuple(isl::id(ctx, array), 0));
}

/// { S[axes] -> T[axes - first] }
isl::multi_pw_aff index_along(const isl::ctx& ctx, const dsl::AffineScope& scope,
                              const std::vector<Axis>& axes, const std::string& array,
                              const std::vector<std::int64_t>& first = {}) {
  isl::multi_pw_aff out;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    isl::pw_aff value = *dsl::try_affine(ctx, dsl::make_axis_ref(axes[k], axes[k]->where), scope);
    if (!first.empty()) value = value.add_constant(isl::val(ctx, -first[k]));
    const isl::multi_pw_aff one = value.to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  if (out.is_null()) return no_index(ctx, scope, array);
  return out.set_range_tuple(array);
}

/// The condition under which the term of a reduction is not its identity, where the user wrote
/// "select(condition, term, identity)" with an affine condition: the other terms change nothing.
/// `scope` has the axes of the reduction.
std::optional<Expr> try_term_condition(const isl::ctx& ctx, const Expr& reduce,
                                       const dsl::AffineScope& scope) {
  const Expr& operand = reduce->operands[0];
  if (operand->kind != ExprKind::Select || operand->type != reduce->type) return std::nullopt;
  const Expr identity = dsl::identity_of(reduce->reduce, reduce->type);
  const Expr& other = operand->operands[2];
  const bool is_identity = other->kind == identity->kind && other->type == identity->type &&
                           other->int_value == identity->int_value &&
                           other->float_value == identity->float_value &&
                           std::signbit(other->float_value) == std::signbit(identity->float_value);
  if (!is_identity || !dsl::try_condition(ctx, operand->operands[0], scope)) return std::nullopt;
  return operand->operands[0];
}

/// Builds the statements and loops of one stage.
class StageBuilder {
 public:
  StageBuilder(Program& program, Order& order, const Tensor& stage)
      : ctx_(program.ctx()), program_(program), order_(order), stage_(stage) {}

  std::vector<std::pair<Axis, LoopId>> build() {
    for (const Axis& axis : stage_->axis) add_loop(axis);
    const Expr& body = stage_->body;
    needed_ = dsl::reductions_of(ctx_, body, {stage_->name, stage_->axis, stage_->domain});
    // An update reads its tensor until it stores: its reductions need memory of their own.
    if (body->kind == ExprKind::Reduce && !stage_->is_update()) {
      add_reduction(body, stage_->name, stage_->name, stage_->name + "_init", stage_->name);
    } else {
      const Expr value = without_reductions(body);
      add_statement(StatementKind::Compute, stage_->name, stage_->axis, stage_->storage_name(),
                    value, dsl::domain_of(ctx_, {stage_->name, stage_->axis, stage_->domain}));
    }
    return loops_;
  }

 private:
  void add_loop(const Axis& axis) {
    Loop loop;
    loop.name = axis->name;
    loop.kind = axis->kind;
    loop.begin = axis->begin;
    loop.end = axis->end;
    loop.where = axis->where;
    loops_.emplace_back(axis, order_.add(std::move(loop)));
  }

  LoopId loop_of(const Axis& axis) const {
    return std::find_if(loops_.begin(), loops_.end(),
                        [&](const auto& pair) { return pair.first == axis; })
        ->second;
  }

  /// The body with each nested reduction replaced by a read of its temporary.
  Expr without_reductions(const Expr& expr) {
    if (expr->kind == ExprKind::Reduce) return nested_reduction(expr);
    bool same = true;
    std::vector<Expr> operands;
    for (const Expr& operand : expr->operands) {
      operands.push_back(without_reductions(operand));
      same = same && operands.back() == operand;
    }
    if (same) return expr;
    auto copy = std::make_shared<dsl::ExprNode>(*expr);
    copy->operands = std::move(operands);
    return copy;
  }

  Expr nested_reduction(const Expr& reduce) {
    const auto known = temporaries_.find(reduce);
    if (known != temporaries_.end()) return known->second;
    const std::string name = stage_->name + "_r" + std::to_string(temporaries_.size());
    // Memory for the instances that need it.
    const isl::set& needed = needed_.at(reduce);
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t>& lowest = first_of_[name];
    for (std::size_t k = 0; k < stage_->axis.size(); ++k) {
      const int dim = static_cast<int>(k);
      const std::int64_t first = isl_ext::try_dim_min(needed, dim).value_or(0);
      lowest.push_back(first);
      shape.push_back(isl_ext::try_dim_max(needed, dim).value_or(first) - first + 1);
    }
    Array array;
    array.name = name;
    array.kind = ArrayKind::Temporary;
    array.type = reduce->type;
    array.shape = shape;
    array.tensor = dsl::make_placeholder(shape, reduce->type, name, reduce->where);
    array.extent = dsl::extent_of(ctx_, array.tensor);
    program_.arrays.emplace(name, array);
    add_reduction(reduce, name, name, name + "_init", name);
    std::vector<Expr> indices;
    for (std::size_t k = 0; k < stage_->axis.size(); ++k) {
      const Expr index = dsl::make_axis_ref(stage_->axis[k], reduce->where);
      const Expr first = dsl::make_int(first_of_.at(name)[k], DType::Int64, false, reduce->where);
      indices.push_back(dsl::make_binary(BinaryOp::Sub, index, first, reduce->where));
    }
    const Expr read = dsl::make_read(array.tensor, std::move(indices), reduce->where);
    temporaries_.emplace(reduce, read);
    return read;
  }

  void add_reduction(const Expr& reduce, const std::string& array, const std::string& update,
                     const std::string& init, const std::string& group) {
    std::vector<Axis> all = stage_->axis;
    for (const Axis& axis : reduce->axes) {
      add_loop(axis);
      all.push_back(axis);
    }
    const auto needed_by = [&](const dsl::AffineScope& scope) {
      return needed_.at(reduce).preimage(index_along(ctx_, scope, stage_->axis, stage_->name));
    };
    add_statement(StatementKind::Init, init, stage_->axis, array,
                  dsl::identity_of(reduce->reduce, reduce->type), needed_by({init, stage_->axis}));
    set_group(init, group);
    // A reduction nested in a reduction's operand is a stage of its own, which the user names.
    if (reduce->operands[0] != without_nested(reduce->operands[0])) {
      throw UnsupportedError({reduce->where, "a reduction inside a reduction is not supported",
                              "the operand of '" + std::string(to_string(reduce->reduce)) +
                                  "' in '" + stage_->name + "' holds another reduction",
                              "compute the inner reduction as a tensor of its own and read it"});
    }
    const dsl::AffineScope scope{update, all};
    isl::set domain = needed_by(scope);
    Expr term = reduce->operands[0];
    if (const std::optional<Expr> condition = try_term_condition(ctx_, reduce, scope)) {
      domain = domain.intersect(*dsl::try_condition(ctx_, *condition, scope)).coalesce();
      term = term->operands[1];
    }
    add_statement(StatementKind::Update, update, all, array, term, domain, reduce->reduce);
    set_group(update, group);
  }

  static Expr without_nested(const Expr& expr) {
    if (expr->kind == ExprKind::Reduce) return nullptr;
    for (const Expr& operand : expr->operands) {
      if (without_nested(operand) != operand) return nullptr;
    }
    return expr;
  }

  void set_group(const std::string& name, const std::string& group) {
    Statement& s = program_.statements.at(name);
    s.group = s.writes[0].relation.set_range_tuple("G_" + group);
  }

  void add_statement(StatementKind kind, const std::string& name, const std::vector<Axis>& axes,
                     const std::string& array, const Expr& value, const isl::set& restriction,
                     std::optional<ReduceOp> reduce = std::nullopt) {
    const dsl::AffineScope scope{name, axes, stage_->domain};
    Statement s;
    s.name = name;
    s.kind = kind;
    s.stage = stage_->name;
    s.axes = axes;
    s.domain = dsl::domain_of(ctx_, scope).intersect(restriction).coalesce();
    const isl::multi_pw_aff index = element_index(scope, array);
    const isl::map relation = index.as_map().intersect_domain(s.domain);
    s.writes.push_back({relation, index, value});
    s.reduce = reduce;
    s.where = stage_->where;
    if (kind == StatementKind::Update) s.reads.push_back({relation, index, nullptr});
    for (const dsl::Access& access : dsl::reads_of(ctx_, value, scope)) {
      s.reads.push_back(
          {access.relation.intersect_domain(s.domain), index_of(access.read, scope), access.read});
    }
    std::vector<LoopId> path;
    for (const Axis& axis : axes) {
      const LoopId id = loop_of(axis);
      path.push_back(id);
      order_.loops.at(id).value.emplace(
          name, *dsl::try_affine(ctx_, dsl::make_axis_ref(axis, axis->where), scope));
    }
    order_.placements.push_back({name, std::move(path)});
    program_.statements.emplace(name, std::move(s));
  }

  /// { S[axes] -> array[element] } that an instance stores: of the stage, or of a temporary.
  isl::multi_pw_aff element_index(const dsl::AffineScope& scope, const std::string& array) const {
    if (array == stage_->storage_name()) return dsl::stored_element(ctx_, *stage_, scope);
    return index_along(ctx_, scope, stage_->axis, array, first_of_.at(array));
  }

  /// { S[axes] -> T[index expressions] } without the guards around the read.
  isl::multi_pw_aff index_of(const Expr& read, const dsl::AffineScope& scope) const {
    isl::multi_pw_aff out;
    for (const Expr& index : read->operands) {
      const isl::multi_pw_aff one = dsl::try_affine(ctx_, index, scope)->to_multi_pw_aff();
      out = out.is_null() ? one : out.flat_range_product(one);
    }
    if (out.is_null()) return no_index(ctx_, scope, read->tensor->storage_name());
    return out.set_range_tuple(read->tensor->storage_name());
  }

  isl::ctx ctx_;
  Program& program_;
  Order& order_;
  const Tensor& stage_;
  std::vector<std::pair<Axis, LoopId>> loops_;
  std::map<Expr, isl::set> needed_;  ///< where each reduction of the body is
  std::map<Expr, Expr> temporaries_;
  std::map<std::string, std::vector<std::int64_t>> first_of_;  ///< by temporary: its lowest element
};

void add_array(Program& program, const Tensor& tensor) {
  Array array;
  array.name = tensor->name;
  array.type = tensor->type;
  array.shape = tensor->shape;
  array.tensor = tensor;
  array.extent = dsl::extent_of(program.ctx(), tensor);
  program.arrays.emplace(tensor->name, std::move(array));
}

void require_names(const std::vector<Tensor>& tensors, const SourceLoc& where) {
  std::map<std::string, Tensor> named;
  for (const Tensor& tensor : tensors) {
    const auto [at, is_new] = named.emplace(tensor->name, tensor);
    if (is_new) continue;
    throw DslError({where, "two tensors are named '" + tensor->name + "'",
                    "one is defined at " + at->second->where.to_string() + ", the other at " +
                        tensor->where.to_string(),
                    "give one of them another name="});
  }
}

/// An output holds what it has at the end: no update may follow it.
void require_last(const std::vector<Tensor>& outputs, const std::vector<Tensor>& tensors,
                  const SourceLoc& where) {
  for (const Tensor& tensor : tensors) {
    if (!tensor->is_update()) continue;
    if (std::find(outputs.begin(), outputs.end(), tensor->base) == outputs.end()) continue;
    throw DslError(
        {where, "output '" + tensor->base->name + "' is changed by update '" + tensor->name + "'",
         "'" + tensor->name + "' at " + tensor->where.to_string() + " stores into the same memory",
         "make '" + tensor->name + "' the output instead"});
  }
}

}  // namespace

bool Program::is_output(const Array& array) const {
  return array.kind == ArrayKind::Tensor &&
         std::any_of(outputs.begin(), outputs.end(),
                     [&](const Tensor& output) { return output->storage_name() == array.name; });
}

bool Program::is_updated(const Array& array) const {
  return std::any_of(stages.begin(), stages.end(), [&](const Tensor& stage) {
    return stage->is_update() && stage->storage_name() == array.name;
  });
}

std::map<std::string, isl::set> Program::domains() const {
  std::map<std::string, isl::set> out;
  for (const auto& [name, s] : statements) out.emplace(name, s.domain);
  return out;
}

ProgramAndOrder make_program(const std::vector<Tensor>& outputs, const SourceLoc& where) {
  auto program = std::make_shared<Program>();
  program->isl = std::make_shared<IslContext>();
  program->outputs = outputs;
  ProgramAndOrder out;
  const std::vector<Tensor> tensors = tensors_of(outputs);
  require_names(tensors, where);
  require_last(outputs, tensors, where);
  for (const Tensor& tensor : tensors) {
    if (!tensor->is_update()) add_array(*program, tensor);
  }
  for (const Tensor& tensor : tensors) {
    if (tensor->is_placeholder()) continue;
    program->stages.push_back(tensor);
    out.axis_loops[tensor->name] = StageBuilder(*program, out.order, tensor).build();
  }
  program->reference = time_of(program->ctx(), out.order, program->domains());
  out.program = std::move(program);
  return out;
}

}  // namespace solway::schedule
