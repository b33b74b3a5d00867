#include "lowering/inline_copies.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/fold.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;
using ir::TransferDim;

class NameCollector final : public ir::Visitor {
 public:
  std::set<std::string> names;

 private:
  void visit(const ir::For& s) override {
    names.insert(s.var);
    Visitor::visit(s);
  }
  void visit(const ir::Let& s) override {
    names.insert(s.var);
    Visitor::visit(s);
  }
  void visit(const ir::Load& e) override {
    names.insert(e.buffer->name);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    names.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    names.insert(s.buffer->name);
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    names.insert({s.main->name, s.near->name});
    Visitor::visit(s);
  }
};

bool is_contiguous(const TransferDim& dim) {
  return ir::try_constant(dim.main_stride_elems) == 1 && dim.near_stride_elems == 1;
}

/// Moves the place of `indices` by `counter * stride` elements, along the dimension that has that
/// stride, or else the largest that divides it.
void advance(const ir::BufferNode& buffer, std::vector<Expr>& indices, std::int64_t stride,
             const Expr& counter) {
  const std::vector<std::int64_t> strides = buffer.strides_elems();
  std::size_t best = strides.size() - 1;
  for (std::size_t d = strides.size(); d-- > 0;) {
    if (strides[d] < 1 || stride % strides[d] != 0) continue;
    const bool is_longer = strides[d] == strides[best] && buffer.shape[d] > buffer.shape[best];
    if (strides[d] > strides[best] || is_longer) best = d;
  }
  const std::int64_t factor = stride / std::max<std::int64_t>(strides[best], 1);
  indices[best] = ir::add(indices[best], ir::mul(counter, ir::index(factor)));
}

/// The same by an expression: where that is no number, the buffer is one row.
void advance(const ir::BufferNode& buffer, std::vector<Expr>& indices, const Expr& stride,
             const Expr& counter) {
  if (const auto known = ir::try_constant(stride)) {
    return advance(buffer, indices, *known, counter);
  }
  indices.back() = ir::add(indices.back(), ir::mul(counter, stride));
}

class CopyInliner final : public ir::Mutator {
 public:
  explicit CopyInliner(std::set<std::string> names) : names_(std::move(names)) {}

 private:
  Stmt rewrite(const ir::TransferIssue& s, const Stmt& /*self*/) override { return copy(s); }

  Stmt rewrite(const ir::TransferWait& /*s*/, const Stmt& /*self*/) override {
    return ir::Block::make({});
  }

  /// A guard of waits alone guards nothing.
  Stmt rewrite(const ir::If& s, const Stmt& self) override {
    const Stmt out = Mutator::rewrite(s, self);
    const auto* made = out.as_or_null<ir::If>();
    const bool is_empty = made != nullptr && does_nothing(made->then_body) &&
                          (!made->else_body.defined() || does_nothing(made->else_body));
    return is_empty ? ir::Block::make({}) : out;
  }

  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    const Stmt out = Mutator::rewrite(s, self);
    const auto* made = out.as_or_null<ir::For>();
    return made != nullptr && does_nothing(made->body) ? ir::Block::make({}) : out;
  }

  static bool does_nothing(const Stmt& s) {
    const auto* block = s.as_or_null<ir::Block>();
    return block != nullptr && block->stmts.empty();
  }

  std::string unique_name(const std::string& base) {
    std::string out = base;
    for (int k = 1; !names_.insert(out).second; ++k) out = base + "_" + std::to_string(k);
    return out;
  }

  Stmt copy(const ir::TransferIssue& s) {
    std::vector<TransferDim> dims = s.dims;
    std::stable_partition(dims.begin(), dims.end(),
                          [](const TransferDim& dim) { return !is_contiguous(dim); });
    std::vector<Expr> main_index = s.main_index;
    std::vector<Expr> near_index = s.near_index;
    std::vector<std::string> vars;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      vars.push_back(unique_name(s.id + "_" + std::to_string(k)));
      const Expr counter = ir::Var::make(vars.back());
      advance(*s.main, main_index, dims[k].main_stride_elems, counter);
      advance(*s.near, near_index, dims[k].near_stride_elems, counter);
    }
    const bool is_get = s.direction == ir::TransferDirection::Get;
    Stmt out =
        is_get ? ir::Store::make(s.near, near_index, ir::Load::make(s.main, main_index), s.where)
               : ir::Store::make(s.main, main_index, ir::Load::make(s.near, near_index), s.where);
    const ir::ForKind outer =
        s.near->scope == "register" ? ir::ForKind::Unrolled : ir::ForKind::Serial;
    for (std::size_t k = dims.size(); k-- > 0;) {
      const ir::ForKind kind = is_contiguous(dims[k]) ? ir::ForKind::Vectorized : outer;
      out = ir::For::make(vars[k], ir::index(0), dims[k].count, kind, out, s.where);
    }
    return out;
  }

  std::set<std::string> names_;
};

}  // namespace

Stmt inline_copies(const Stmt& s) {
  NameCollector collector;
  collector.walk(s);
  return CopyInliner(std::move(collector.names))(s);
}

}  // namespace solway::lowering
