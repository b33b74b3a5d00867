#include "schedule/specialize.h"

#include <algorithm>
#include <optional>

#include "dsl/affine.h"
#include "schedule/fusion.h"
#include "schedule/proof.h"
#include "schedule/rewrite_loops.h"
#include "schedule/sizes.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// The conditions that hold together, as items of their own.
void split_conjunctions(const RegionItem& item, Region& out) {
  const dsl::ExprNode& node = *item.index;
  if (node.kind == dsl::ExprKind::Binary && node.binary == BinaryOp::And) {
    for (const dsl::Expr& operand : node.operands) {
      RegionItem part = item;
      part.index = operand;
      split_conjunctions(part, out);
    }
    return;
  }
  out.push_back(item);
}

/// { R[x] -> S[x] } on the space of R, the tuple `name`, S being the tuple of `domain`.
isl::multi_pw_aff renamed_to(const isl::set& domain, const std::string& name) {
  const std::string own = isl_ext::tuple_name(domain);
  const isl::set renamed = isl_ext::with_tuple_name(domain, name);
  return isl::multi_aff::identity_on_domain(renamed.space()).to_multi_pw_aff().set_range_tuple(own);
}

class Specializer {
 public:
  Specializer(const State& state, std::string stage, const Region& conditions,
              const SourceLoc& where)
      : before_(state),
        out_(state),
        stage_(std::move(stage)),
        program_(std::make_shared<Program>(*state.program)) {
    for (const RegionItem& item : conditions) split_conjunctions(item, conditions_);
    std::string text;
    for (const RegionItem& item : conditions_) {
      text += (text.empty() ? "" : ", ") + to_string(state, item);
    }
    request_ = {"specialize(" + text + ")", where};
  }

  SpecializeResult run() {
    require_conditions();
    require_alone();
    divide();
    make_rest();
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      for (const std::string& name : statements_of(before_, stage_)) make_versions(name);
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    place();
    adopt_program(out_, program_, request_);
    Step step{"specialize", stage_, {}, {}, request_.where, rest_->name};
    for (const RegionItem& item : conditions_) step.arguments.emplace_back("", text_of(item));
    out_.log.push_back(std::move(step));
    return {std::move(out_), rest_};
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  static StepText text_of(const RegionItem& item) {
    StepText out = step_text({item});
    out.text = out.text.substr(1, out.text.size() - 2);
    return out;
  }

  void require_conditions() const {
    if (conditions_.empty()) {
      refuse("there is no condition", "it decides which iterations each version runs",
             "pass a comparison of axes, such as outer < 7");
    }
    for (const RegionItem& item : conditions_) {
      const std::string text = "'" + dsl::to_string(item.index) + "'";
      if (item.loop >= 0 || item.index->type != DType::Bool) {
        refuse((item.loop >= 0 ? "'" + to_string(before_, item) + "'" : text) + " is no condition",
               "it is a number", "compare it: outer < 7");
      }
      if (item.index->kind != dsl::ExprKind::Binary || !solway::is_comparison(item.index->binary)) {
        throw UnsupportedError(
            {request_.where, request_.text + ": " + text + " is no comparison",
             "comparisons of axes that hold together divide a stage",
             "specialize by one comparison, then the other version by the next"});
      }
      require_own_sizes(*before_.program, item.index, request_.text, request_.where);
      for (const auto& [axis, loop] : item.axes) {
        if (!is_own_axis(axis)) require_loop(before_, stage_, loop, request_.text, request_.where);
      }
    }
  }

  /// Whether an axis is one of the stage as it was written.
  bool is_own_axis(const dsl::Axis& axis) const {
    const auto own = before_.axis_loops.find(stage_);
    return own != before_.axis_loops.end() &&
           std::any_of(own->second.begin(), own->second.end(),
                       [&](const auto& pair) { return pair.first == axis; });
  }

  void require_alone() const {
    const auto& loops = before_.stage_loops.at(stage_);
    for (const Placement& p : before_.order.placements) {
      const Statement& s = before_.program->statement(p.statement);
      if (s.stage == stage_ && s.serves_buffer()) {
        const Buffer& buffer = before_.program->buffers.at(s.served_buffer());
        refuse("a buffer depends on '" + stage_ + "'",
               buffer.primitive + " at " + buffer.where.to_string() + " made '" + buffer.name + "'",
               "specialize first, then make buffers in each version");
      }
      if (s.stage == stage_ && s.is_layout_copy()) {
        refuse("'" + stage_ + "' copies a tensor into another layout",
               "it computes nothing that was written", "specialize what reads the copy");
      }
      const bool is_inside = std::any_of(p.path.begin(), p.path.end(), [&](LoopId id) {
        return std::find(loops.begin(), loops.end(), id) != loops.end();
      });
      if (!is_inside || s.stage == stage_ || !s.origin) continue;
      refuse("'" + s.stage + "' was placed in the loops of '" + stage_ + "'",
             "a tile would be computed in one of the two versions only",
             "leave out its compute_at");
    }
  }

  /// The value of an axis or a loop in the instances of a statement; nullopt when it has none.
  std::optional<isl::pw_aff> value_in(const Statement& s, const dsl::Axis& axis,
                                      LoopId loop) const {
    const auto dim = std::find(s.axes.begin(), s.axes.end(), axis);
    if (dim != s.axes.end()) {
      return isl::pw_aff(
          isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(dim - s.axes.begin())));
    }
    const auto present = before_.order.loops.find(loop);
    if (present == before_.order.loops.end()) return std::nullopt;
    const auto value = present->second.value.find(s.name);
    if (value == present->second.value.end()) return std::nullopt;
    return value->second;
  }

  /// Where a condition holds; nullopt when the statement lacks one of its axes.
  std::optional<isl::set> holds_in(const Statement& s, const RegionItem& item) const {
    dsl::AffineScope scope{"R", {}};
    isl::multi_pw_aff values;
    for (const auto& [axis, loop] : item.axes) {
      const auto value = value_in(s, axis, loop);
      if (!value) return std::nullopt;
      scope.axes.push_back(axis);
      const isl::multi_pw_aff one = value->to_multi_pw_aff();
      values = values.is_null() ? one : values.flat_range_product(one);
    }
    const auto condition = dsl::try_condition(program_->ctx(), item.index, scope);
    const bool names_none = item.axes.empty() && dsl::sizes_of(item.index).empty();
    if (!condition || names_none) {
      refuse("'" + dsl::to_string(item.index) + "' is not affine in the axes",
             names_none ? "it names no axis" : "only sums of axes with constant factors are proved",
             "compare such sums: outer < 7");
    }
    if (item.axes.empty()) {
      return isl::set::universe(s.domain.space()).intersect_params(condition->params());
    }
    return condition->preimage(values.set_range_tuple("R"));
  }

  /// The instances of each statement in the first version.
  void divide() {
    bool some = false, others = false;
    for (const std::string& name : statements_of(before_, stage_)) {
      const Statement& s = before_.program->statement(name);
      std::optional<isl::set> all = s.domain;
      for (const RegionItem& item : conditions_) {
        const auto one = holds_in(s, item);
        if (all && one) all = all->intersect(*one);
        if (!one) all = std::nullopt;
      }
      if (!all) continue;
      some = some || !all->is_empty();
      others = others || !s.domain.is_subset(*all);
      first_.emplace(name, all->coalesce());
    }
    if (some && others) return;
    refuse(std::string("the condition ") + (some ? "always" : "never") + " holds",
           std::string("one of the two versions of '") + stage_ + "' would run nothing",
           "leave it out, or pass a condition that holds in some iterations");
  }

  /// The tensor that names the second version.
  void make_rest() {
    const auto& stages = program_->stages;
    const auto at = std::find_if(stages.begin(), stages.end(),
                                 [&](const dsl::Tensor& t) { return t->name == stage_; });
    auto node = std::make_shared<dsl::TensorNode>();
    node->name = unused_name(stage_ + "_else");
    node->set_shape((*at)->extents());
    node->type = (*at)->type;
    node->axis = (*at)->axis;
    node->reduce_axis = (*at)->reduce_axis;
    node->where = request_.where;
    rest_ = node;
    program_->stages.insert(at + 1, rest_);
  }

  std::string unused_name(const std::string& base) const {
    std::string out = base;
    for (int k = 2; program_->arrays.count(out) != 0 || program_->statements.count(out) != 0 ||
                    out_.stage_loops.count(out) != 0;
         ++k) {
      out = base + std::to_string(k);
    }
    return out;
  }

  /// `s` in the instances `domain` of its own, under the name `name`.
  Statement version(const Statement& s, const isl::set& domain, const std::string& name) const {
    Statement out = s;
    out.name = name;
    const isl::multi_pw_aff own = renamed_to(s.domain, name);
    out.domain = isl_ext::with_tuple_name(domain, name);
    const isl::map back = own.as_map().intersect_domain(out.domain);
    out.origin = s.origin ? back.apply_range(*s.origin) : back;
    for (Write& write : out.writes) {
      write.index = write.index.pullback(own);
      write.relation = back.apply_range(write.relation);
    }
    for (Operand& operand : out.reads) {
      operand.index = operand.index.pullback(own);
      operand.relation = back.apply_range(operand.relation);
    }
    for (Inlined& value : out.inlined) value.origin = back.apply_range(value.origin);
    if (s.group) out.group = back.apply_range(*s.group);
    return out;
  }

  void make_versions(const std::string& name) {
    const auto first = first_.find(name);
    if (first == first_.end()) return;
    const Statement s = before_.program->statement(name);
    const std::string other = unused_name(s.kind == StatementKind::Init ? rest_->name + "_init"
                                          : name == stage_              ? rest_->name
                                                                        : name + "_else");
    const isl::set left = s.domain.subtract(first->second).coalesce();
    Statement rest = version(s, left, other);
    rest.stage = rest_->name;
    program_->statements.insert_or_assign(name, version(s, first->second, name));
    program_->statements.insert_or_assign(other, std::move(rest));
    for (Cut& cut : out_.order.cuts) {
      const auto whole = cut.whole.find(name);
      if (whole == cut.whole.end()) continue;
      cut.whole.emplace(other, isl_ext::with_tuple_name(whole->second, other));
    }
    others_.emplace_back(name, other);
  }

  /// The statements of the second version follow those of the first, in copies of the loops that
  /// run nothing else.
  void place() {
    auto& order = out_.order;
    std::vector<Placement> added;
    for (const auto& [name, other] : others_) {
      Placement placement = before_.order.placement_of(name);
      placement.statement = other;
      copy_coordinates(order, name, other,
                       renamed_to(before_.program->statement(name).domain, other));
      for (LoopId& id : placement.path) {
        const isl::pw_aff value = before_.order.loop(id).value.at(name).pullback(
            renamed_to(before_.program->statement(name).domain, other));
        id = copy_of(id);
        order.loops.at(id).value.emplace(other, value);
      }
      added.push_back(std::move(placement));
    }
    const auto last = std::find_if(
        order.placements.rbegin(), order.placements.rend(),
        [&](const Placement& p) { return program_->statement(p.statement).stage == stage_; });
    order.placements.insert(last.base(), added.begin(), added.end());
    const auto domains = program_->domains();
    for (const auto& [own, copy] : copies_) {
      set_range(order.loops.at(own), domains);
      set_range(order.loops.at(copy), domains);
    }
    auto& loops = out_.stage_loops[rest_->name];
    for (const LoopId id : before_.stage_loops.at(stage_)) {
      const auto copy = copies_.find(id);
      loops.push_back(copy == copies_.end() ? id : copy->second);
    }
    auto& axes = out_.axis_loops[rest_->name];
    for (const auto& [axis, id] : before_.axis_loops.at(stage_)) {
      const auto copy = copies_.find(id);
      axes.emplace_back(axis, copy == copies_.end() ? id : copy->second);
    }
  }

  LoopId copy_of(LoopId id) {
    const auto known = copies_.find(id);
    if (known != copies_.end()) return known->second;
    const Loop& loop = before_.order.loop(id);
    for (const auto& [name, value] : loop.value) {
      if (before_.program->statement(name).stage != stage_) return id;
    }
    Loop copy = loop;
    copy.value.clear();
    return copies_.emplace(id, out_.order.add(std::move(copy))).first->second;
  }

  const State& before_;
  State out_;
  std::string stage_;
  Region conditions_;
  Request request_;
  std::shared_ptr<Program> program_;
  std::map<std::string, isl::set> first_;  ///< { S[x] } of the first version, by statement
  dsl::Tensor rest_;
  std::vector<std::pair<std::string, std::string>> others_;  ///< statements and their versions
  std::map<LoopId, LoopId> copies_;
};

}  // namespace

const Step* division_of(const State& state, const std::string& stage) {
  for (const Step& step : state.log) {
    const bool is_it = step.stage == stage || step.buffer == stage;
    if (step.primitive == "specialize" && is_it) return &step;
  }
  return nullptr;
}

SpecializeResult specialize(const State& state, const std::string& stage, const Region& conditions,
                            const SourceLoc& where) {
  return Specializer(state, stage, conditions, where).run();
}

}  // namespace solway::schedule
