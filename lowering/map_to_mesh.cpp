#include "lowering/map_to_mesh.h"

#include "lowering/idle_cores.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::For;
using ir::Stmt;

using MeshLoops = std::map<std::string, MeshLoop>;

/// The loops on the mesh inside a statement.
class MeshLoopFinder final : public ir::Visitor {
 public:
  explicit MeshLoopFinder(const MeshLoops& loops) : loops_(loops) {}
  const For* found = nullptr;

 private:
  void visit(const For& s) override {
    if (s.for_kind == ir::ForKind::Parallel && loops_.count(s.var) != 0) found = &s;
    Visitor::visit(s);
  }

  const MeshLoops& loops_;
};

bool has_mesh_loop(const Stmt& s, const MeshLoops& loops) {
  MeshLoopFinder finder(loops);
  finder.walk(s);
  return finder.found != nullptr;
}

/// Looks at the outermost mesh loops.
class PairFinder final : public ir::Visitor {
 public:
  explicit PairFinder(const MeshLoops& loops) : loops_(loops) {}
  bool are_pairs = true;

 private:
  void visit(const For& s) override {
    const auto outer = loops_.find(s.var);
    if (outer == loops_.end() || s.for_kind != ir::ForKind::Parallel) return Visitor::visit(s);
    const For* const inner = s.body.as_or_null<For>();
    const auto pair = inner == nullptr ? loops_.end() : loops_.find(inner->var);
    const bool is_pair = pair != loops_.end() && pair->second.dimension != outer->second.dimension;
    are_pairs = are_pairs && !has_mesh_loop(is_pair ? inner->body : s.body, loops_);
  }

  const MeshLoops& loops_;
};

class MeshMapper final : public ir::Mutator {
 public:
  MeshMapper(const MeshLoops& loops, const Mesh& mesh) : loops_(loops), mesh_(mesh) {}

 private:
  Stmt rewrite(const For& s, const Stmt& self) override {
    const auto outer = loops_.find(s.var);
    if (outer == loops_.end() || s.for_kind != ir::ForKind::Parallel) {
      return Mutator::rewrite(s, self);
    }
    const std::string core = s.var + "_core";
    const Expr number = ir::Var::make(core);
    Stmt body = s.body;
    const For* inner = body.as_or_null<For>();
    const auto pair = inner == nullptr ? loops_.end() : loops_.find(inner->var);
    if (pair != loops_.end()) {
      require_no_more(s, inner->body);
      if (pair->second.dimension == outer->second.dimension) refuse(s, *inner);
      body = share(s, outer->second, number, share(*inner, pair->second, number, inner->body));
    } else {
      require_no_more(s, body);
      const Expr other = index_of(outer->second.dimension == "row" ? "column" : "row", number);
      body = ir::If::make(ir::fold(BinaryOp::Eq, other, ir::index(0)),
                          share(s, outer->second, number, body), {}, s.where);
    }
    return For::make(core, ir::index(0), ir::index(mesh_.rows * mesh_.columns),
                     ir::ForKind::Parallel, body, s.where);
  }

  void require_no_more(const For& outer, const Stmt& body) const {
    MeshLoopFinder finder(loops_);
    finder.walk(body);
    if (finder.found != nullptr) refuse(outer, *finder.found);
  }

  [[noreturn]] static void refuse(const For& outer, const For& inner) {
    throw UnsupportedError({inner.where,
                            "'" + inner.var + "' and '" + outer.var + "' are no pair of mesh loops",
                            "one of a row and a column loop stands directly inside the other, and "
                            "no third one in them",
                            "reorder them next to each other, outside everything else"});
  }

  /// The row or the column of a core.
  Expr index_of(const std::string& dimension, const Expr& core) const {
    const BinaryOp op = dimension == "row" ? BinaryOp::FloorDiv : BinaryOp::Mod;
    return ir::fold(op, core, ir::index(mesh_.columns));
  }

  /// What one core runs of a loop.
  Stmt share(const For& s, const MeshLoop& loop, const Expr& core, const Stmt& body) const {
    const bool is_row = loop.dimension == "row";
    const std::int64_t cores = is_row ? mesh_.rows : mesh_.columns;
    const std::int64_t parts = loop.parts == 0 ? cores : loop.parts;
    const Expr place = index_of(loop.dimension, core);
    const Expr chunk =
        ir::fold(BinaryOp::FloorDiv, ir::add(ir::sub(s.end, s.begin), ir::index(parts - 1)),
                 ir::index(parts));
    const auto run = [&](const Expr& begin, const Stmt& inside) {
      return For::make(s.var, begin, ir::min(ir::add(begin, chunk), s.end), ir::ForKind::Serial,
                       inside, s.where);
    };
    const Expr first = ir::min(ir::add(s.begin, ir::mul(place, chunk)), s.end);
    // Rows tell the cores of a column apart.
    const ir::MeshLine line = is_row ? ir::MeshLine::Column : ir::MeshLine::Row;
    if (parts == cores || !has_exchanges(body, line)) return run(first, body);
    // All cores that work come to the same exchanges, so the first one's are those of the others.
    const Stmt whole = along_all_cores(body, line, cores);
    return ir::If::make(ir::fold(BinaryOp::Lt, place, ir::index(parts)), run(first, whole),
                        run(s.begin, exchanges_alone(whole, line, parts)), s.where);
  }

  const MeshLoops& loops_;
  const Mesh& mesh_;
};

}  // namespace

bool are_mesh_pairs(const Stmt& s, const MeshLoops& loops) {
  PairFinder finder(loops);
  finder.walk(s);
  return finder.are_pairs;
}

Stmt map_to_mesh(const Stmt& s, const MeshLoops& loops, const Mesh& mesh) {
  return loops.empty() ? s : MeshMapper(loops, mesh)(s);
}

}  // namespace solway::lowering
