#include "lowering/idle_cores.h"

#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::MeshLine;
using ir::Stmt;

class ExchangeFinder final : public ir::Visitor {
 public:
  /// Of `buffer`, or of any.
  explicit ExchangeFinder(MeshLine line, ir::Buffer buffer = {})
      : line_(line), buffer_(std::move(buffer)) {}
  bool found = false;

 private:
  void visit(const ir::Exchange& s) override {
    found = found || (s.line == line_ && (!buffer_ || s.buffer == buffer_));
  }

  MeshLine line_;
  ir::Buffer buffer_;
};

/// The same exchange with other parts.
Stmt divided(const ir::Exchange& s, ir::Expr part, std::int64_t parts) {
  return ir::Exchange::make(
      {s.buffer, s.indices, s.line, std::move(part), parts, s.part_elems, s.num_elems}, s.where);
}

class Widener final : public ir::Mutator {
 public:
  Widener(MeshLine line, std::int64_t cores) : line_(line), cores_(cores) {}

 private:
  Stmt rewrite(const ir::Exchange& s, const Stmt& self) override {
    return s.line == line_ ? divided(s, s.part, cores_) : self;
  }

  MeshLine line_;
  std::int64_t cores_;
};

class OthersRemover final : public ir::Mutator {
 public:
  OthersRemover(MeshLine line, std::int64_t part) : line_(line), part_(part) {}

 private:
  Stmt rewrite(const ir::Block& s, const Stmt& /*self*/) override {
    std::vector<Stmt> kept;
    for (const Stmt& child : s.stmts) {
      if (has_exchanges(child, line_)) kept.push_back(mutate(child));
    }
    return ir::Block::make(std::move(kept), s.where);
  }
  Stmt rewrite(const ir::If& s, const Stmt& /*self*/) override {
    const auto kept = [&](const Stmt& branch) {
      return branch.defined() && has_exchanges(branch, line_) ? mutate(branch) : Stmt();
    };
    const Stmt then_body = kept(s.then_body);
    return ir::If::make(s.condition, then_body.defined() ? then_body : ir::Block::make({}),
                        kept(s.else_body), s.where);
  }
  Stmt rewrite(const ir::Allocate& s, const Stmt& self) override {
    ExchangeFinder finder(line_, s.buffer);
    finder.walk(s.body);
    return finder.found ? Mutator::rewrite(s, self) : mutate(s.body);
  }
  Stmt rewrite(const ir::Exchange& s, const Stmt& /*self*/) override {
    return divided(s, ir::index(part_), s.parts);
  }

  MeshLine line_;
  std::int64_t part_;
};

}  // namespace

bool has_exchanges(const Stmt& s, MeshLine line) {
  ExchangeFinder finder(line);
  finder.walk(s);
  return finder.found;
}

Stmt along_all_cores(const Stmt& s, MeshLine line, std::int64_t cores) {
  return Widener(line, cores)(s);
}

Stmt exchanges_alone(const Stmt& s, MeshLine line, std::int64_t part) {
  return OthersRemover(line, part)(s);
}

}  // namespace solway::lowering
