#include "schedule/program.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "dsl/affine.h"
#include "schedule/sizes.h"
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

bool contains(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

/// Does not go on behind the tensors of `given`, which are not computed.
void visit_in_order(const Tensor& tensor, const Predecessors& before,
                    const std::vector<Tensor>& given, std::set<Tensor>& seen,
                    std::vector<Tensor>& out) {
  if (!seen.insert(tensor).second) return;
  if (contains(given, tensor)) {
    out.push_back(tensor);
    return;
  }
  for (const Tensor& input : dsl::inputs_of(tensor)) {
    visit_in_order(input, before, given, seen, out);
  }
  const auto others = before.find(tensor);
  if (others != before.end()) {
    for (const Tensor& other : others->second) visit_in_order(other, before, given, seen, out);
  }
  for (const Tensor& member : dsl::members_of(tensor)) {
    seen.insert(member);
    out.push_back(member);
  }
}

std::vector<Tensor> in_order(const std::vector<Tensor>& outputs, const Predecessors& before,
                             const std::vector<Tensor>& given) {
  std::set<Tensor> seen;
  std::vector<Tensor> out;
  for (const Tensor& tensor : outputs) visit_in_order(tensor, before, given, seen, out);
  return out;
}

/// All tensors that `outputs` need, each after what it reads, and an update after every stage that
/// reads what it changes: the order of their definition has no cycles.
std::vector<Tensor> tensors_of(const std::vector<Tensor>& outputs,
                               const std::vector<Tensor>& given) {
  const std::vector<Tensor> all = in_order(outputs, {}, given);
  Predecessors readers;
  for (const Tensor& tensor : all) {
    if (contains(given, tensor)) continue;
    for (const Tensor& input : dsl::inputs_of(tensor)) readers[input].push_back(tensor);
  }
  Predecessors before;
  for (const Tensor& update : all) {
    if (!update->is_update() || contains(given, update)) continue;
    for (const Tensor& reader : readers.at(update->base)) {
      if (reader != update) before[update].push_back(reader);
    }
  }
  return in_order(outputs, before, given);
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

/// Terms of a reduction that are not its identity, and where they are not.
struct TermsWhere {
  Expr condition;
  Expr term;
};

/// Whether a literal is that of the other type, or the same.
bool is_same_number(const Expr& a, const Expr& b) {
  return a->kind == b->kind && a->int_value == b->int_value && a->float_value == b->float_value &&
         std::signbit(a->float_value) == std::signbit(b->float_value);
}

/// Where the user wrote "select(condition, term, identity)" with an affine condition: the other
/// terms change nothing. 16-bit floats are converted before they are added up. `scope` has the axes
/// of the reduction.
std::optional<TermsWhere> try_terms_where(const isl::ctx& ctx, const Expr& reduce,
                                          const dsl::AffineScope& scope) {
  if (reduce->combiner) return std::nullopt;
  const Expr& operand = reduce->operands[0];
  const bool is_converted = operand->kind == ExprKind::Cast;
  const Expr& choice = is_converted ? operand->operands[0] : operand;
  if (choice->kind != ExprKind::Select || operand->type != reduce->type) return std::nullopt;
  const Expr identity = dsl::identity_of(reduce->reduce, reduce->type);
  if (!is_same_number(choice->operands[2], identity)) return std::nullopt;
  if (!dsl::try_condition(ctx, choice->operands[0], scope)) return std::nullopt;
  const Expr& term = choice->operands[1];
  return TermsWhere{choice->operands[0],
                    is_converted ? dsl::make_cast(term, operand->type, operand->where) : term};
}

/// Builds the statements and loops of one stage.
class StageBuilder {
 public:
  StageBuilder(Program& program, Order& order, const Tensor& stage)
      : ctx_(program.ctx()), program_(program), order_(order), stage_(stage) {}

  std::vector<std::pair<Axis, LoopId>> build() {
    for (const Axis& axis : stage_->axis) add_loop(axis);
    const std::vector<Tensor> members = dsl::members_of(stage_);
    const dsl::AffineScope scope{stage_->name, stage_->axis, stage_->domain};
    for (const Tensor& member : members) {
      for (const auto& [reduce, needed] : dsl::reductions_of(ctx_, member->body, scope)) {
        const auto [at, is_new] = needed_.emplace(reduce, needed);
        if (!is_new) at->second = at->second.unite(needed).coalesce();
      }
    }
    if (const Expr reduce = whole_body(members)) {
      add_reduction(reduce, accumulators_of(reduce, members), stage_->name);
      return loops_;
    }
    std::vector<Target> targets;
    for (const Tensor& member : members) {
      targets.push_back({member->storage_name(), without_reductions(member->body)});
    }
    add_statement(StatementKind::Compute, stage_->name, stage_->axis, targets,
                  dsl::domain_of(ctx_, scope));
    return loops_;
  }

 private:
  /// What an instance stores to an array.
  struct Target {
    std::string array;
    Expr value;
  };

  /// The reduction that the stage stores as it is: of one of its values, or all of them in order;
  /// null when there is no such.
  Expr whole_body(const std::vector<Tensor>& members) const {
    // An update reads its tensor until it stores: its reductions need memory of their own.
    if (stage_->is_update()) return nullptr;
    const Expr& first = members[0]->body;
    if (first->kind == ExprKind::Reduce) return members.size() == 1 ? first : nullptr;
    if (first->kind != ExprKind::Item) return nullptr;
    const Expr& reduce = first->operands[0];
    if (members.size() == 1) return reduce;
    if (members.size() != reduce->operands.size()) return nullptr;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Expr& body = members[k]->body;
      const bool is_own = body->kind == ExprKind::Item && body->operands[0] == reduce &&
                          body->int_value == static_cast<std::int64_t>(k);
      if (!is_own) return nullptr;
    }
    return reduce;
  }

  /// Where the values of a reduction that is a whole body are accumulated: the tensors, and memory
  /// for those values that are no tensor.
  std::vector<std::string> accumulators_of(const Expr& reduce, const std::vector<Tensor>& members) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < reduce->operands.size(); ++k) {
      const bool is_item = members.size() == 1 && members[0]->body->kind == ExprKind::Item;
      const bool is_stored =
          !is_item || members[0]->body->int_value == static_cast<std::int64_t>(k);
      if (is_stored) {
        out.push_back(members[members.size() == 1 ? 0 : k]->storage_name());
      } else {
        out.push_back(add_temporary(reduce, k, stage_->name + "_r0_" + std::to_string(k)));
      }
    }
    return out;
  }

  void add_loop(const Axis& axis) {
    loops_.emplace_back(axis, order_.add(loop_over(axis, axis->where)));
  }

  LoopId loop_of(const Axis& axis) const {
    return std::find_if(loops_.begin(), loops_.end(),
                        [&](const auto& pair) { return pair.first == axis; })
        ->second;
  }

  /// The body with each nested reduction replaced by a read of its temporary.
  Expr without_reductions(const Expr& expr) {
    if (expr->kind == ExprKind::Reduce) return nested_reduction(expr)[0];
    if (expr->kind == ExprKind::Item) {
      return nested_reduction(expr->operands[0])[static_cast<std::size_t>(expr->int_value)];
    }
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

  /// Reads of the values of a reduction inside a larger expression.
  const std::vector<Expr>& nested_reduction(const Expr& reduce) {
    const auto known = temporaries_.find(reduce);
    if (known != temporaries_.end()) return known->second;
    const std::string name = stage_->name + "_r" + std::to_string(temporaries_.size());
    const bool is_alone = reduce->operands.size() == 1;
    std::vector<std::string> arrays;
    for (std::size_t k = 0; k < reduce->operands.size(); ++k) {
      arrays.push_back(add_temporary(reduce, k, is_alone ? name : name + "_" + std::to_string(k)));
    }
    add_reduction(reduce, arrays, name);
    std::vector<Expr> reads;
    for (const std::string& array : arrays) {
      std::vector<Expr> indices;
      for (std::size_t k = 0; k < stage_->axis.size(); ++k) {
        const Expr index = dsl::make_axis_ref(stage_->axis[k], reduce->where);
        const std::int64_t lowest = first_of_.at(array)[k];
        const Expr first = dsl::make_int(lowest, DType::Int64, false, reduce->where);
        indices.push_back(dsl::make_binary(BinaryOp::Sub, index, first, reduce->where));
      }
      const Tensor& tensor = program_.arrays.at(array).tensor;
      reads.push_back(dsl::make_read(tensor, std::move(indices), reduce->where));
    }
    return temporaries_.emplace(reduce, std::move(reads)).first->second;
  }

  /// Memory for one value of a reduction, in the instances that need it. Returns its name.
  std::string add_temporary(const Expr& reduce, std::size_t value, const std::string& name) {
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
    array.type = reduce->combiner ? reduce->combiner->types[value] : reduce->type;
    array.shape = shape;
    array.tensor = dsl::make_placeholder(shape, array.type, name, reduce->where);
    array.extent = dsl::extent_of(ctx_, array.tensor);
    program_.arrays.emplace(name, array);
    return name;
  }

  /// The initialisation and the updates of a reduction. `name` is that of the updates.
  void add_reduction(const Expr& reduce, const std::vector<std::string>& arrays,
                     const std::string& name) {
    std::vector<Axis> all = stage_->axis;
    for (const Axis& axis : reduce->axes) {
      add_loop(axis);
      all.push_back(axis);
    }
    const auto needed_by = [&](const dsl::AffineScope& scope) {
      return needed_.at(reduce).preimage(index_along(ctx_, scope, stage_->axis, stage_->name));
    };
    std::vector<Target> start, terms;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      start.push_back({arrays[k], reduce->combiner
                                      ? reduce->combiner->identity[k]
                                      : dsl::identity_of(reduce->reduce, reduce->type)});
      terms.push_back({arrays[k], reduce->operands[k]});
    }
    const std::string init = name + "_init";
    add_statement(StatementKind::Init, init, stage_->axis, start, needed_by({init, stage_->axis}));
    // A reduction nested in a reduction's operand is a stage of its own, which the user names.
    for (const Expr& operand : reduce->operands) {
      if (operand == without_nested(operand)) continue;
      const std::string text =
          reduce->combiner ? reduce->combiner->name : std::string(to_string(reduce->reduce));
      throw UnsupportedError(
          {reduce->where, "a reduction inside a reduction is not supported",
           "the operand of '" + text + "' in '" + stage_->name + "' holds another reduction",
           "compute the inner reduction as a tensor of its own and read it"});
    }
    const dsl::AffineScope scope{name, all};
    isl::set domain = needed_by(scope);
    if (const auto some = try_terms_where(ctx_, reduce, scope)) {
      domain = domain.intersect(*dsl::try_condition(ctx_, some->condition, scope)).coalesce();
      terms[0].value = some->term;
    }
    Statement& update = add_statement(StatementKind::Update, name, all, terms, domain);
    update.combiner = reduce->combiner;
    if (!reduce->combiner) update.reduce = reduce->reduce;
    // Updates that do not commute keep their order, as any other dependence.
    if (reduce->combiner && !reduce->combiner->is_commutative) return;
    set_group(init, name);
    set_group(name, name);
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

  Statement& add_statement(StatementKind kind, const std::string& name,
                           const std::vector<Axis>& axes, const std::vector<Target>& targets,
                           const isl::set& restriction) {
    const dsl::AffineScope scope{name, axes, stage_->domain};
    Statement s;
    s.name = name;
    s.kind = kind;
    s.stage = stage_->name;
    s.axes = axes;
    s.domain = dsl::domain_of(ctx_, scope).intersect(restriction).coalesce();
    s.where = stage_->where;
    for (const Target& target : targets) {
      const isl::multi_pw_aff index = element_index(scope, target.array);
      s.writes.push_back({index.as_map().intersect_domain(s.domain), index, target.value});
    }
    if (kind == StatementKind::Update) {
      for (const Write& write : s.writes) s.reads.push_back({write.relation, write.index, nullptr});
    }
    for (const Target& target : targets) add_reads(s, target.value, scope);
    std::vector<LoopId> path;
    for (const Axis& axis : axes) {
      const LoopId id = loop_of(axis);
      path.push_back(id);
      order_.loops.at(id).value.emplace(
          name, *dsl::try_affine(ctx_, dsl::make_axis_ref(axis, axis->where), scope));
    }
    order_.placements.push_back({name, std::move(path)});
    return program_.statements.emplace(name, std::move(s)).first->second;
  }

  /// What a value reads; a read that several values share is one operand.
  void add_reads(Statement& s, const Expr& value, const dsl::AffineScope& scope) const {
    for (const dsl::Access& access : dsl::reads_of(ctx_, value, scope)) {
      const isl::map relation = access.relation.intersect_domain(s.domain);
      const auto known = std::find_if(s.reads.begin(), s.reads.end(), [&](const Operand& operand) {
        return operand.read == access.read;
      });
      if (known == s.reads.end()) {
        s.reads.push_back({relation, index_of(access.read, scope), access.read, 0, std::nullopt,
                           access.is_exact});
      } else {
        known->relation = known->relation.unite(relation).coalesce();
      }
    }
  }

  /// { S[axes] -> array[element] } that an instance stores: of the stage, or of a temporary.
  isl::multi_pw_aff element_index(const dsl::AffineScope& scope, const std::string& array) const {
    for (const Tensor& member : dsl::members_of(stage_)) {
      if (array == member->storage_name()) return dsl::stored_element(ctx_, *member, scope);
    }
    return index_along(ctx_, scope, stage_->axis, array, first_of_.at(array));
  }

  /// { S[axes] -> T[index expressions] } without the guards around the read; the first element that
  /// an index which depends on data may be.
  isl::multi_pw_aff index_of(const Expr& read, const dsl::AffineScope& scope) const {
    isl::multi_pw_aff out;
    for (const Expr& index : read->operands) {
      const auto value = index->kind == ExprKind::Bounded
                             ? dsl::try_affine(ctx_, index->operands[1], scope)
                             : dsl::try_affine(ctx_, index, scope);
      const isl::multi_pw_aff one = value->to_multi_pw_aff();
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
  std::map<Expr, std::vector<Expr>> temporaries_;
  std::map<std::string, std::vector<std::int64_t>> first_of_;  ///< by temporary: its lowest element
};

void add_array(Program& program, const Tensor& tensor) {
  Array array;
  array.name = tensor->storage_name();
  array.type = tensor->type;
  array.shape = tensor->shape;
  array.tensor = dsl::root_of(tensor);
  array.extent = dsl::extent_of(program.ctx(), array.tensor);
  program.arrays.emplace(array.name, std::move(array));
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

/// `given`, each with the tensors that are computed together with it.
std::vector<Tensor> with_tuples(const std::vector<Tensor>& given) {
  std::vector<Tensor> out;
  for (const Tensor& tensor : given) {
    for (const Tensor& member : dsl::members_of(tensor)) {
      if (!contains(out, member)) out.push_back(member);
    }
  }
  return out;
}

/// Whether `tensor` is what updates made of `earlier`.
bool comes_after(Tensor tensor, const Tensor& earlier) {
  while (tensor->is_update()) {
    tensor = tensor->base;
    if (tensor == earlier) return true;
  }
  return false;
}

/// Throws unless each given tensor is read, and its memory holds nothing else before it.
void require_given(const std::vector<Tensor>& given, const std::vector<Tensor>& outputs,
                   const std::vector<Tensor>& tensors, const SourceLoc& where) {
  for (const Tensor& tensor : given) {
    const std::string defined = "'" + tensor->name + "' is defined at " + tensor->where.to_string();
    if (contains(outputs, tensor)) {
      throw ScheduleArgumentError({where, "'" + tensor->name + "' is an input and an output",
                                   defined, "leave it out of one of the two"});
    }
    if (!contains(tensors, tensor)) {
      throw ScheduleArgumentError({where, "input '" + tensor->name + "' is not read",
                                   "no output needs it; " + defined, "leave it out of inputs="});
    }
    for (const Tensor& other : tensors) {
      if (other == tensor || other->storage_name() != tensor->storage_name()) continue;
      if (!contains(given, other) && comes_after(other, tensor)) continue;
      throw DslError({where, "'" + other->name + "' is needed beside input '" + tensor->name + "'",
                      "they are one memory at two times; '" + other->name + "' is defined at " +
                          other->where.to_string(),
                      "make '" + other->name + "' an output of its own schedule, or leave '" +
                          tensor->name + "' out of inputs="});
    }
  }
}

/// An output holds what it has at the end: no update may follow it.
void require_last(const std::vector<Tensor>& outputs, const std::vector<Tensor>& tensors,
                  const std::vector<Tensor>& given, const SourceLoc& where) {
  for (const Tensor& tensor : tensors) {
    if (!tensor->is_update() || contains(given, tensor)) continue;
    if (std::find(outputs.begin(), outputs.end(), tensor->base) == outputs.end()) continue;
    throw DslError(
        {where, "output '" + tensor->base->name + "' is changed by update '" + tensor->name + "'",
         "'" + tensor->name + "' at " + tensor->where.to_string() + " stores into the same memory",
         "make '" + tensor->name + "' the output instead"});
  }
}

void require_variable(const Tensor& update) {
  const Tensor root = dsl::root_of(update);
  if (!root->is_constant()) return;
  throw DslError({update->where, "'" + update->name + "' changes a constant",
                  "'" + root->name + "' is defined at " + root->where.to_string(),
                  "update a placeholder, or a compute that copies it"});
}

}  // namespace

isl::map Program::reply_of(const Statement& transfer) const {
  const Copy& copy = *transfer.copy;
  const isl::set moving = copy.elements.domain();
  const isl::pw_aff slot = buffers.at(copy.buffer).depth > 1
                               ? copy.near_first.at(0).intersect_domain(moving)
                               : moving.pw_aff_on_domain(isl::val::zero(ctx()));
  return isl_ext::with_tuple_name(slot.as_map(), isl_ext::Dim::Range, "reply " + copy.transfer);
}

std::string Program::home_of(std::string array) const {
  for (auto at = buffers.find(array); at != buffers.end() && at->second.tensor != array;
       at = buffers.find(array)) {
    array = at->second.tensor;
  }
  return array;
}

bool Program::is_input(const Array& array) const {
  if (array.kind != ArrayKind::Tensor) return false;
  return array.tensor->is_placeholder() ||
         std::any_of(given.begin(), given.end(),
                     [&](const Tensor& tensor) { return tensor->storage_name() == array.name; });
}

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

ProgramAndOrder make_program(const std::vector<Tensor>& outputs, const SourceLoc& where,
                             const std::vector<Tensor>& given,
                             std::shared_ptr<const IslContext> isl) {
  auto program = std::make_shared<Program>();
  program->isl = isl ? std::move(isl) : std::make_shared<IslContext>();
  program->outputs = outputs;
  ProgramAndOrder out;
  program->given = with_tuples(given);
  const std::vector<Tensor> tensors = tensors_of(outputs, program->given);
  require_names(tensors, where);
  require_given(given, outputs, tensors, where);
  require_last(outputs, tensors, program->given, where);
  for (const Tensor& tensor : tensors) {
    const bool is_given = contains(program->given, tensor);
    if (!tensor->is_update() || is_given) add_array(*program, tensor);
    if (tensor->is_update() && !is_given) require_variable(tensor);
  }
  for (const Tensor& tensor : tensors) {
    if (tensor->body == nullptr || contains(program->given, tensor)) continue;
    if (dsl::stage_of(tensor) != tensor) continue;
    program->stages.push_back(tensor);
    out.axis_loops[tensor->name] = StageBuilder(*program, out.order, tensor).build();
  }
  collect_sizes(*program, where);
  take_as_reference(*program, out.order);
  out.program = std::move(program);
  return out;
}

}  // namespace solway::schedule
