#include "schedule/rfactor.h"

#include <algorithm>

#include "dsl/affine.h"
#include "schedule/fusion.h"
#include "schedule/proof.h"
#include "schedule/specialize.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Axis;
using isl_ext::Dim;

/// { S[x] -> S[x] } without pairs: a statement that computes nothing that was written.
isl::map no_origin(const isl::set& domain) { return isl::map::empty(domain.identity().space()); }

Axis named_like(const Loop& loop, dsl::AxisKind kind, const SourceLoc& where) {
  std::string name = loop.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return dsl::make_axis(name, kind, 0, loop.extent(), where);
}

class Factorer {
 public:
  Factorer(const State& state, const std::string& stage, LoopId axis, const SourceLoc& where)
      : before_(state),
        out_(state),
        stage_(stage),
        axis_(axis),
        request_{"rfactor(" + stage + ", " + loop_name(state, axis) + ")", where},
        program_(std::make_shared<Program>(*state.program)) {}

  RfactorResult run() {
    find_reduction();
    make_tensors();
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      make_statements();
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    make_loops();
    adopt_program(out_, program_, request_);
    Step step{"rfactor", stage_, {}, {}, request_.where, partial()};
    step.arguments.emplace_back("", StepText{"{" + stage_ + "}"});
    step.arguments.emplace_back("", axis_);
    out_.log.push_back(std::move(step));
    return {std::move(out_), partials_};
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  void find_reduction() {
    const Loop& loop = before_.order.loop(axis_);
    if (loop.kind != dsl::AxisKind::Reduce) {
      refuse("'" + loop.name + "' is no reduction axis",
             "partial results are those of parts of a reduction", "name a reduction axis");
    }
    int reductions = 0;
    for (const std::string& name : statements_of(before_, stage_)) {
      const Statement& s = before_.program->statement(name);
      reductions += s.kind == StatementKind::Update ? 1 : 0;
      if (s.kind == StatementKind::Update && loop.value.count(name) != 0) update_ = &s;
      if (s.kind == StatementKind::Init && s.group) init_ = &s;
      if (s.kind == StatementKind::Compute) use_ = &s;
    }
    if (update_ == nullptr)
      throw InternalError({{}, "a reduction axis without a reduction", "", ""});
    require_whole(*update_);
    if (reductions > 1) {
      refuse_reduction("it has " + std::to_string(reductions) + " reductions",
                       "compute each reduction as a tensor of its own");
    }
    if (init_ == nullptr) throw InternalError({{}, "a reduction without a start", "", ""});
    find_anchor();
  }

  static std::string array_of(const Write& write) {
    return isl_ext::tuple_name(write.relation, Dim::Range);
  }

  void require_whole(const Statement& s) const {
    const auto is_in_buffer = [&](const Write& write) {
      return program_->array(array_of(write)).kind == ArrayKind::Buffer;
    };
    const std::vector<Write>& last = use_ != nullptr ? use_->writes : s.writes;
    const bool is_placed = std::any_of(s.writes.begin(), s.writes.end(), is_in_buffer) ||
                           std::any_of(last.begin(), last.end(), is_in_buffer);
    if (s.is_merge() || is_placed) {
      refuse("'" + stage_ + "' is " +
                 (s.is_merge() ? "factored" : "placed in other loops or in a buffer") + " already",
             s.is_merge() ? "it merges partial results" : "its loops hold a part of the tensor",
             s.is_merge() ? "factor the partial results further"
                          : "apply rfactor before what places it");
    }
    if (const Step* step = division_of(before_, stage_)) {
      refuse("'" + step->buffer + "' is a part of '" + step->stage + "'",
             "specialize at " + step->where.to_string() + " divided it",
             "apply rfactor before specialize");
    }
    if (s.group) return;
    refuse_reduction("its terms must keep their order",
                     "declare the reducer with commutative=True if every order is right");
  }

  [[noreturn]] void refuse_reduction(const std::string& why, const std::string& fix) const {
    throw UnsupportedError(
        {request_.where, request_.text + ": '" + stage_ + "' is no single reduction", why, fix});
  }

  /// The value whose elements are the instances of the initialisation.
  void find_anchor() {
    for (anchor_ = 0; anchor_ < init_->writes.size(); ++anchor_) {
      const isl::map& element = init_->writes[anchor_].relation;
      const isl::map own = isl_ext::with_tuple_name(element, Dim::Range, init_->name);
      if (own.is_equal(init_->domain.identity())) return;
    }
    if (use_ != nullptr) {
      refuse_reduction("a part of its elements needs the reduction",
                       "compute the reduction as a tensor of its own");
    }
    refuse_reduction("transform_layout changed where its elements lie",
                     "apply rfactor before transform_layout");
  }

  /// The name of the stage of partial results and of its first tensor.
  const std::string& partial() const { return partials_[0]->name; }

  /// One per value.
  std::vector<std::string> unused_names() const {
    const std::size_t count = update_->writes.size();
    for (int k = 1;; ++k) {
      const std::string base = stage_ + "_rf" + (k == 1 ? "" : std::to_string(k));
      std::vector<std::string> out = {base};
      for (std::size_t n = 0; count > 1 && n < count; ++n) {
        out.resize(count);
        out[n] = base + "_" + std::to_string(n);
      }
      const bool is_free = std::none_of(out.begin(), out.end(), [&](const std::string& name) {
        return program_->arrays.count(name) != 0 || program_->statements.count(name) != 0;
      });
      if (is_free) return out;
    }
  }

  /// The tensors of partial results: the values of the axis from 0, then the tensor's dimensions.
  void make_tensors() {
    const std::vector<std::string> names = unused_names();
    const Array& whole = program_->array(array_of(init_->writes[anchor_]));
    const Loop& loop = before_.order.loop(axis_);
    part_ = named_like(loop, dsl::AxisKind::Spatial, request_.where);
    auto tuple = std::make_shared<dsl::TensorTuple>();
    tuple->members.resize(names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
      dsl::TensorNode& node = tuple->members[k];
      node.name = names[k];
      node.shape = whole.shape;
      node.shape.insert(node.shape.begin(), loop.extent());
      node.type = program_->array(array_of(update_->writes[k])).type;
      node.where = request_.where;
      node.axis = {part_};
      node.axis.insert(node.axis.end(), init_->axes.begin(), init_->axes.end());
      if (names.size() > 1) node.tuple = tuple.get();
      partials_.emplace_back(tuple, &node);
      Array array;
      array.name = node.name;
      array.kind = ArrayKind::Temporary;
      array.type = node.type;
      array.shape = node.shape;
      array.tensor = partials_.back();
      array.extent = dsl::extent_of(program_->ctx(), array.tensor);
      program_->arrays.emplace(array.name, std::move(array));
    }
    auto& stages = program_->stages;
    stages.insert(std::find_if(stages.begin(), stages.end(),
                               [&](const dsl::Tensor& t) { return t->name == stage_; }),
                  partials_[0]);
  }

  /// { S[x] -> C_rf[part, element] }, for one of the values.
  isl::multi_pw_aff cell(const isl::multi_pw_aff& part, const isl::multi_pw_aff& element,
                         std::size_t value = 0) const {
    return part.flat_range_product(element).set_range_tuple(partials_[value]->name);
  }

  static isl::multi_pw_aff dims_of(const isl::set& domain, int begin, int end) {
    const isl::space space = domain.space();
    isl::multi_pw_aff out;
    for (int k = begin; k < end; ++k) {
      const isl::multi_pw_aff one = isl::pw_aff(isl_ext::dim_on_domain(space, k)).to_multi_pw_aff();
      out = out.is_null() ? one : out.flat_range_product(one);
    }
    return out.is_null() ? isl::multi_pw_aff::zero(space.add_unnamed_tuple(0)) : out;
  }

  /// The statements of the new stage, and the merge.
  void make_statements() {
    const Loop& loop = before_.order.loop(axis_);
    const std::string& name = partial();
    // { U[x] -> C_rf[part, element] }
    const isl::multi_pw_aff number =
        loop.value.at(update_->name).add_constant(-static_cast<long>(loop.begin)).to_multi_pw_aff();
    const isl::multi_pw_aff index =
        cell(number, update_->writes[anchor_].index.reset_range_tuple_id());
    const isl::set cells = index.as_map().intersect_domain(update_->domain).range().coalesce();

    Statement terms = renamed(*update_, name);
    set_access(terms, index);
    terms.stage = name;
    Statement start = renamed_init(cells);
    Statement merge = merge_of(cells);
    program_->statements.erase(update_->name);
    for (Statement* s : {&terms, &start, &merge}) {
      program_->statements.emplace(s->name, *s);
    }
  }

  /// The same instances under another name, whose origin they are.
  Statement renamed(const Statement& s, const std::string& name) const {
    Statement out = s;
    out.name = name;
    const isl::map back = isl_ext::with_tuple_name(s.domain.identity(), Dim::Domain, name);
    out.domain = back.domain();
    out.origin = s.origin ? back.apply_range(*s.origin) : back;
    const isl::multi_pw_aff index =
        dims_of(out.domain, 0, isl_ext::dim_count(out.domain, Dim::Range)).set_range_tuple(s.name);
    for (Operand& operand : out.reads) {
      operand.relation = back.apply_range(operand.relation);
      operand.index = operand.index.pullback(index);
    }
    for (Inlined& value : out.inlined) value.origin = back.apply_range(value.origin);
    return out;
  }

  /// Lets `s` accumulate in the cell that `index` { x -> C_rf[cell] } gives for x = its iteration.
  void set_access(Statement& s, const isl::multi_pw_aff& index) const {
    const isl::multi_pw_aff instance =
        dims_of(s.domain, 0, isl_ext::dim_count(s.domain, Dim::Range))
            .set_range_tuple(update_->name);
    for (std::size_t k = 0; k < s.writes.size(); ++k) {
      const isl::multi_pw_aff own = index.pullback(instance).set_range_tuple(partials_[k]->name);
      s.writes[k].index = s.reads[k].index = own;
      s.writes[k].relation = s.reads[k].relation = own.as_map().intersect_domain(s.domain);
    }
    s.group = isl_ext::with_tuple_name(s.writes[0].relation, Dim::Range, "G_" + partial());
  }

  Statement renamed_init(const isl::set& cells) const {
    Statement out = *init_;
    out.name = partial() + "_init";
    out.stage = partial();
    out.axes = partials_[0]->axis;
    out.domain = isl_ext::with_tuple_name(cells, out.name);
    out.origin = no_origin(out.domain);
    const isl::multi_pw_aff all =
        dims_of(out.domain, 0, isl_ext::dim_count(out.domain, Dim::Range));
    for (std::size_t k = 0; k < out.writes.size(); ++k) {
      Write& write = out.writes[k];
      write.index = all.set_range_tuple(partials_[k]->name);
      write.relation = write.index.as_map().intersect_domain(out.domain);
    }
    out.group = isl_ext::with_tuple_name(out.writes[0].relation, Dim::Range, "G_" + partial());
    return out;
  }

  /// C[element] += C_rf[part, element], the part innermost, for each value.
  Statement merge_of(const isl::set& cells) {
    const Loop& loop = before_.order.loop(axis_);
    merged_ = named_like(loop, dsl::AxisKind::Reduce, request_.where);
    Statement out = *update_;
    out.name = stage_ + "_merge";
    out.where = request_.where;
    out.inlined.clear();
    out.axes = init_->axes;
    out.axes.push_back(merged_);
    const int rank = isl_ext::dim_count(cells, Dim::Range) - 1;
    const isl::set all = isl::set::universe(
        isl::space::unit(program_->ctx())
            .add_named_tuple(isl::id(program_->ctx(), out.name), static_cast<unsigned>(rank) + 1));
    const isl::multi_pw_aff index = cell(dims_of(all, rank, rank + 1), dims_of(all, 0, rank));
    out.domain = index.as_map().intersect_range(cells).domain().coalesce();
    out.origin = no_origin(out.domain);
    const isl::multi_pw_aff start = dims_of(out.domain, 0, rank).set_range_tuple(init_->name);
    std::vector<dsl::Expr> indices{dsl::make_axis_ref(merged_, request_.where)};
    for (const Axis& axis : init_->axes) indices.push_back(dsl::make_axis_ref(axis, axis->where));
    out.writes.clear();
    out.reads.clear();
    std::vector<Operand> terms;
    for (std::size_t k = 0; k < partials_.size(); ++k) {
      const isl::multi_pw_aff element = init_->writes[k].index.pullback(start);
      const isl::map relation = element.as_map().intersect_domain(out.domain);
      const isl::multi_pw_aff term = index.set_range_tuple(partials_[k]->name);
      const dsl::Expr read = dsl::make_read(partials_[k], indices, request_.where);
      out.writes.push_back({relation, element, read});
      out.reads.push_back({relation, element, nullptr});
      terms.push_back({term.as_map().intersect_domain(out.domain), term, read});
    }
    out.reads.insert(out.reads.end(), terms.begin(), terms.end());
    out.group = start.as_map().intersect_domain(out.domain).apply_range(*init_->group);
    return out;
  }

  /// The new stage takes the loops; the stage gets new ones after that nest.
  void make_loops() {
    const std::string& name = partial();
    for (auto& [id, loop] : out_.order.loops) {
      const auto own = loop.value.find(update_->name);
      if (own == loop.value.end()) continue;
      const isl::set& domain = program_->statement(name).domain;
      const isl::multi_pw_aff instance =
          dims_of(domain, 0, isl_ext::dim_count(domain, Dim::Range)).set_range_tuple(update_->name);
      const isl::pw_aff value = own->second.pullback(instance);
      loop.value.erase(own);
      loop.value.emplace(name, value);
    }
    const isl::set& domain = program_->statement(name).domain;
    copy_coordinates(
        out_.order, update_->name, name,
        dims_of(domain, 0, isl_ext::dim_count(domain, Dim::Range)).set_range_tuple(update_->name));
    out_.order.loops.at(axis_).kind = dsl::AxisKind::Spatial;
    place_start();
    for (auto& [statement, s] : program_->statements) {
      if (s.stage == stage_ && s.serves_buffer()) s.stage = name;
    }
    for (auto& [buffer, b] : program_->buffers) {
      if (b.stage == stage_) b.stage = name;
    }
    out_.stage_loops[name] = out_.stage_loops.at(stage_);
    auto& all = out_.order.placements;
    for (Placement& p : all) {
      if (p.statement == update_->name) p.statement = name;
    }
    set_axis_loops();
    place_merge();
  }

  /// The initialisation of the partial results stands where that of the result stood.
  void place_start() {
    const std::string start = partial() + "_init";
    const Statement& s = program_->statement(start);
    const int rank = isl_ext::dim_count(s.domain, Dim::Range);
    const isl::multi_pw_aff element = dims_of(s.domain, 1, rank).set_range_tuple(init_->name);
    copy_coordinates(out_.order, init_->name, start, element);
    Placement placement{start, {}};
    for (const LoopId id : before_.stage_loops.at(stage_)) {
      Loop& loop = out_.order.loops.at(id);
      const auto whole = loop.value.find(init_->name);
      if (id == axis_) {
        const isl::pw_aff part(isl_ext::dim_on_domain(s.domain.space(), 0));
        loop.value.emplace(start, part.add_constant(static_cast<long>(loop.begin)));
      } else if (whole != loop.value.end()) {
        loop.value.emplace(start, whole->second.pullback(element));
      } else {
        continue;
      }
      placement.path.push_back(id);
    }
    // Loops of other stages around this one stay around it.
    const std::vector<LoopId>& around = before_.order.placement_of(init_->name).path;
    for (std::size_t k = around.size(); k-- > 0;) {
      if (std::count(placement.path.begin(), placement.path.end(), around[k]) != 0) continue;
      placement.path.insert(placement.path.begin(), around[k]);
      Loop& loop = out_.order.loops.at(around[k]);
      loop.value.emplace(start, loop.value.at(init_->name).pullback(element));
    }
    for (Placement& p : out_.order.placements) {
      if (p.statement == init_->name) p = placement;
    }
    for (auto& [id, loop] : out_.order.loops) loop.value.erase(init_->name);
  }

  void set_axis_loops() {
    auto& own = out_.axis_loops[partial()];
    own.emplace_back(part_, axis_);
    for (const auto& [axis, id] : before_.axis_loops.at(stage_)) {
      if (axis->kind == dsl::AxisKind::Spatial) own.emplace_back(axis, id);
    }
  }

  LoopId new_loop(const Axis& axis) { return out_.order.add(loop_over(axis, request_.where)); }

  void place_merge() {
    std::vector<std::pair<Axis, LoopId>> loops;
    for (const Axis& axis : init_->axes) loops.emplace_back(axis, new_loop(axis));
    loops.emplace_back(merged_, new_loop(merged_));
    std::vector<std::string> names{init_->name, stage_ + "_merge"};
    if (use_ != nullptr) {
      remove_statement(out_, use_->name, request_.text, request_.where);
      names.push_back(use_->name);
      // Loops that fission made for it alone are gone.
      std::erase_if(out_.stage_loops.at(partial()),
                    [&](LoopId id) { return out_.order.loops.count(id) == 0; });
    }
    std::vector<Placement> placements;
    for (const std::string& name : names) {
      const Statement& s = program_->statement(name);
      Placement placement{name, {}};
      for (std::size_t k = 0; k < s.axes.size(); ++k) {
        const isl::pw_aff value(isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(k)));
        out_.order.loops.at(loops[k].second).value.emplace(name, value);
        placement.path.push_back(loops[k].second);
      }
      placements.push_back(std::move(placement));
    }
    std::vector<LoopId>& own = out_.stage_loops.at(stage_);
    own.clear();
    for (const auto& [axis, id] : loops) own.push_back(id);
    out_.axis_loops.at(stage_) = loops;
    auto& all = out_.order.placements;
    const LoopId nest = out_.order.placement_of(partial()).path.front();
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Placement& p) {
      return !p.path.empty() && p.path.front() == nest;
    });
    all.insert(last.base(), placements.begin(), placements.end());
  }

  const State& before_;
  State out_;
  const std::string& stage_;
  LoopId axis_;
  Request request_;
  std::shared_ptr<Program> program_;
  const Statement* update_ = nullptr;
  const Statement* init_ = nullptr;
  const Statement* use_ = nullptr;     ///< what computes with the result of a nested reduction
  std::vector<dsl::Tensor> partials_;  ///< one per value
  std::size_t anchor_ = 0;             ///< the value whose elements are the instances
  Axis part_;                          ///< the factored axis of the partial results
  Axis merged_;                        ///< the axis along which the stage merges them
};

}  // namespace

RfactorResult rfactor(const State& state, const std::string& stage, LoopId axis,
                      const SourceLoc& where) {
  require_loop(state, stage, axis, "rfactor", where);
  return Factorer(state, stage, axis, where).run();
}

}  // namespace solway::schedule
