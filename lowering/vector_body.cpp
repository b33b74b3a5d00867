#include "lowering/vector_body.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lowering/ir/join_digits.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/reduction_form.h"
#include "lowering/safe_reads.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtKind;

/// The buffers that an expression reads.
class LoadedBuffers final : public ir::Visitor {
 public:
  std::set<const ir::BufferNode*> buffers;

 private:
  using Visitor::visit;
  void visit(const ir::Load& e) override {
    buffers.insert(e.buffer.get());
    Visitor::visit(e);
  }
};

std::string vector_name(const std::string& var) { return var + "_lanes"; }

class VectorBody {
 public:
  VectorBody(const VectorChunk& chunk, Remarks& remarks) : chunk_(chunk), remarks_(remarks) {}

  Stmt run(const Stmt& s) {
    why_.clear();
    switch (s.kind()) {
      case StmtKind::For:
        return loop(s.as<ir::For>(), s);
      case StmtKind::If:
        return branch(s.as<ir::If>(), s);
      case StmtKind::Let:
        return let(s.as<ir::Let>(), s);
      case StmtKind::Store:
        return store(s.as<ir::Store>(), s);
      case StmtKind::Block: {
        std::vector<Stmt> out;
        for (const Stmt& child : s.as<ir::Block>().stmts) out.push_back(run(child));
        return ir::Block::make(std::move(out), s.where());
      }
      case StmtKind::Allocate:
        return allocate(s.as<ir::Allocate>(), s);
      case StmtKind::VectorStore:
      case StmtKind::TransferIssue:
      case StmtKind::TransferWait:
      case StmtKind::Call:
      case StmtKind::Barrier:
      case StmtKind::Exchange:
      case StmtKind::Prefetch:
        break;
    }
    why_ = "it is not a store, an if or a loop";
    return lane_by_lane(s);
  }

 private:
  // Statements.

  /// The statement in a serial loop over the chunk.
  Stmt lane_by_lane(const Stmt& s) {
    remarks_.push_back({"vectorize(" + chunk_.var + ")", "ran lane by lane", why_, s.where()});
    const Expr count = chunk_.active.defined() ? chunk_.active : lane_count(chunk_.lanes);
    return ir::For::make(chunk_.var, ir::add(chunk_.base, ir::index(chunk_.first)),
                         ir::add(chunk_.base, count), ir::ForKind::Serial, s, s.where());
  }

  Stmt loop(const ir::For& n, const Stmt& self) {
    if (depends(n.begin) || depends(n.end)) {
      why_ = "the bounds of loop '" + n.var + "' depend on it";
      return lane_by_lane(self);
    }
    return ir::For::make(n.var, n.begin, n.end, n.for_kind, run(n.body), n.where);
  }

  Stmt branch(const ir::If& n, const Stmt& self) {
    if (depends(n.condition)) {
      why_ = "the condition " + to_string(n.condition) + " depends on it";
      return lane_by_lane(self);
    }
    return ir::If::make(n.condition, run(n.then_body),
                        n.else_body.defined() ? run(n.else_body) : Stmt(), n.where);
  }

  Stmt let(const ir::Let& n, const Stmt& self) {
    if (!depends(n.value)) return ir::Let::make(n.var, n.value, run(n.body), n.where);
    safe_reads_ = SafeReads(n.value, chunk_.ranges);
    const Expr value = vector_or_undefined(n.value);
    safe_reads_ = SafeReads();
    if (!value.defined()) return lane_by_lane(self);
    if (!has_form(ir::Let::make(vector_name(n.var), value, ir::Block::make({})))) {
      return lane_by_lane(self);
    }
    const std::size_t remarks_before = remarks_.size();
    vector_lets_[n.var] = value.type();
    Stmt body = run(n.body);
    vector_lets_.erase(n.var);
    if (remarks_.size() == remarks_before) {
      return ir::Let::make(vector_name(n.var), value, std::move(body), n.where);
    }
    // A lane-by-lane statement cannot use the vector, and evaluating the value again behind other
    // statements could give another one.
    why_ = remarks_.back().why;
    remarks_.resize(remarks_before);
    return lane_by_lane(self);
  }

  /// Each lane has its own elements.
  Stmt allocate(const ir::Allocate& n, const Stmt& self) {
    if (n.buffer->scope != "register") {
      why_ = "it allocates '" + n.buffer->name + "' in " + n.buffer->scope;
      return lane_by_lane(self);
    }
    const std::size_t remarks_before = remarks_.size();
    const ir::Buffer own = ir::make_vectors(n.buffer->name, n.buffer->type, n.buffer->shape,
                                            chunk_.lanes, n.buffer->scope);
    own_[n.buffer.get()] = own;
    Stmt body = run(n.body);
    own_.erase(n.buffer.get());
    if (remarks_.size() == remarks_before) {
      return ir::Allocate::make(own, std::move(body), n.where);
    }
    // A statement that runs lane by lane cannot use the vectors.
    why_ = remarks_.back().why;
    remarks_.resize(remarks_before);
    return lane_by_lane(self);
  }

  /// Where a lane's own elements are; nullopt when each lane names another one.
  std::optional<std::vector<Expr>> own_place(const ir::BufferNode& buffer,
                                             const std::vector<Expr>& indices) {
    for (const Expr& index : indices) {
      if (!depends(index)) continue;
      refuse("the index " + to_string(index) + " of '" + buffer.name + "' differs between lanes");
      return std::nullopt;
    }
    std::vector<Expr> out = at_base(indices);
    out.push_back(ir::index(0));
    return out;
  }

  Stmt store_own(const ir::Buffer& own, const ir::Store& n, const Stmt& self) {
    const auto place = own_place(*own, n.indices);
    const Expr value = vector_or_undefined(n.value);
    if (!place || !value.defined()) return lane_by_lane(self);
    Stmt out = ir::VectorStore::make(own, *place, 1, widen(value), {}, n.where);
    return has_form(out) ? out : lane_by_lane(self);
  }

  Stmt store(const ir::Store& n, const Stmt& self) {
    safe_reads_ = SafeReads(n, chunk_.ranges);
    stored_ = n.buffer.get();
    Stmt out = store_lanes(n, self);
    stored_ = nullptr;
    safe_reads_ = SafeReads();
    return out;
  }

  Stmt store_lanes(const ir::Store& n, const Stmt& self) {
    const auto own = own_.find(n.buffer.get());
    if (own != own_.end()) return store_own(own->second, n, self);
    const auto stride = stride_or_null(*n.buffer, n.indices);
    if (!stride) return lane_by_lane(self);
    if (*stride == 0) return reduction(n, self);
    const Expr value = vector_or_undefined(n.value);
    if (!value.defined()) return lane_by_lane(self);
    const std::vector<Expr> place = at_base(n.indices);
    if (chunk_.first > 0 && (*stride != 1 || !holds_all_lanes(*n.buffer, place))) {
      why_ = "its first vector lacks lanes in front";
      return lane_by_lane(self);
    }
    Stmt out = vector_store(n, place, *stride, widen(value));
    return has_form(out) ? out : lane_by_lane(self);
  }

  Stmt vector_store(const ir::Store& n, const std::vector<Expr>& place, std::int64_t stride,
                    const Expr& value) const {
    if (is_partial() && stride == 1 && holds_all_lanes(*n.buffer, place)) {
      return register_store(n, place, value);
    }
    return ir::VectorStore::make(n.buffer, place, stride, value, chunk_.active, n.where);
  }

  /// Whether a whole vector at `place` lies in one row of a buffer of registers.
  bool holds_all_lanes(const ir::BufferNode& buffer, const std::vector<Expr>& place) const {
    return buffer.scope == "register" && has_all_lanes(buffer, place);
  }

  /// Whether it lies in one row.
  bool has_all_lanes(const ir::BufferNode& buffer, const std::vector<Expr>& place) const {
    const auto column = place.empty() ? std::nullopt : ir::try_constant(place.back());
    return column && *column >= 0 && *column + chunk_.lanes.count <= buffer.shape.back();
  }

  /// The active lanes of `value` and the present ones of the others, as one whole vector: a store
  /// of some lanes needs an address, which registers have not.
  Stmt register_store(const ir::Store& n, const std::vector<Expr>& place, const Expr& value) const {
    const Expr present = ir::VectorLoad::make(n.buffer, place, 1, lanes());
    return ir::VectorStore::make(n.buffer, place, 1, ir::Select::make(is_active(), value, present),
                                 {}, n.where);
  }

  bool is_partial() const { return chunk_.active.defined() || chunk_.first > 0; }

  /// Per lane, whether it runs.
  Expr is_active() const {
    const Expr lane = ir::Ramp::make(ir::index(0), ir::index(1), lanes());
    const auto compared = [&](BinaryOp op, const Expr& with) {
      return ir::Binary::make(op, lane, ir::Broadcast::make(with, lanes()));
    };
    if (chunk_.first == 0) return compared(BinaryOp::Lt, chunk_.active);
    const Expr from = compared(BinaryOp::Ge, ir::index(chunk_.first));
    if (!chunk_.active.defined()) return from;
    return ir::Binary::make(BinaryOp::And, from, compared(BinaryOp::Lt, chunk_.active));
  }

  /// C[k] = C[k] op x for a place that all lanes share.
  Stmt reduction(const ir::Store& n, const Stmt& self) {
    why_ = "all its iterations store to one element of '" + n.buffer->name + "'";
    // Inactive lanes hold 0, which only some operations leave alone. Few lanes run one by one.
    const bool is_partial = this->is_partial();
    const bool is_shorter = chunk_.forms != nullptr && chunk_.forms->rest == VectorRest::Shorter;
    if (is_partial && !chunk_.lanes.scalable && !is_shorter) return lane_by_lane(self);
    const auto form = try_reduction(n);
    if (!form) return lane_by_lane(self);
    Expr vector = vector_or_undefined(form->term);
    if (!vector.defined()) return lane_by_lane(self);
    if (is_partial) {
      const Expr none = identity_of(form->op, form->term.type().scalar);
      vector = ir::Select::make(is_active(), widen(vector), widen(none));
    }
    const Expr lanes = ir::ReduceLanes::make(form->op, widen(vector));
    Stmt out = ir::Store::make(
        n.buffer, n.indices,
        converted(ir::Binary::make(combine_op(form->op), form->place, lanes), n.buffer->type),
        n.where);
    why_.clear();  // what the target lacks
    return has_form(out) ? out : lane_by_lane(self);
  }

  /// Whether the target has a form for vector code; else says why not.
  bool has_form(const Stmt& s) {
    if (chunk_.forms == nullptr || !chunk_.forms->lack) return true;
    const std::string lack = chunk_.forms->lack(s);
    if (!lack.empty()) refuse(lack);
    return lack.empty();
  }

  // Expressions.

  bool depends(const Expr& e) const {
    if (ir::mentions(e, chunk_.var)) return true;
    for (const auto& [name, type] : vector_lets_) {
      if (ir::mentions(e, name)) return true;
    }
    return reads_own(e);
  }

  bool reads_own(const Expr& e) const {
    if (own_.empty()) return false;
    LoadedBuffers loaded;
    loaded.walk(e);
    return std::any_of(loaded.buffers.begin(), loaded.buffers.end(),
                       [&](const ir::BufferNode* buffer) { return own_.count(buffer) != 0; });
  }

  Expr at_base(const Expr& e) const {
    return ir::simplify(ir::substitute(e, {{chunk_.var, chunk_.base}}));
  }

  std::vector<Expr> at_base(const std::vector<Expr>& exprs) const {
    std::vector<Expr> out;
    for (const Expr& e : exprs) out.push_back(at_base(e));
    return out;
  }

  ir::Lanes lanes() const { return chunk_.lanes; }

  Expr widen(const Expr& e) const {
    return e.type().is_vector() ? e : ir::Broadcast::make(e, lanes());
  }

  Expr refuse(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return {};
  }

  /// Distance in elements between lanes; 0 when all are the same element, null when it varies.
  std::optional<std::int64_t> stride_or_null(const ir::BufferNode& buffer,
                                             const std::vector<Expr>& indices) {
    const std::vector<std::int64_t> strides = buffer.strides_elems();
    std::int64_t stride = 0;
    bool varies = false;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (!depends(indices[d])) continue;
      const auto step = ir::try_coefficient(indices[d], chunk_.var);
      if (!step || depends_on_let(indices[d])) {
        if (const auto joined = stride_of_digits_or_null(buffer, indices)) return joined;
        refuse("the index " + to_string(indices[d]) + " of '" + buffer.name +
               "' does not advance by a constant");
        return std::nullopt;
      }
      stride += *step * strides[d];
      varies = true;
    }
    if (varies && stride == 0) {
      refuse("the indices of '" + buffer.name + "' advance against each other");
      return std::nullopt;
    }
    return stride;
  }

  /// The same of indices that are digits of one number, as those of loops that were fused.
  std::optional<std::int64_t> stride_of_digits_or_null(const ir::BufferNode& buffer,
                                                       const std::vector<Expr>& indices) const {
    const bool is_memory = buffer.scope != "register" && !buffer.is_scalable;
    if (!is_memory || std::any_of(indices.begin(), indices.end(),
                                  [&](const Expr& e) { return depends_on_let(e); })) {
      return std::nullopt;
    }
    const Expr position = ir::join_digits(ir::flat_index(buffer, indices));
    const auto step = ir::try_coefficient(position, chunk_.var);
    return step != 0 ? step : std::nullopt;
  }

  /// Of elements whose distance a call says.
  Expr spread_load_or_undefined(const ir::Load& load) {
    if (chunk_.forms == nullptr || !chunk_.forms->has_strides || chunk_.first > 0) return {};
    const std::vector<std::int64_t> strides = load.buffer->strides_elems();
    Expr stride = ir::index(0);
    for (std::size_t d = 0; d < load.indices.size(); ++d) {
      const Expr step = ir::coefficient_or_undefined(load.indices[d], chunk_.var);
      const bool is_known =
          step.defined() && !depends_on_let(load.indices[d]) && !ir::has_load(load.indices[d]);
      if (!is_known) return {};
      stride = ir::add(stride, ir::mul(step, ir::index(strides[d])));
    }
    stride = ir::simplify(stride);
    if (ir::try_constant(stride)) return {};
    why_.clear();
    return ir::VectorLoad::make(load.buffer, at_base(load.indices), stride, lanes(), chunk_.active);
  }

  bool depends_on_let(const Expr& e) const {
    for (const auto& [name, type] : vector_lets_) {
      if (ir::mentions(e, name)) return true;
    }
    return false;
  }

  Expr vector_or_undefined(const Expr& e) {
    if (!depends(e)) return e;
    if (e.type() == ir::kInt64 && !depends_on_let(e)) {
      const auto step = ir::try_coefficient(e, chunk_.var);
      if (step && *step != 0) return ir::Ramp::make(at_base(e), ir::index(*step), lanes());
    }
    switch (e.kind()) {
      case ExprKind::Var:
        return ir::Var::make(vector_name(e.as<ir::Var>().name),
                             vector_lets_.at(e.as<ir::Var>().name));
      case ExprKind::Unary: {
        const Expr operand = vector_or_undefined(e.as<ir::Unary>().operand);
        return operand.defined() ? ir::Unary::make(e.as<ir::Unary>().op, operand) : Expr();
      }
      case ExprKind::Binary:
        return binary(e.as<ir::Binary>());
      case ExprKind::Select:
        return select(e.as<ir::Select>());
      case ExprKind::Cast: {
        const Expr operand = vector_or_undefined(e.as<ir::Cast>().operand);
        return operand.defined() ? ir::Cast::make(operand, e.type().scalar) : Expr();
      }
      case ExprKind::Load: {
        const auto& load = e.as<ir::Load>();
        const auto own = own_.find(load.buffer.get());
        if (own != own_.end()) {
          const auto place = own_place(*load.buffer, load.indices);
          return place ? ir::VectorLoad::make(own->second, *place, 1, lanes()) : Expr();
        }
        const auto stride = stride_or_null(*load.buffer, load.indices);
        if (!stride) return spread_load_or_undefined(load);
        const std::vector<Expr> place = at_base(load.indices);
        // What lanes that do not run read is not used.
        const bool is_whole = *stride == 1 && has_all_lanes(*load.buffer, place);
        const bool is_near = load.buffer->scope != "main" && load.buffer.get() != stored_;
        if (is_whole && (is_near || load.buffer->scope == "register")) {
          return ir::VectorLoad::make(load.buffer, place, 1, lanes());
        }
        return ir::VectorLoad::make(load.buffer, place, *stride, lanes(), chunk_.active,
                                    chunk_.first);
      }
      case ExprKind::Dot:
        return dot(e.as<ir::Dot>());
      case ExprKind::IntImm:
      case ExprKind::FloatImm:
      case ExprKind::Broadcast:
      case ExprKind::Ramp:
      case ExprKind::VectorLoad:
      case ExprKind::ReduceLanes:
      case ExprKind::VectorScale:
        break;
    }
    return refuse("it already holds vector forms");
  }

  Expr dot(const ir::Dot& n) {
    const Expr acc = vector_or_undefined(n.acc);
    const Expr a = groups_or_undefined(n.a);
    const Expr b = groups_or_undefined(n.b);
    if (!acc.defined() || !a.defined() || !b.defined()) return {};
    return ir::Dot::make(widen(acc), a, b);
  }

  /// How many of the bytes that lie side by side are there: those of the active lanes up to the
  /// last that the last group has. Undefined: all.
  Expr active_of_groups(int terms, const Expr& of_last) const {
    if (!chunk_.active.defined() && !of_last.defined()) return {};
    const Expr groups = chunk_.active.defined() ? chunk_.active : ir::index(chunk_.lanes.count);
    if (!of_last.defined()) return ir::mul(groups, ir::index(terms));
    return ir::add(ir::mul(ir::sub(groups, ir::index(1)), ir::index(terms)), of_last);
  }

  /// The groups of all lanes, one after the other, from the group of one lane. Groups of fewer
  /// bytes have others beside them, for which the other operand of a dot has zeros.
  Expr groups_or_undefined(const Expr& group) {
    const int terms = group.type().lanes.count;
    if (chunk_.lanes.scalable) return refuse("groups of bytes have a fixed number of lanes");
    if (chunk_.first > 0) return refuse("its first vector lacks groups of bytes in front");
    const ir::Lanes all{terms * chunk_.lanes.count, false};
    if (!depends(group)) return ir::Broadcast::make(group, all);
    if (const auto* load = group.as_or_null<ir::VectorLoad>()) {
      const auto stride = stride_or_null(*load->buffer, load->indices);
      if (stride == terms && load->stride_elems == 1) {
        return ir::VectorLoad::make(load->buffer, at_base(load->indices), 1, all,
                                    active_of_groups(terms, load->active));
      }
    }
    if (const auto* cast = group.as_or_null<ir::Cast>()) {
      const Expr operand = groups_or_undefined(cast->operand);
      return operand.defined() ? ir::Cast::make(operand, group.type().scalar) : Expr();
    }
    if (const auto* n = group.as_or_null<ir::Binary>()) {
      const Expr a = groups_or_undefined(n->a);
      const Expr b = groups_or_undefined(n->b);
      return a.defined() && b.defined() ? ir::Binary::make(n->op, a, b) : Expr();
    }
    return refuse("its groups of bytes do not lie side by side");
  }

  Expr binary(const ir::Binary& n) {
    const bool is_lazy = n.op == BinaryOp::And || n.op == BinaryOp::Or;
    if (is_lazy && !safe_reads_.cover(n.b)) {
      return refuse("the second operand of '" + std::string(solway::to_string(n.op)) +
                    "' reads memory and may not be evaluated");
    }
    const Expr a = vector_or_undefined(n.a);
    const Expr b = vector_or_undefined(n.b);
    if (!a.defined() || !b.defined()) return {};
    return ir::Binary::make(n.op, widen(a), widen(b));
  }

  Expr select(const ir::Select& n) {
    const bool varies = depends(n.condition);
    if (varies && !(safe_reads_.cover(n.if_true) && safe_reads_.cover(n.if_false))) {
      return refuse("the condition " + to_string(n.condition) + " depends on it and guards a read");
    }
    const Expr condition = vector_or_undefined(n.condition);
    const Expr a = vector_or_undefined(n.if_true);
    const Expr b = vector_or_undefined(n.if_false);
    if (!condition.defined() || !a.defined() || !b.defined()) return {};
    return ir::Select::make(condition, widen(a), widen(b));
  }

  const VectorChunk& chunk_;
  Remarks& remarks_;
  std::map<std::string, ir::Type> vector_lets_;      ///< lets that hold one value per lane
  std::map<const ir::BufferNode*, ir::Buffer> own_;  ///< buffers of which each lane has its own
  SafeReads safe_reads_;                             ///< of the present store
  const ir::BufferNode* stored_ = nullptr;           ///< its buffer
  std::string why_;  ///< why the present statement has no vector form
};

}  // namespace

Expr lane_count(const ir::Lanes& lanes) {
  if (!lanes.scalable) return ir::index(lanes.count);
  return ir::mul(ir::VectorScale::make(), ir::index(lanes.count));
}

Stmt vectorize_body(const Stmt& body, const VectorChunk& chunk, Remarks& remarks) {
  return VectorBody(chunk, remarks).run(body);
}

}  // namespace solway::lowering
