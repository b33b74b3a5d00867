#include "lowering/lower.h"

#include <algorithm>
#include <set>

#include "lowering/allocate_buffers.h"
#include "lowering/array_memory.h"
#include "lowering/ast_nodes.h"
#include "lowering/constant_values.h"
#include "lowering/convert_expr.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/simplify.h"
#include "lowering/isl_ast.h"
#include "lowering/reduction_form.h"
#include "lowering/shared_transfer.h"
#include "lowering/symbolic_shape.h"
#include "schedule/broadcast.h"
#include "schedule/lane_buffers.h"
#include "schedule/shared_scope.h"
#include "schedule/tensorize.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

using schedule::StatementKind;

ir::ForKind for_kind_of(schedule::LoopMark mark) {
  switch (mark) {
    case schedule::LoopMark::Serial:
      return ir::ForKind::Serial;
    case schedule::LoopMark::Parallel:
      return ir::ForKind::Parallel;
    case schedule::LoopMark::Unrolled:
      return ir::ForKind::Unrolled;
    case schedule::LoopMark::Vectorized:
      return ir::ForKind::Vectorized;
    case schedule::LoopMark::Tensorized:  // a call stands in its place
      return ir::ForKind::Serial;
  }
  return ir::ForKind::Serial;
}

/// Walks the AST and builds the loop nest.
class Lowering {
 public:
  Lowering(const schedule::State& state, const std::map<std::string, ir::Buffer>& buffers,
           TransferDims dims, const std::optional<CoreGroup>& cores, Statements statements,
           const std::set<schedule::LoopId>& told_apart)
      : state_(state),
        buffers_(buffers),
        dims_(dims),
        cores_(cores),
        told_apart_(told_apart),
        ast_(make_ast(state, statements)) {
    if (cores) barriers_ = place_barriers(state, ast_, *cores, remarks_);
    for (const auto& [name, buffer] : buffers) used_names_.insert(name);
    for (const dsl::Size& size : state.program->sizes) {
      used_names_.insert(size->name);
      iterators_[size->name] = ir::Var::make(size->name);
    }
    for (const auto& [id, loop] : state.order.loops) {
      if (loop.extent() == 1) iterators_[unit_loop_name(id)] = ir::IntImm::make(loop.begin);
    }
  }

  ir::Stmt run() { return lower_node(ast_.root, std::nullopt); }
  const std::map<std::string, std::string>& loop_names() const { return loop_names_; }
  const std::map<std::string, MeshLoop>& mesh_loops() const { return mesh_loops_; }
  const std::map<std::string, schedule::LoopId>& told_apart() const { return apart_; }
  const Remarks& remarks() const { return remarks_; }

 private:
  using Mark = std::optional<schedule::LoopId>;

  ir::Stmt lower_node(const isl::ast_node& node, Mark mark) {
    return lower_nodes(statements_of(node), mark);
  }

  ir::Stmt lower_nodes(const std::vector<isl::ast_node>& nodes, Mark mark) {
    std::vector<ir::Stmt> out;
    for (const NodeGroup& group : groups_of(state_, nodes)) {
      const ir::Stmt barrier = barrier_before(group.nodes.front());
      if (barrier.defined()) out.push_back(barrier);
      out.push_back(group.unit_loop < 0 || call_ ? lower_alone(group.nodes, mark)
                                                 : lower_unit_loop(group));
    }
    return ir::Block::make(std::move(out));
  }

  ir::Stmt lower_alone(const std::vector<isl::ast_node>& nodes, Mark mark) {
    std::vector<ir::Stmt> out;
    for (const isl::ast_node& node : nodes) {
      if (node.isa<isl::ast_node_mark>()) {
        out.push_back(lower_mark(node.as<isl::ast_node_mark>()));
      } else if (node.isa<isl::ast_node_if>()) {
        out.push_back(lower_if(node.as<isl::ast_node_if>(), mark));
      } else if (node.isa<isl::ast_node_for>()) {
        out.push_back(lower_for(node.as<isl::ast_node_for>(), mark));
      } else {
        out.push_back(lower_user(node.as<isl::ast_node_user>()));
      }
    }
    return ir::Block::make(std::move(out));
  }

  /// The barrier that stands at the place of `node`, once; undefined where there is none.
  ir::Stmt barrier_before(const isl::ast_node& node) {
    if (barriers_.empty()) return {};
    const auto at = barriers_.find({first_instance(node), static_cast<int>(loops_around_.size())});
    if (at == barriers_.end()) return {};
    const BarrierTime time = at->second;
    barriers_.erase(at);
    if (time == BarrierTime::Always) return ir::Barrier::make();
    const LoopAround& loop = loops_around_.back();
    return ir::If::make(ir::Binary::make(BinaryOp::Lt, loop.begin, loop.counter),
                        ir::Barrier::make());
  }

  ir::Stmt lower_mark(const isl::ast_node_mark& node) {
    const schedule::LoopId id = loop_of_mark(node.id());
    const schedule::Loop& loop = state_.order.loop(id);
    if (loop.mark == schedule::LoopMark::Tensorized) {
      const auto match = schedule::match_intrinsic(state_, id, *loop.intrinsic,
                                                   {"tensorize(" + loop.name + ")", loop.line()});
      const std::string first = first_instance(node);
      if (match.statement == ast_.instances.at(first).statement->name) {
        return lower_tensorized(node, id, match);
      }
    }
    if (loop.mark == schedule::LoopMark::Tensorized && !call_ && loop.extent() == 1 &&
        !has_loop(node.node())) {
      return lower_unit_loop({{node}, id});
    }
    // A call runs all iterations.
    if (call_) iterators_[unit_loop_name(id)] = ir::IntImm::make(loop.begin);
    return lower_node(node.node(), id);
  }

  /// isl leaves out a loop of one iteration; the schedule shows it.
  ir::Stmt lower_unit_loop(const NodeGroup& group) {
    const schedule::LoopId id = group.unit_loop;
    const schedule::Loop& loop = state_.order.loop(id);
    const std::string var = variable_of(id);
    iterators_[unit_loop_name(id)] = ir::Var::make(var);
    std::vector<isl::ast_node> inside;
    for (const isl::ast_node& node : group.nodes) {
      const auto own = statements_of(node.as<isl::ast_node_mark>().node());
      inside.insert(inside.end(), own.begin(), own.end());
    }
    const ir::Stmt body = lower_nodes(inside, id);
    iterators_[unit_loop_name(id)] = ir::IntImm::make(loop.begin);
    free_name(var);
    return ir::For::make(var, ir::IntImm::make(loop.begin), ir::IntImm::make(loop.end),
                         for_kind_of(loop.mark), body, loop.line());
  }

  /// A call in place of a loop and all that stands in it.
  ir::Stmt lower_tensorized(const isl::ast_node_mark& node, schedule::LoopId id,
                            const schedule::IntrinsicMatch& match) {
    const schedule::Loop& loop = state_.order.loop(id);
    call_ = match;
    call_intrinsic_ = loop.intrinsic;
    iterators_[unit_loop_name(id)] = ir::IntImm::make(loop.begin);
    const ir::Stmt out = lower_node(node.node(), id);
    call_.reset();
    return out;
  }

  /// The call at the first iteration of the loops that it runs.
  ir::Stmt lower_call(const InstanceExprs& at) const {
    const schedule::Statement& s = *at.statement;
    std::vector<ir::CallOperand> operands;
    for (const schedule::MatchedOperand& matched : call_->operands) {
      const bool is_output = !matched.read;
      const isl::map& relation = is_output ? s.writes[0].relation : s.reads[*matched.read].relation;
      ir::CallOperand operand{matched.name,
                              buffer_of(relation),
                              convert_all(is_output ? at.writes[0] : at.reads[*matched.read]),
                              {}};
      for (std::size_t k = 0; k < operand.indices.size(); ++k) {
        operand.indices[k] = ir::add(operand.indices[k], ir::index(matched.offset[k]));
      }
      const std::vector<std::int64_t> strides = operand.buffer->strides_elems();
      for (const std::vector<std::int64_t>& step : matched.steps) {
        std::int64_t stride = 0;
        for (std::size_t k = 0; k < strides.size(); ++k) stride += step[k] * strides[k];
        operand.strides_elems.push_back(stride);
      }
      operands.push_back(std::move(operand));
    }
    std::optional<ir::ProductExtents> product;
    if (call_intrinsic_->is_micro_kernel) {
      const dsl::TensorNode& tensor = *call_intrinsic_->tensor;
      product = {tensor.axis[0]->extent(), tensor.axis[1]->extent(),
                 tensor.reduce_axis.back()->extent()};
      for (std::size_t k = 0; k + 1 < tensor.reduce_axis.size(); ++k) {
        product->rounds.push_back(tensor.reduce_axis[k]->extent());
      }
    }
    return ir::Call::make(call_intrinsic_->name, std::move(operands), call_intrinsic_->code, {},
                          product ? call_intrinsic_->where : s.where, product);
  }

  ir::Stmt lower_if(const isl::ast_node_if& node, Mark mark) {
    const ir::Expr condition = convert_ast_condition(node.cond(), iterators_);
    const ir::Stmt then_body = lower_node(node.then_node(), mark);
    if (!node.has_else_node()) return ir::If::make(condition, then_body);
    return ir::If::make(condition, then_body, lower_node(node.else_node(), mark));
  }

  ir::Stmt lower_for(const isl::ast_node_for& node, Mark mark) {
    if (!mark) throw InternalError({{}, "a loop of the AST has no band", "", ""});
    const schedule::Loop& loop = state_.order.loop(*mark);
    const std::string iterator = node.iterator().as<isl::ast_expr_id>().id().name();
    const LoopBounds bounds = bounds_of(node, iterators_);
    if (call_ || (node.is_degenerate() && is_outside(bounds.begin, loop))) {
      return lower_iteration(node, iterator, bounds.begin, {});
    }
    const std::string var = variable_of(*mark);
    const ir::Expr counter = ir::Var::make(var);
    ir::Expr begin = bounds.begin;
    ir::Expr end = bounds.end;
    ir::Expr value = counter;
    if (bounds.step != 1) {  // var counts the steps
      const ir::Expr width = ir::IntImm::make(bounds.step);
      const ir::Expr span = ir::Binary::make(BinaryOp::Sub, end, begin);
      end = ir::Binary::make(
          BinaryOp::FloorDiv,
          ir::Binary::make(BinaryOp::Add, span, ir::IntImm::make(bounds.step - 1)), width);
      value =
          ir::Binary::make(BinaryOp::Add, begin, ir::Binary::make(BinaryOp::Mul, counter, width));
      begin = ir::IntImm::make(0);
    }
    const bool is_parallel = loop.mark == schedule::LoopMark::Parallel;
    if (is_parallel) parallel_loops_.push_back({*mark, begin, end, counter});
    const ir::Stmt body = lower_iteration(node, iterator, value, {begin, counter});
    if (is_parallel) parallel_loops_.pop_back();
    free_name(var);
    return ir::For::make(var, begin, end, for_kind_of(loop.mark), body, loop.line());
  }

  /// The variable of a loop, and the first value that it has.
  struct LoopAround {
    ir::Expr begin;
    ir::Expr counter;
  };

  /// What a loop of the AST runs where its iterator has a value.
  ir::Stmt lower_iteration(const isl::ast_node_for& node, const std::string& iterator,
                           const ir::Expr& value, const LoopAround& loop) {
    iterators_[iterator] = value;
    loops_around_.push_back(loop);
    ir::Stmt body = lower_node(node.body(), std::nullopt);
    loops_around_.pop_back();
    iterators_.erase(iterator);
    return body;
  }

  /// Whether a value is known to be none of the loop's: what runs there does so ahead of the loop,
  /// or after it.
  static bool is_outside(const ir::Expr& value, const schedule::Loop& loop) {
    const auto known = ir::try_constant(value);
    return known && (*known < loop.begin || *known >= loop.end);
  }

  /// A name for the variable of a loop. No other loop of the kernel has that of a loop on the mesh,
  /// or of one that is to be told apart.
  std::string variable_of(schedule::LoopId id) {
    const schedule::Loop& loop = state_.order.loop(id);
    std::string var = unique_name(loop.name);
    const bool is_on_mesh = loop.mark == schedule::LoopMark::Parallel && !loop.hardware.empty() &&
                            loop.hardware != "core";
    const bool is_apart = told_apart_.count(id) != 0;
    while ((is_on_mesh || is_apart) && ever_used_.count(var) != 0) var = unique_name(loop.name);
    if (is_on_mesh) mesh_loops_[var] = {loop.hardware, loop.parts};
    if (is_apart) apart_[var] = id;
    ever_used_.insert(var);
    // Two loops around one statement are told apart: "i" and "i_1".
    std::string& shown = loop_names_[var];
    if (std::count(open_loops_.begin(), open_loops_.end(), shown) != 0) {
      shown += var.substr(shown.size());
    }
    open_loops_.push_back(shown);
    return var;
  }

  /// The innermost loop ends.
  void free_name(const std::string& var) {
    open_loops_.pop_back();
    if (mesh_loops_.count(var) == 0 && apart_.count(var) == 0) used_names_.erase(var);
  }

  std::string unique_name(const std::string& loop_name) {
    std::string name = loop_name;
    std::replace(name.begin(), name.end(), '.', '_');
    std::string out = name;
    for (int k = 1; !used_names_.insert(out).second; ++k) out = name + "_" + std::to_string(k);
    loop_names_[out] = loop_name;
    return out;
  }

  std::vector<ir::Expr> convert_all(const std::vector<isl::ast_expr>& exprs) const {
    std::vector<ir::Expr> out;
    for (const isl::ast_expr& expr : exprs) out.push_back(convert_ast_expr(expr, iterators_));
    return out;
  }

  /// The indices of an access in the loop IR's array.
  std::vector<ir::Expr> indices_of(const isl::map& access,
                                   const std::vector<isl::ast_expr>& exprs) const {
    return in_memory(access, convert_all(exprs));
  }

  /// The place of an element in memory.
  std::vector<ir::Expr> in_memory(const isl::map& access,
                                  const std::vector<ir::Expr>& element) const {
    const schedule::Array& array = state_.program->array(access.get_range_tuple_id().name());
    return is_flat(array) ? std::vector<ir::Expr>{flat_index(array.tensor, element)} : element;
  }

  /// Whether an argument's rows are as long as the sizes say.
  bool is_flat(const schedule::Array& array) const {
    const ir::Buffer& memory = buffers_.at(array.name);
    return memory->is_upper_bound && has_symbolic_strides(array.tensor);
  }

  const ir::Buffer& buffer_of(const isl::map& access) const {
    return buffers_.at(access.get_range_tuple_id().name());
  }

  ir::Stmt lower_user(const isl::ast_node_user& node) {
    const InstanceExprs& at = ast_.instances.at(isl_ext::annotation_of(node));
    const ir::Stmt body = call_ ? lower_call(at) : lower_instance(at);
    if (!at.guard) return body;
    return ir::If::make(convert_ast_condition(*at.guard, iterators_), body);
  }

  ir::Stmt lower_instance(const InstanceExprs& at) {
    const schedule::Statement& s = *at.statement;
    if (s.kind == StatementKind::Complete) {
      const std::vector<ir::Expr> slots = convert_all(at.near_first);
      const ir::Expr slot = slots.empty() ? ir::Expr{} : slots.front();
      const schedule::Buffer& buffer = state_.program->buffers.at(s.copy->buffer);
      const ir::Stmt wait = at.rows && dims_ == TransferDims::Merged
                                ? wait_for_rows(at, buffer, slot)
                                : wait_for(s, buffer, slot, counts(at), dims_);
      if (!is_shared(buffer)) return wait;
      return ir::Block::make(
          {wait, exchanges_of(buffers_.at(buffer.name), buffer, slot,
                              lines_of(state_, buffer, parallel_loops_, cores_->mesh))});
    }
    if (s.kind == StatementKind::Issue) return lower_issue(at);
    Leaves leaves;
    for (const schedule::Operand& operand : s.reads) {
      if (operand.read && operand.relation.is_empty()) leaves.unread.insert(operand.read.get());
    }
    for (std::size_t k = 0; k < s.axes.size(); ++k) {
      leaves.axes.emplace(s.axes[k], convert_ast_expr(at.iteration[k], iterators_));
    }
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      if (!s.reads[k].read || !s.reads[k].is_exact) continue;
      leaves.reads.emplace(s.reads[k].read.get(),
                           ir::Load::make(buffer_of(s.reads[k].relation),
                                          indices_of(s.reads[k].relation, at.reads[k])));
    }
    for (std::size_t k = 0; k < s.reads.size(); ++k) load_at_data(at, k, leaves);
    return lower_stores(at, leaves);
  }

  /// The load of an operand whose element depends on data, after those that its indices read.
  void load_at_data(const InstanceExprs& at, std::size_t operand, Leaves& leaves) const {
    const schedule::Operand& own = at.statement->reads[operand];
    if (own.is_exact || leaves.reads.count(own.read.get()) != 0) return;
    std::vector<ir::Expr> indices = convert_all(at.reads[operand]);
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const dsl::Expr& index = own.read->operands[d];
      if (index->kind != dsl::ExprKind::Bounded) continue;
      for (std::size_t k = 0; k < at.statement->reads.size(); ++k) {
        const dsl::Expr& other = at.statement->reads[k].read;
        if (other && other != own.read && contains(index, other)) load_at_data(at, k, leaves);
      }
      indices[d] = convert_expr(index, leaves);
    }
    leaves.reads.emplace(own.read.get(),
                         ir::Load::make(buffer_of(own.relation), in_memory(own.relation, indices)));
  }

  static bool contains(const dsl::Expr& whole, const dsl::Expr& part) {
    if (whole == part) return true;
    return std::any_of(whole->operands.begin(), whole->operands.end(),
                       [&](const dsl::Expr& operand) { return contains(operand, part); });
  }

  ir::Stmt lower_stores(const InstanceExprs& at, Leaves& leaves) {
    const schedule::Statement& s = *at.statement;
    std::vector<ir::Expr> places, values;
    for (std::size_t k = 0; k < s.writes.size(); ++k) {
      const ir::Buffer& target = buffer_of(s.writes[k].relation);
      places.push_back(ir::Load::make(target, indices_of(s.writes[k].relation, at.writes[k])));
      values.push_back(converted(convert_expr(s.writes[k].value, leaves), target->type));
    }
    Lets lets;
    if (s.kind == StatementKind::Update && s.combiner) {
      // Each parameter may stand in the results several times.
      leaves.params = places;
      for (std::size_t k = 0; k < values.size(); ++k) {
        leaves.params.push_back(named(lets, places[k], "_term", values[k]));
      }
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = convert_expr(s.combiner->results[k], leaves);
      }
    } else if (s.kind == StatementKind::Update) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = binary(combine_op(*s.reduce), places[k], values[k]);
      }
    }
    std::vector<ir::Stmt> stores;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto& place = places[k].as<ir::Load>();
      const bool is_alone = values.size() == 1;
      const ir::Expr value = is_alone ? values[k] : named(lets, places[k], "_value", values[k]);
      stores.push_back(ir::Store::make(place.buffer, place.indices, value, s.where));
    }
    ir::Stmt out = stores.size() == 1 ? stores[0] : ir::Block::make(std::move(stores));
    for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
      out = ir::Let::make(let->first, let->second, out, s.where);
      used_names_.erase(let->first);
      loop_names_.erase(let->first);
    }
    return out;
  }

  using Lets = std::vector<std::pair<std::string, ir::Expr>>;

  /// A variable that holds `value`, named after the array of `place`.
  ir::Expr named(Lets& lets, const ir::Expr& place, const std::string& suffix,
                 const ir::Expr& value) {
    const std::string name = unique_name(place.as<ir::Load>().buffer->name + suffix);
    lets.emplace_back(name, value);
    return ir::Var::make(name, value.type());
  }

  ir::Stmt lower_issue(const InstanceExprs& at) {
    const schedule::Buffer& buffer = state_.program->buffers.at(at.statement->copy->buffer);
    TransferPlace place{buffers_.at(buffer.moved_from()), convert_all(at.first),
                        buffers_.at(buffer.name), convert_all(at.near_first), counts(at)};
    const schedule::Array& array = state_.program->array(buffer.moved_from());
    if (is_flat(array)) place.flat = array.tensor;
    if (at.rows) return issue_rows(at, buffer, place);
    if (is_shared(buffer)) {
      place = part_of(place, buffer, lines_of(state_, buffer, parallel_loops_, cores_->mesh));
    }
    return buffer.memory.empty() || dims_ != TransferDims::Merged
               ? issue_of(*at.statement, buffer, place, dims_)
               : issue_within_border(*at.statement, buffer, place);
  }

  /// A transfer of no box: as one where it is a box, else row by row. What shows the schedule shows
  /// the rows.
  ir::Stmt issue_rows(const InstanceExprs& at, const schedule::Buffer& buffer,
                      const TransferPlace& whole) {
    const ir::Stmt by_row = for_each_row(at, buffer, [&](const TransferRow& row) {
      TransferPlace place = whole;
      place.main_index = convert_all(at.rows->first);
      place.near_index.resize(buffer.first_dim());
      const std::vector<ir::Expr> near = convert_all(at.rows->near_first);
      place.near_index.insert(place.near_index.end(), near.begin(), near.end());
      place.count = convert_all(at.rows->count);
      // No row is empty, which not every bound shows.
      for (ir::Expr& count : place.count) {
        count = ir::simplify(ir::fold(BinaryOp::Max, ir::index(1), ir::simplify(count)));
      }
      if (dims_ == TransferDims::Merged) place.row = row;
      return issue_of(*at.statement, buffer, place, dims_);
    });
    if (!at.rows->whole || dims_ != TransferDims::Merged) return by_row;
    return ir::If::make(convert_ast_condition(*at.rows->whole, iterators_),
                        issue_of(*at.statement, buffer, whole, dims_), by_row);
  }

  /// The waits for what issue_rows begins.
  ir::Stmt wait_for_rows(const InstanceExprs& at, const schedule::Buffer& buffer,
                         const ir::Expr& slot) {
    const ir::Stmt by_row = for_each_row(at, buffer, [&](const TransferRow& row) {
      return wait_for_row(*at.statement, buffer, slot, row);
    });
    if (!at.rows->whole) return by_row;
    return ir::If::make(convert_ast_condition(*at.rows->whole, iterators_),
                        wait_for(*at.statement, buffer, slot, {}, dims_), by_row);
  }

  /// Loops over the rows of a transfer around what `body` makes of one row.
  template <typename Body>
  ir::Stmt for_each_row(const InstanceExprs& at, const schedule::Buffer& buffer, Body body) {
    const std::vector<int>& dims = at.statement->copy->rows;
    const ir::Buffer& near = buffers_.at(buffer.name);
    struct Loop {
      std::string var;
      ir::Expr begin, end;
    };
    std::vector<Loop> loops;
    TransferRow row{ir::index(0), 1};
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const ir::Expr begin = ir::simplify(convert_ast_expr(at.rows->begins[k], iterators_));
      const ir::Expr end = ir::simplify(convert_ast_expr(at.rows->ends[k], iterators_));
      loops.push_back({unique_name("row"), begin, end});
      const ir::Expr index = ir::Var::make(loops.back().var);
      iterators_[row_name(k)] = index;
      const std::int64_t extent =
          near->shape[buffer.first_dim() + static_cast<std::size_t>(dims[k])];
      row.number = ir::simplify(ir::add(ir::mul(row.number, ir::index(extent)), index));
      row.all *= extent;
    }
    ir::Stmt out = body(row);
    for (std::size_t k = loops.size(); k-- > 0;) {
      iterators_.erase(row_name(k));
      used_names_.erase(loops[k].var);
      out = ir::For::make(loops[k].var, loops[k].begin, loops[k].end, ir::ForKind::Serial, out,
                          at.statement->where);
    }
    return out;
  }

  /// Whether several of the cores that run the kernel fill the buffer together.
  bool is_shared(const schedule::Buffer& buffer) const {
    return cores_ && cores_->cores != CoreGroup::kAnyNumber &&
           buffer.shared_by != schedule::SharedBy::Core;
  }

  std::vector<ir::Expr> counts(const InstanceExprs& at) const {
    std::vector<ir::Expr> out = convert_all(at.count);
    for (ir::Expr& count : out) count = ir::simplify(count);
    return out;
  }

  const schedule::State& state_;
  const std::map<std::string, ir::Buffer>& buffers_;
  TransferDims dims_;
  const std::optional<CoreGroup>& cores_;
  const std::set<schedule::LoopId>& told_apart_;
  Ast ast_;
  Remarks remarks_;
  Iterators iterators_;
  std::set<std::string> used_names_;
  std::map<std::string, std::string> loop_names_;
  std::vector<std::string> open_loops_;  ///< as they are shown, outermost first
  std::map<std::string, MeshLoop> mesh_loops_;
  std::map<std::string, schedule::LoopId> apart_;  ///< by variable
  std::optional<schedule::IntrinsicMatch> call_;   ///< inside a loop that a call stands for
  std::shared_ptr<const schedule::Intrinsic> call_intrinsic_;
  std::set<std::string> ever_used_;       ///< variables of loops, those that ended too
  Barriers barriers_;                     ///< those that are still to come
  std::vector<OpenLoop> parallel_loops_;  ///< those around
  std::vector<LoopAround> loops_around_;  ///< those of the AST
};

/// Whether `args` has the memory of `array`.
bool contains(const std::vector<dsl::Tensor>& args, const schedule::Array& array) {
  return array.tensor && std::any_of(args.begin(), args.end(), [&](const dsl::Tensor& arg) {
           return dsl::root_of(arg) == array.tensor;
         });
}

/// Whether `tensor` may stand for its memory among the arguments: an input, or the output itself.
bool is_argument(const schedule::Program& program, const dsl::Tensor& tensor) {
  const auto has = [&](const std::vector<dsl::Tensor>& tensors) {
    return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
  };
  return tensor->is_placeholder() || has(program.given) || has(program.outputs);
}

void require_arguments(const schedule::Program& program, const std::vector<dsl::Tensor>& args,
                       const SourceLoc& where) {
  const auto fail = [&](const dsl::Tensor& tensor, const std::string& why, const std::string& fix) {
    throw ArgumentMismatchError(
        {where, "the arguments do not fit: '" + tensor->name + "' " + why,
         "'" + tensor->name + "' is defined at " + tensor->where.to_string(), fix});
  };
  for (std::size_t k = 0; k < args.size(); ++k) {
    const auto at = program.arrays.find(args[k]->storage_name());
    if (at == program.arrays.end() || at->second.tensor != dsl::root_of(args[k])) {
      fail(args[k], "is not a tensor of this schedule", "leave it out of the arguments");
    }
    const auto before = args.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(args.begin(), before, args[k]) != before) {
      fail(args[k], "is named twice", "name each argument once");
    }
    const auto twin = std::find_if(args.begin(), before, [&](const dsl::Tensor& arg) {
      return arg->storage_name() == args[k]->storage_name();
    });
    if (twin != before) {
      fail(args[k], "has the memory of '" + (*twin)->name + "'", "name one of them");
    }
    if (!is_argument(program, args[k]) && program.is_output(at->second)) {
      fail(args[k], "is changed in place later", "pass the output that has its memory instead");
    }
    if (!is_argument(program, args[k])) {
      fail(args[k], "is neither an input nor an output",
           "add it to the outputs of create_schedule, or leave it out");
    }
  }
  for (const auto& [name, array] : program.arrays) {
    if (array.kind != schedule::ArrayKind::Tensor || contains(args, array)) continue;
    if (program.is_input(array) || program.is_output(array)) {
      fail(array.tensor, "is missing", "pass every input and every output");
    }
  }
}

/// What a kernel does with an argument. An output of which some elements are not stored keeps those
/// that the caller gave.
ir::Role role_of(const schedule::Program& program, const schedule::Array& array) {
  if (program.is_input(array)) {
    return program.is_updated(array) ? ir::Role::InOut : ir::Role::In;
  }
  return array.tensor->domain ? ir::Role::InOut : ir::Role::Out;
}

/// Names of the loops around the statement that runs along most dimensions of the buffer.
std::vector<std::string> loops_along(const schedule::State& state, const schedule::Buffer& buffer) {
  std::vector<std::string> out;
  std::ptrdiff_t most = -1;
  for (const std::string& name : schedule::statements_of(state, buffer.stage)) {
    std::vector<std::string> path;
    for (const schedule::LoopId id : state.order.placement_of(name).path) {
      path.push_back(state.order.loop(id).name);
    }
    const auto along = std::count_if(
        buffer.dim_names.begin(), buffer.dim_names.end(), [&](const std::string& loop) {
          return std::find(path.begin(), path.end(), loop) != path.end();
        });
    if (along > most) out = path;
    most = std::max(most, along);
  }
  return out;
}

/// The loops of a buffer's copy, in the order of the schedule's.
std::vector<CopyLoop> copy_loops_of(const schedule::State& state, const schedule::Buffer& buffer) {
  const std::vector<std::string> order = loops_along(state, buffer);
  const dsl::Tensor& tensor = state.program->array(buffer.tensor).tensor;  // null of a buffer
  std::vector<CopyLoop> out;
  for (std::size_t k = 0; k < buffer.dims.size(); ++k) {
    CopyLoop loop{buffer.dim_names[k], buffer.dims[k], static_cast<int>(k + buffer.first_dim())};
    const auto d = static_cast<std::size_t>(loop.along.dim);
    const bool is_digit = loop.along.step != 1 || loop.along.wrap != 0;
    if (loop.name.empty() && !is_digit && tensor && d < tensor->axis.size()) {
      loop.name = tensor->axis[d]->name;
    }
    if (loop.name.empty()) loop.name = buffer.name + "." + std::to_string(k);
    out.push_back(std::move(loop));
  }
  const auto place = [&](const CopyLoop& loop) {
    return std::find(order.begin(), order.end(), loop.name);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const CopyLoop& a, const CopyLoop& b) { return place(a) < place(b); });
  // Panels stand around their elements, in the places that both have.
  for (std::size_t a = 0; a < out.size(); ++a) {
    for (std::size_t b = a + 1; b < out.size(); ++b) {
      if (out[a].along.dim == out[b].along.dim && out[a].along.step < out[b].along.step) {
        std::swap(out[a], out[b]);
      }
    }
  }
  return out;
}

}  // namespace

Lowered lower(const schedule::State& state, const std::vector<dsl::Tensor>& args,
              const std::string& name, const SourceLoc& where, const std::string& default_scope,
              TransferDims dims, const std::optional<CoreGroup>& cores, Statements statements,
              const std::set<schedule::LoopId>& told_apart) {
  const schedule::Program& program = *state.program;
  require_arguments(program, args, where);
  std::map<std::string, ir::Buffer> buffers;
  for (const auto& [array_name, array] : program.arrays) {
    const std::string& scope = array.scope.empty() ? default_scope : array.scope;
    const bool is_own = program.buffers.count(array_name) != 0 &&
                        schedule::lane_loop_of(state, array_name).has_value();
    ir::Buffer memory = memory_of(array, scope, is_own ? LaneMemory::Own : LaneMemory::Shared);
    const bool is_passed = array.tensor && contains(args, array);
    if (is_passed && dims == TransferDims::Merged) memory = as_argument(memory, array.tensor);
    const bool has_caches = cores && cores->cores == CoreGroup::kAnyNumber;
    const bool is_given = is_passed || (array.tensor && array.tensor->is_constant());
    if (has_caches && !is_given) memory = with_rows_apart(state, memory);
    buffers.emplace(array_name, std::move(memory));
  }
  Lowered out;
  out.kernel.name = name;
  out.kernel.where = where;
  for (const dsl::Tensor& arg : args) {
    out.kernel.params.push_back(
        {buffers.at(arg->storage_name()), role_of(program, program.array(arg->storage_name()))});
  }
  Lowering lowering(state, buffers, dims, cores, statements, told_apart);
  ir::Stmt body = lowering.run();
  for (const auto& [array_name, buffer] : program.buffers) {
    if (schedule::is_shared(program.array(array_name))) {  // one for all cores
      body = ir::Allocate::make(buffers.at(array_name), body, buffer.where);
      continue;
    }
    body = schedule::lane_loop_of(state, array_name)
               ? allocate_in_vectorized(body, buffers.at(array_name), buffer.where)
               : allocate_in_parallel(body, buffers.at(array_name), buffer.where);
  }
  for (const auto& [array_name, array] : program.arrays) {
    const bool is_buffer = array.kind == schedule::ArrayKind::Buffer;
    if (array.tensor && array.tensor->is_constant()) {
      out.kernel.constants.push_back({buffers.at(array_name), constant_values(array)});
    } else if (!contains(args, array) && !is_buffer) {
      body = ir::Allocate::make(buffers.at(array_name), body, where);
    }
  }
  if (!program.sizes.empty() && dims == TransferDims::Merged) {
    const ir::Buffer sizes = memory_of_sizes(program);
    out.kernel.params.push_back({sizes, ir::Role::In});
    out.kernel.requirements = requirements_of(program, sizes);
    body = with_sizes(program.sizes, sizes, body, where);
  }
  out.kernel.body = ir::simplify(body);
  out.loop_names = lowering.loop_names();
  out.mesh_loops = lowering.mesh_loops();
  out.told_apart = lowering.told_apart();
  out.remarks = lowering.remarks();
  if (dims == TransferDims::PerDimension) {
    for (const auto& [statement_name, statement] : program.statements) {
      if (statement.kind != StatementKind::Issue) continue;
      out.copy_loops[statement.copy->transfer] =
          copy_loops_of(state, program.buffers.at(statement.copy->buffer));
      const schedule::Buffer& buffer = program.buffers.at(statement.copy->buffer);
      if (buffer.shared_by == schedule::SharedBy::Core) continue;
      out.shared_by[statement.copy->transfer] = to_string(buffer.shared_by);
    }
  }
  return out;
}

}  // namespace solway::lowering
