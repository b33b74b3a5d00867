#include "schedule/transform_layout.h"

#include <algorithm>
#include <set>

#include "dsl/affine.h"
#include "schedule/program_legality.h"
#include "schedule/proof.h"
#include "schedule/region.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Expr;
using isl_ext::Dim;

/// "lambda n, c: (n, c // 16, c % 16)"; `text` writes one index.
template <typename Text>
std::string text_of(const LayoutRequest& request, Text text) {
  std::string out = "lambda";
  for (std::size_t k = 0; k < request.axes.size(); ++k) {
    out += (k == 0 ? " " : ", ") + request.axes[k]->name;
  }
  out += ": (";
  for (const Expr& index : request.index) out += text(index) + ", ";
  return out.substr(0, out.size() - (request.index.size() > 1 ? 2 : 1)) + ")";
}

/// Stores one tensor in another layout; proves nothing.
class Layouter {
 public:
  Layouter(const State& state, const LayoutRequest& request, const Request& asked)
      : out_(state),
        layout_(request),
        name_(request.tensor->storage_name()),
        request_(asked),
        program_(std::make_shared<Program>(*state.program)) {}

  State run() {
    require_free();
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      find_layout();
      rewrite();
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    out_.program = program_;
    Step step{"transform_layout", layout_.tensor->name, {}, {}, request_.where};
    step.arguments.emplace_back("", StepText{"{" + layout_.tensor->name + "}"});
    step.arguments.emplace_back(
        "", StepText{text_of(layout_, [](const Expr& e) { return step_text(e).text; })});
    out_.log.push_back(std::move(step));
    return std::move(out_);
  }

  /// `before`, a program as written, with the same layout, after run(). Null where sizes are not
  /// known, or it takes too long.
  std::shared_ptr<const Program> stored(const Program& before) const {
    if (!before.sizes.empty() || before.arrays.count(name_) == 0) return nullptr;
    auto out = std::make_shared<Program>(before);
    try {
      const IslBudget budget(before.ctx(), kProgramBudget);
      put_in_layout(*out);
      if (copy_) run_copy(*out);
    } catch (const isl::exception_quota&) {
      return nullptr;
    }
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  void require_free() const {
    const std::string& tensor = layout_.tensor->name;
    const auto array = program_->arrays.find(name_);
    if (array == program_->arrays.end()) {
      refuse("'" + tensor + "' is no tensor of this schedule", "nothing reads or writes it",
             "name an argument, an output, or a computed tensor that is not inlined");
    }
    for (const auto& [name, buffer] : program_->buffers) {
      if (buffer.tensor != name_) continue;
      refuse("a buffer depends on '" + tensor + "'",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + name + "'",
             "transform the layout first");
    }
    if (program_->is_input(array->second) && program_->is_updated(array->second)) {
      refuse("'" + tensor + "' is changed in place", "the caller's array keeps its layout",
             "compute a copy and update that");
    }
    for (const auto& [name, s] : program_->statements) {
      if (!s.is_layout_copy() || !(s.writes_to(name_) || s.reads_from(name_))) continue;
      refuse("'" + tensor + "' has another layout already", "'" + name + "' is its copy",
             "compose the two layouts into one");
    }
    for (const Step& step : out_.log) {
      if (step.primitive != "transform_layout" || storage_of(step.stage) != name_) continue;
      refuse("'" + tensor + "' has another layout already",
             "transform_layout gave it one at " + step.where.to_string(),
             "compose the two layouts into one");
    }
  }

  /// The array of a stage's tensor; an argument is called as itself.
  std::string storage_of(const std::string& stage) const {
    const auto at = std::find_if(program_->stages.begin(), program_->stages.end(),
                                 [&](const dsl::Tensor& t) { return t->name == stage; });
    return at == program_->stages.end() ? stage : (*at)->storage_name();
  }

  /// Whether the caller has the tensor, which then keeps its layout.
  bool copies() const { return is_given() || is_output(); }
  bool is_output() const { return program_->is_output(program_->array(name_)); }
  bool is_given() const { return program_->is_input(program_->array(name_)); }
  std::string copy_name() const { return layout_.tensor->name + "_layout"; }

  /// { T[element] -> L[place] }, and the extents of L.
  void find_layout() {
    const isl::ctx ctx = program_->ctx();
    const Array& array = program_->array(name_);
    const dsl::AffineScope scope{name_, layout_.axes};
    for (const Expr& index : layout_.index) {
      const auto value = dsl::try_affine(ctx, index, scope);
      if (!value) {
        refuse("'" + dsl::to_string(index) + "' is no place in a layout",
               "it is not affine in the dimensions of the tensor",
               "use sums, and // and % by constants");
      }
      const isl::multi_pw_aff one = value->to_multi_pw_aff();
      place_ = place_.is_null() ? one : place_.flat_range_product(one);
    }
    const std::string home = copies() ? copy_name() : name_;
    place_ = place_.set_range_tuple(home);
    const isl::map map = place_.as_map().intersect_domain(array.extent);
    if (!map.is_injective()) {
      refuse("two elements would have one place", "the indices do not tell all elements apart",
             "let the indices hold each dimension once, as n, c // 16, c % 16 do");
    }
    const isl::set places = map.range();
    for (std::size_t k = 0; k < layout_.index.size(); ++k) {
      const auto dim = static_cast<int>(k);
      const std::int64_t low = isl_ext::try_dim_min(places, dim).value_or(0);
      if (low < 0) {
        refuse("'" + dsl::to_string(layout_.index[k]) + "' is negative",
               "its smallest value is " + std::to_string(low), "add a constant");
      }
      shape_.push_back(isl_ext::try_dim_max(places, dim).value_or(-1) + 1);
    }
  }

  /// The array in its new layout.
  Array array_in_layout() const {
    Array out = program_->array(name_);
    out.name = copies() ? copy_name() : name_;
    out.kind = copies() ? ArrayKind::Temporary : out.kind;
    out.shape = shape_;
    const dsl::Tensor plain = dsl::make_placeholder(shape_, out.type, out.name, request_.where);
    out.extent = dsl::extent_of(program_->ctx(), plain);
    if (copies()) out.tensor = plain;
    if (!copies() && out.tensor->is_constant()) {
      out.layout = {layout_.axes, layout_.index,
                    place_.as_map().intersect_domain(program_->array(name_).extent)};
    }
    return out;
  }

  void rewrite() {
    array_ = array_in_layout();
    if (copies()) make_copy();
    const bool is_back = is_output();
    put_in_layout(*program_);
    if (!copy_) return;
    auto& stages = program_->stages;
    stages.insert(is_back ? stages.end() : stages.begin(), copy_stage_);
    place_copy(*copy_, is_back);
  }

  /// Lets the statements of `program` use the layout, and adds the one that copies.
  void put_in_layout(Program& program) const {
    for (auto& [name, s] : program.statements) redirect(s);
    program.arrays.insert_or_assign(array_.name, array_);
    if (copy_) program.statements.emplace(copy_->name, *copy_);
  }

  void redirect(Statement& s) const {
    require_exact_reads(s, name_, request_.text, request_.where);
    const auto moved = [&](isl::map& relation, isl::multi_pw_aff& index) {
      if (isl_ext::tuple_name(relation, Dim::Range) != name_) return;
      const isl::set where = relation.domain();
      index = place_.pullback(index);
      relation = index.as_map().intersect_domain(where);
    };
    for (Write& write : s.writes) moved(write.relation, write.index);
    for (Operand& operand : s.reads) moved(operand.relation, operand.index);
  }

  /// The stage that copies between the caller's array and the layout.
  void make_copy() {
    const bool is_back = is_output();
    const dsl::Tensor& stored = array_.tensor;
    const dsl::AffineScope scope{stored->name, layout_.axes};
    Statement s;
    s.name = s.stage = stored->name;
    s.axes = layout_.axes;
    s.domain = dsl::domain_of(program_->ctx(), scope);
    s.where = request_.where;
    s.origin = isl::map::empty(s.domain.identity().space());
    const isl::space space = s.domain.space();
    isl::multi_pw_aff element = isl::multi_aff::identity_on_domain(space).to_multi_pw_aff();
    element = element.set_range_tuple(name_);
    const isl::multi_pw_aff place = place_.pullback(element);
    std::vector<Expr> axes;
    for (const dsl::Axis& axis : layout_.axes) {
      axes.push_back(dsl::make_axis_ref(axis, request_.where));
    }
    const Expr read = is_back ? dsl::make_read(stored, layout_.index, request_.where)
                              : dsl::make_read(program_->array(name_).tensor, axes, request_.where);
    const auto relation = [&](const isl::multi_pw_aff& index) {
      return index.as_map().intersect_domain(s.domain);
    };
    const isl::multi_pw_aff& from = is_back ? place : element;
    const isl::multi_pw_aff& to = is_back ? element : place;
    s.writes.push_back({relation(to), to, read});
    s.reads.push_back({relation(from), from, read});
    auto node = std::make_shared<dsl::TensorNode>();
    node->name = stored->name;
    node->shape = stored->shape;
    node->type = stored->type;
    node->where = request_.where;
    node->axis = layout_.axes;
    copy_ = std::move(s);
    copy_stage_ = std::move(node);
  }

  /// Runs the copy at the end, or before the first stage that reads it.
  void run_copy(Program& program) const {
    std::set<std::string> earlier;
    auto at = program.stages.begin();
    for (; at != program.stages.end(); ++at) {
      std::set<std::string> own;
      bool reads = false;
      for (const auto& [name, s] : program.statements) {
        if (s.stage != (*at)->name) continue;
        own.insert(name);
        reads = reads || s.reads_from(copy_->name);
      }
      if (reads && !is_output()) break;
      earlier.merge(own);
    }
    program.stages.insert(at, copy_stage_);
    program.reference = with_copy(program.reference, earlier);
  }

  /// The order `time`, with the copy right after the statements of `earlier`.
  isl::union_map with_copy(const isl::union_map& time, const std::set<std::string>& earlier) const {
    const isl::map own = copy_->domain.identity();
    const std::vector<isl::map> all = isl_ext::sorted_maps(time);
    int width = isl_ext::dim_count(own, Dim::Range);
    for (const isl::map& map : all) width = std::max(width, isl_ext::dim_count(map, Dim::Range));
    isl::union_map out = isl::union_map::empty(time.ctx());
    const auto add = [&](isl::map map, int first) {
      map = isl_ext::fix(isl_ext::insert_dims(map, Dim::Range, 0, 1), Dim::Range, 0, first);
      for (int k = isl_ext::dim_count(map, Dim::Range); k <= width; ++k) {
        map = isl_ext::fix(isl_ext::insert_dims(map, Dim::Range, k, 1), Dim::Range, k, 0);
      }
      out = out.unite(map.to_union_map());
    };
    for (const isl::map& map : all) {
      add(map, earlier.count(isl_ext::tuple_name(map, Dim::Domain)) != 0 ? 0 : 2);
    }
    add(own, 1);
    return out;
  }

  void place_copy(const Statement& s, bool is_back) {
    Placement placement{s.name, {}};
    for (std::size_t k = 0; k < s.axes.size(); ++k) {
      Loop loop = loop_over(s.axes[k], request_.where);
      loop.value.emplace(
          s.name, isl::pw_aff(isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(k))));
      const LoopId id = out_.order.add(std::move(loop));
      placement.path.push_back(id);
      out_.stage_loops[s.name].push_back(id);
      out_.axis_loops[s.name].emplace_back(s.axes[k], id);
    }
    out_.stage_loops[s.name];
    out_.axis_loops[s.name];
    auto& all = out_.order.placements;
    if (is_back) {
      all.push_back(std::move(placement));
      return;
    }
    auto at = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return program_->statement(p.statement).reads_from(s.name);
    });
    while (at != all.begin() && at != all.end() && !at->path.empty() && !(at - 1)->path.empty() &&
           (at - 1)->path.front() == at->path.front()) {
      --at;
    }
    all.insert(at, std::move(placement));
  }

  State out_;
  const LayoutRequest& layout_;
  std::string name_;  ///< of the array
  const Request& request_;
  std::shared_ptr<Program> program_;
  isl::multi_pw_aff place_;
  std::vector<std::int64_t> shape_;
  Array array_;                    ///< in the layout
  std::optional<Statement> copy_;  ///< what fills it, or the output from it
  dsl::Tensor copy_stage_;
};

/// Whether `stored` is shown to compute what was written.
bool is_shown(const Program& original, const Program& stored, const Request& request) {
  try {
    return is_program_legal(original, stored, request);
  } catch (const AnalysisBudgetError&) {
    return false;
  }
}

}  // namespace

State transform_layout(const State& state, const LayoutRequest& request, const SourceLoc& where) {
  return transform_layouts(state, {request}, where);
}

State transform_layouts(const State& state, const std::vector<LayoutRequest>& requests,
                        const SourceLoc& where) {
  State out = state;
  std::shared_ptr<const Program> stored = compared_with(state);
  Request last{"", where};
  for (const LayoutRequest& request : requests) {
    last.text = "transform_layout(" + request.tensor->name + ", " +
                text_of(request, [](const Expr& e) { return dsl::to_string(e); }) + ")";
    Layouter layouter(out, request, last);
    out = layouter.run();
    if (stored && !out.draft_of) stored = layouter.stored(*stored);
  }
  if (requests.empty() || out.draft_of) return out;
  auto program = std::make_shared<Program>(*out.program);
  out.program = state.program;
  if (try_adopt_as_written(out, program, last)) return out;
  compare_with(out, stored && is_shown(*out.original, *stored, last) ? stored : nullptr);
  adopt_program(out, program, last);
  return out;
}

std::optional<std::string> layout_of(const Program& program, const std::string& array) {
  for (const auto& [name, s] : program.statements) {
    if (!s.is_layout_copy() || s.is_slide()) continue;
    const std::string from = program.home_of(isl_ext::tuple_name(s.reads[0].relation, Dim::Range));
    const std::string to = program.home_of(isl_ext::tuple_name(s.writes[0].relation, Dim::Range));
    if (from == array) return to;
    if (to == array) return from;
  }
  return std::nullopt;
}

}  // namespace solway::schedule
