#include "lowering/place_barriers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "lowering/ast_nodes.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "schedule/cross_cores.h"
#include "schedule/shared_scope.h"
#include "support/isl_ext.h"

namespace solway::lowering {
namespace {

using schedule::CorePiece;
using schedule::LoopId;
using schedule::Share;
using schedule::SharedOut;

/// What all cores pass through, as a tree: sequential loops, conditions and sequences, and in them
/// the pieces that cores share out or that core 0 runs.
struct Part {
  enum class Kind : std::uint8_t { Piece, Loop, Branch, Sequence };
  Kind kind = Kind::Piece;
  int parent = -1;
  int place = 0;  ///< among the children of its parent
  std::vector<int> children;
  std::string first;                   ///< the annotation of the instance that runs first
  int depth = 0;                       ///< loops of the AST around it
  LoopId loop = -1;                    ///< of a Loop; of a Piece the parallel loop, -1 on core 0
  bool repeats = true;                 ///< of a Loop: it may have more than one iteration
  std::optional<BarrierTime> barrier;  ///< before it

  // Of a Piece.
  CorePiece piece;
  /// Bounds that change from one time to the next, as text; empty: they do not.
  std::string changing_bounds;
  bool is_spread = false;  ///< a copy that share_copies gives to any threads
};

/// Builds the tree of parts.
class PartBuilder {
 public:
  PartBuilder(const schedule::State& state, const Ast& ast, const CoreGroup& cores)
      : state_(state), ast_(ast), cores_(cores) {
    for (const dsl::Size& size : state.program->sizes) {
      iterators_[size->name] = ir::Var::make(size->name);
    }
    for (const auto& [id, loop] : state.order.loops) {
      if (loop.extent() == 1) iterators_[unit_loop_name(id)] = ir::IntImm::make(loop.begin);
    }
  }

  std::vector<Part> run() {
    has_threads_ = cores_.cores == CoreGroup::kAnyNumber && contains_parallel(ast_.root);
    sequence(statements_of(ast_.root), -1, -1);
    return std::move(parts_);
  }

 private:
  bool is_parallel(LoopId id) const {
    return id >= 0 && state_.order.loop(id).mark == schedule::LoopMark::Parallel;
  }

  bool contains_parallel(const isl::ast_node& node) const {
    if (node.isa<isl::ast_node_block>()) {
      const std::vector<isl::ast_node> children = statements_of(node);
      return std::any_of(children.begin(), children.end(),
                         [&](const isl::ast_node& child) { return contains_parallel(child); });
    }
    if (node.isa<isl::ast_node_mark>()) {
      const auto mark = node.as<isl::ast_node_mark>();
      return is_parallel(loop_of_mark(mark.id())) || contains_parallel(mark.node());
    }
    if (node.isa<isl::ast_node_if>()) {
      const auto branch = node.as<isl::ast_node_if>();
      return contains_parallel(branch.then_node()) ||
             (branch.has_else_node() && contains_parallel(branch.else_node()));
    }
    return node.isa<isl::ast_node_for>() && contains_parallel(node.as<isl::ast_node_for>().body());
  }

  int add(Part::Kind kind, int parent, const isl::ast_node& first) {
    const int id = static_cast<int>(parts_.size());
    parts_.emplace_back();
    Part& part = parts_.back();
    part.kind = kind;
    part.parent = parent;
    part.first = first_instance(first);
    part.depth = depth_;
    if (parent >= 0) {
      part.place = static_cast<int>(parts_[static_cast<std::size_t>(parent)].children.size());
      parts_[static_cast<std::size_t>(parent)].children.push_back(id);
    }
    return id;
  }

  Part& at(int id) { return parts_[static_cast<std::size_t>(id)]; }

  /// `mark` is the loop under whose mark the nodes stand.
  void sequence(const std::vector<isl::ast_node>& nodes, int parent, LoopId mark) {
    const std::vector<NodeGroup> groups = groups_of(state_, nodes);
    if (groups.empty()) return;  // nothing runs
    if (groups.size() == 1) return group(groups.front(), parent, mark);
    const int own = add(Part::Kind::Sequence, parent, nodes.front());
    for (const NodeGroup& part : groups) group(part, own, mark);
  }

  void group(const NodeGroup& group, int parent, LoopId mark) {
    const isl::ast_node& first = group.nodes.front();
    if (group.unit_loop >= 0) {
      if (is_parallel(group.unit_loop)) return shared(group.nodes, parent, group.unit_loop);
      std::vector<isl::ast_node> inside;
      for (const isl::ast_node& node : group.nodes) {
        const auto own = statements_of(node.as<isl::ast_node_mark>().node());
        inside.insert(inside.end(), own.begin(), own.end());
      }
      return sequence(inside, parent, group.unit_loop);
    }
    if (is_parallel(mark) && first.isa<isl::ast_node_for>()) {
      return shared(group.nodes, parent, mark);
    }
    if (!contains_parallel(first) && !(is_parallel(mark) && has_loop(first))) {
      const int own = add(Part::Kind::Piece, parent, first);
      collect(first, own);
      at(own).is_spread = has_threads_ && fills_shared(at(own).piece);
    } else if (first.isa<isl::ast_node_mark>()) {
      const auto inner = first.as<isl::ast_node_mark>();
      sequence(statements_of(inner.node()), parent, loop_of_mark(inner.id()));
    } else if (first.isa<isl::ast_node_if>()) {
      const auto branch = first.as<isl::ast_node_if>();
      const int own = add(Part::Kind::Branch, parent, first);
      sequence(statements_of(branch.then_node()), own, mark);
      if (branch.has_else_node()) sequence(statements_of(branch.else_node()), own, mark);
    } else {
      loop(first.as<isl::ast_node_for>(), parent, mark);
    }
  }

  void loop(const isl::ast_node_for& node, int parent, LoopId mark) {
    const int own = add(Part::Kind::Loop, parent, node);
    at(own).loop = mark;
    at(own).repeats = !node.is_degenerate();
    enter(node, mark);
    ++depth_;
    sequence(statements_of(node.body()), own, -1);
    --depth_;
    leave();
  }

  /// A parallel loop: a loop of the AST, or one of a single iteration, with the copies of its mark.
  void shared(const std::vector<isl::ast_node>& nodes, int parent, LoopId loop) {
    const int own = add(Part::Kind::Piece, parent, nodes.front());
    at(own).loop = loop;
    for (const isl::ast_node& node : nodes) collect(node, own);
    share(nodes, own, loop);
  }

  /// The instances under a node.
  void collect(const isl::ast_node& node, int part) {
    if (node.isa<isl::ast_node_block>()) {
      for (const isl::ast_node& child : statements_of(node)) collect(child, part);
    } else if (node.isa<isl::ast_node_mark>()) {
      collect(node.as<isl::ast_node_mark>().node(), part);
    } else if (node.isa<isl::ast_node_if>()) {
      const auto branch = node.as<isl::ast_node_if>();
      collect(branch.then_node(), part);
      if (branch.has_else_node()) collect(branch.else_node(), part);
    } else if (node.isa<isl::ast_node_for>()) {
      collect(node.as<isl::ast_node_for>().body(), part);
    } else {
      const InstanceExprs& instance = ast_.instances.at(isl_ext::annotation_of(node));
      std::map<std::string, isl::set>& all = at(part).piece.instances;
      const auto [known, is_new] = all.emplace(instance.statement->name, instance.instances);
      if (!is_new) known->second = known->second.unite(instance.instances);
    }
  }

  /// Whether a piece copies into buffers of all cores, and nothing else.
  bool fills_shared(const CorePiece& piece) const {
    return std::all_of(piece.instances.begin(), piece.instances.end(), [&](const auto& entry) {
      const schedule::Statement& s = state_.program->statement(entry.first);
      return s.copy && schedule::is_shared(state_.program->array(s.copy->buffer));
    });
  }

  /// Who runs which iteration: of the loop, and of another one directly in it on a mesh.
  void share(const std::vector<isl::ast_node>& nodes, int part, LoopId id) {
    const schedule::Loop& loop = state_.order.loop(id);
    const bool has_mesh = cores_.cores != CoreGroup::kAnyNumber;
    const bool is_on_mesh = has_mesh && !loop.hardware.empty() && loop.hardware != "core";
    std::int64_t cores = cores_.cores;
    std::int64_t step = 1;
    if (is_on_mesh) {
      cores = loop.hardware == "row" ? cores_.mesh.rows : cores_.mesh.columns;
      if (loop.hardware == "row") step = cores_.mesh.columns;
      if (loop.parts != 0) cores = loop.parts;
    }
    if (!nodes.front().isa<isl::ast_node_for>()) {  // one iteration: the first core
      std::vector<isl::ast_node> inside;
      for (const isl::ast_node& node : nodes) {
        inside.push_back(node.as<isl::ast_node_mark>().node());
      }
      if (is_on_mesh) share_inner(inside, part);
      return;
    }
    const auto node = nodes.front().as<isl::ast_node_for>();
    share_loop(node, part, {id, 0, cores, step});
    if (!is_on_mesh) return;
    enter(node, id);
    share_inner({node.body()}, part);
    leave();
  }

  /// `among` has the cores in place of the chunk.
  void share_loop(const isl::ast_node_for& node, int part, Share among) {
    if (node.is_degenerate()) return;
    const LoopBounds bounds = bounds_of(node, iterators_);
    const ir::Expr begin = ir::simplify(bounds.begin);
    const ir::Expr end = ir::simplify(bounds.end);
    const auto first = ir::try_constant(begin);
    const auto last = ir::try_constant(end);
    if (first && last && among.chunk != CoreGroup::kAnyNumber) {
      const std::int64_t steps = (*last - *first + bounds.step - 1) / bounds.step;
      const std::int64_t chunk = (steps + among.chunk - 1) / among.chunk;
      among.begin = *first;
      among.chunk = std::max<std::int64_t>(1, chunk) * bounds.step;
      at(part).piece.shares.push_back(among);
      return;
    }
    at(part).changing_bounds += ir::to_string(begin) + " to " + ir::to_string(end) + " by " +
                                std::to_string(bounds.step) + " over " +
                                std::to_string(among.chunk) + "; ";
    std::vector<LoopId>& deciding = at(part).piece.deciding;
    for (const auto& [name, around] : entered_) {
      if (ir::mentions(begin, name) || ir::mentions(end, name)) deciding.push_back(around);
    }
    deciding.push_back(among.loop);
  }

  void share_inner(const std::vector<isl::ast_node>& nodes, int part) {
    const std::vector<NodeGroup> groups = groups_of(state_, nodes);
    if (groups.size() != 1) return;
    const isl::ast_node& node = groups.front().nodes.front();
    if (!node.isa<isl::ast_node_mark>()) return;
    const auto mark = node.as<isl::ast_node_mark>();
    const LoopId id = loop_of_mark(mark.id());
    if (!is_parallel(id)) return;
    if (groups.front().unit_loop >= 0) return share(groups.front().nodes, part, id);
    if (mark.node().isa<isl::ast_node_for>()) share({mark.node()}, part, id);
  }

  void enter(const isl::ast_node_for& node, LoopId loop) {
    const std::string name = node.iterator().as<isl::ast_expr_id>().id().name();
    iterators_[name] = ir::Var::make(name);
    entered_.emplace_back(name, loop);
  }

  void leave() {
    iterators_.erase(entered_.back().first);
    entered_.pop_back();
  }

  const schedule::State& state_;
  const Ast& ast_;
  const CoreGroup& cores_;
  std::vector<Part> parts_;
  Iterators iterators_;
  std::vector<std::pair<std::string, LoopId>> entered_;  ///< iterators of the loops around
  int depth_ = 0;
  bool has_threads_ = false;  ///< as many as a call says share out some loop
};

/// Puts barriers between parts.
class BarrierPlacer {
 public:
  BarrierPlacer(const schedule::State& state, std::vector<Part> parts, Remarks& remarks)
      : state_(state), parts_(std::move(parts)), remarks_(remarks) {}

  Barriers run() {
    std::vector<int> pieces;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].kind == Part::Kind::Piece) pieces.push_back(static_cast<int>(k));
    }
    for (const int to : pieces) {
      for (const int from : pieces) {
        if (from < to) separate(from, to);
      }
    }
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].kind != Part::Kind::Loop || !parts_[k].repeats) continue;
      const int loop = static_cast<int>(k);
      for (const int to : pieces) {
        for (const int from : pieces) {
          if (is_inside(from, loop) && is_inside(to, loop)) separate_iterations(from, to, loop);
        }
      }
    }
    Barriers out;
    for (const Part& part : parts_) {
      if (part.barrier) out.emplace(std::pair(part.first, part.depth), *part.barrier);
    }
    return out;
  }

 private:
  const Part& at(int id) const { return parts_[static_cast<std::size_t>(id)]; }

  bool is_inside(int part, int outer) const {
    while (part >= 0 && part != outer) part = at(part).parent;
    return part == outer;
  }

  /// The child of `outer` that is or holds `part`.
  int child_around(int part, int outer) const {
    while (at(part).parent != outer) part = at(part).parent;
    return part;
  }

  int common_part(int a, int b) const {
    while (!is_inside(b, a)) a = at(a).parent;
    return a;
  }

  /// The sequential loops around a part, `part` itself included, outermost first.
  std::vector<int> loops_around(int part) const {
    std::vector<int> out;
    for (; part >= 0; part = at(part).parent) {
      if (at(part).kind == Part::Kind::Loop) out.insert(out.begin(), part);
    }
    return out;
  }

  /// A barrier between two pieces that run one after the other in one iteration of the loops that
  /// are around both.
  void separate(int from, int to) {
    const int common = common_part(from, to);
    if (at(common).kind != Part::Kind::Sequence) return;  // two branches: only one of them runs
    const int first = child_around(from, common);
    const int last = child_around(to, common);
    if (runs_after(from, first) || runs_before(to, last, -1)) return;
    for (int k = at(first).place + 1; k <= at(last).place; ++k) {
      const int child = at(common).children[static_cast<std::size_t>(k)];
      if (at(child).barrier == BarrierTime::Always) return;
    }
    const std::vector<int> around = loops_around(common);
    if (crosses(from, to, around, around.size())) part(last).barrier = BarrierTime::Always;
  }

  /// A barrier between two pieces of which one runs in a later iteration of `loop` than the other.
  void separate_iterations(int from, int to, int loop) {
    const int body = at(loop).children.front();
    if (runs_after(from, body) || runs_before(to, body, loop)) return;
    std::vector<int> around = loops_around(loop);
    if (!crosses(from, to, around, around.size() - 1)) return;
    int place = body;
    if (at(body).kind == Part::Kind::Sequence) {
      const int child = child_around(to, body);
      if (at(child).place != 0) place = child;
    }
    if (!part(place).barrier) part(place).barrier = BarrierTime::NotFirst;
  }

  Part& part(int id) { return parts_[static_cast<std::size_t>(id)]; }

  /// Whether after `part` a barrier runs before `outer`, which holds it, ends.
  bool runs_after(int part, int outer) const {
    for (; part != outer; part = at(part).parent) {
      const Part& parent = at(at(part).parent);
      if (parent.kind != Part::Kind::Sequence) continue;
      for (auto k = static_cast<std::size_t>(at(part).place) + 1; k < parent.children.size(); ++k) {
        if (at(parent.children[k]).barrier == BarrierTime::Always) return true;
      }
    }
    return false;
  }

  /// Whether a barrier runs after `outer` began and before `part` does, in iterations of `loop` but
  /// the first. Without a loop (-1), one before `outer` itself does not count.
  bool runs_before(int part, int outer, int loop) const {
    for (;; part = at(part).parent) {
      if (part == outer && loop < 0) return false;
      if (counts(part, loop)) return true;
      if (part == outer) return false;
      const Part& parent = at(at(part).parent);
      if (parent.kind != Part::Kind::Sequence) continue;
      for (int k = 0; k < at(part).place; ++k) {
        if (counts(parent.children[static_cast<std::size_t>(k)], loop)) return true;
      }
    }
  }

  bool counts(int part, int loop) const {
    if (at(part).barrier != BarrierTime::NotFirst) return at(part).barrier.has_value();
    const std::vector<int> around = loops_around(at(part).parent);
    return loop >= 0 && !around.empty() && around.back() == loop;
  }

  bool crosses(int from, int to, const std::vector<int>& around, std::size_t carrier) {
    const Part& a = at(from);
    const Part& b = at(to);
    std::vector<LoopId> loops;
    for (const int loop : around) loops.push_back(at(loop).loop);
    const bool is_known = !a.is_spread && !b.is_spread && a.changing_bounds == b.changing_bounds;
    const std::optional<bool> found = crosses_cores(
        state_, a.piece, b.piece, loops, carrier, is_known ? SharedOut::Known : SharedOut::Unknown);
    if (!found) remark(b);
    return found.value_or(true);
  }

  void remark(const Part& piece) {
    const auto& [name, instances] = *piece.piece.instances.begin();
    const schedule::Statement& statement = state_.program->statement(name);
    const std::string what = piece.loop < 0
                                 ? "'" + statement.stage + "'"
                                 : "parallel(" + state_.order.loop(piece.loop).name + ")";
    remarks_.push_back({"barrier before " + what, "stands there though it may not be needed",
                        "the analysis did not decide whether a dependence crosses cores",
                        statement.where});
  }

  const schedule::State& state_;
  std::vector<Part> parts_;
  Remarks& remarks_;
};

}  // namespace

Barriers place_barriers(const schedule::State& state, const Ast& ast, const CoreGroup& cores,
                        Remarks& remarks) {
  return BarrierPlacer(state, PartBuilder(state, ast, cores).run(), remarks).run();
}

}  // namespace solway::lowering
