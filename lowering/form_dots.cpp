#include "lowering/form_dots.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/detail/dot_excess.h"
#include "lowering/detail/dot_nest.h"
#include "lowering/detail/turned_copy.h"
#include "lowering/ir/buffer_names.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// Which buffers are written.
class WriteFinder final : public ir::Visitor {
 public:
  std::set<const ir::BufferNode*> written;
  bool writes_any = false;  ///< something that this does not look into

 private:
  void visit(const ir::Store& s) override {
    written.insert(s.buffer.get());
    Visitor::visit(s);
  }
  void visit(const ir::Allocate& s) override {
    written.insert(s.buffer.get());
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    writes_any = true;
    Visitor::visit(s);
  }
  void visit(const ir::TransferWait& s) override {
    writes_any = true;
    Visitor::visit(s);
  }
  void visit(const ir::Call& s) override {
    writes_any = true;
    Visitor::visit(s);
  }
  void visit(const ir::Barrier& s) override {
    writes_any = true;
    Visitor::visit(s);
  }
  void visit(const ir::Exchange& s) override {
    writes_any = true;
    Visitor::visit(s);
  }
};

bool writes(const Stmt& s, const ir::Buffer& buffer) {
  WriteFinder finder;
  finder.walk(s);
  return finder.writes_any || finder.written.count(buffer.get()) != 0;
}

class VarFinder final : public ir::Visitor {
 public:
  explicit VarFinder(const std::string& name) : name_(name) {}
  bool found = false;

 private:
  void visit(const ir::Var& e) override { found = found || e.name == name_; }
  void visit(const ir::For& s) override {
    walk(s.begin);
    walk(s.end);
    if (s.var != name_) walk(s.body);
  }
  const std::string& name_;
};

/// Whether the statement uses a variable that is defined around it.
bool mentions(const Stmt& s, const std::string& var) {
  VarFinder finder(var);
  finder.walk(s);
  return finder.found;
}

/// How the machine multiplies the operands of a nest.
struct Choice {
  const DotOperand* turned = nullptr;  ///< the operand whose sign bit is turned, or null
  bool swapped = false;                ///< the second operand comes first
};

DType other_sign(DType type) { return type == DType::Int8 ? DType::UInt8 : DType::Int8; }

class DotFormer final : public ir::Mutator {
 public:
  DotFormer(const VectorForms& forms, Remarks& remarks, std::set<std::string> names)
      : forms_(forms), remarks_(remarks), names_(std::move(names)) {
    // Machines without those of bytes are told so; without those of halves nothing is missing.
    if (has(DType::BFloat16, DType::BFloat16)) sums_.push_back(DType::Float32);
  }

  Stmt run(const Stmt& s) { return with_prepared(mutate(s), 0); }

 private:
  // Where buffers are filled: as far outside as their source is the same and nothing writes it.

  /// Fills here what has been waiting since there were `kept` others.
  Stmt with_prepared(Stmt s, std::size_t kept) {
    while (waiting_.size() > kept) {
      const Prepared& next = waiting_.back();
      s = ir::Allocate::make(next.buffer, ir::Block::make({next.fill, s}), s.where());
      waiting_.pop_back();
    }
    return s;
  }

  /// The same for those that `stays` says; the others wait on.
  template <class Stays>
  Stmt with_some(Stmt s, std::size_t kept, Stays stays) {
    const auto first = waiting_.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto here =
        std::stable_partition(first, waiting_.end(), [&](const Prepared& e) { return !stays(e); });
    return with_prepared(std::move(s), static_cast<std::size_t>(here - waiting_.begin()));
  }

  Stmt rewrite(const ir::Block& s, const Stmt& self) override {
    std::vector<Stmt> out;
    for (const Stmt& child : s.stmts) {
      const std::size_t kept = waiting_.size();
      out.push_back(with_some(mutate(child), kept,
                              [&](const Prepared& p) { return writes(self, p.source); }));
    }
    const bool is_same = std::equal(out.begin(), out.end(), s.stmts.begin(),
                                    [](const Stmt& a, const Stmt& b) { return a.same_as(b); });
    return is_same ? self : ir::Block::make(std::move(out), s.where);
  }

  Stmt rewrite(const ir::Allocate& s, const Stmt& self) override {
    const std::size_t kept = waiting_.size();
    const Stmt body =
        with_some(mutate(s.body), kept, [&](const Prepared& p) { return p.source == s.buffer; });
    return body.same_as(s.body) ? self : ir::Allocate::make(s.buffer, body, s.where);
  }

  Stmt rewrite(const ir::If& s, const Stmt& self) override {
    const std::size_t fence = std::exchange(fence_, around_.size());
    const std::size_t kept = waiting_.size();
    const Stmt then_body = with_prepared(mutate(s.then_body), kept);
    const Stmt else_body =
        s.else_body.defined() ? with_prepared(mutate(s.else_body), kept) : s.else_body;
    fence_ = fence;
    if (then_body.same_as(s.then_body) && else_body.same_as(s.else_body)) return self;
    return ir::If::make(s.condition, then_body, else_body, s.where);
  }

  Stmt rewrite(const ir::Let& s, const Stmt& self) override {
    const std::size_t fence = std::exchange(fence_, around_.size());
    const std::size_t kept = waiting_.size();
    const Stmt body = with_prepared(mutate(s.body), kept);
    fence_ = fence;
    return body.same_as(s.body) ? self : ir::Let::make(s.var, s.value, body, s.where);
  }

  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    std::string why;
    if (const auto nest = try_dot_nest(s, around_, sums_, why)) return form(*nest, self);
    if (!why.empty()) {
      remark(s, why);
      return self;
    }
    const std::size_t kept = waiting_.size();
    around_.push_back(&s);
    Stmt body = mutate(s.body);
    around_.pop_back();
    const bool runs_always = is_plain(s);
    body = with_some(std::move(body), kept, [&](const Prepared& p) {
      return !runs_always || mentions(p.fill, s.var) || writes(s.body, p.source);
    });
    if (body.same_as(s.body)) return self;
    return ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where);
  }

  /// Whether what its body reads at first may be read before it.
  static bool is_plain(const ir::For& s) {
    const auto extent = ir::try_constant(ir::simplify(ir::sub(s.end, s.begin)));
    const bool is_of_one = s.for_kind == ir::ForKind::Serial || s.for_kind == ir::ForKind::Unrolled;
    return is_of_one && extent && *extent >= 1;
  }

  // One nest.

  Stmt form(const DotNest& nest, const Stmt& self) {
    const auto choice = choose(nest);
    const std::string types = std::string(to_string(nest.x.buffer->type)) + " and " +
                              std::string(to_string(nest.y.buffer->type));
    if (!choice) {
      remark(self.as<ir::For>(),
             "this machine has no instruction that adds 4 products of " + types + " in lanes");
      return self;
    }
    Expr acc = ir::Load::make(nest.place, nest.place_indices);
    Expr x = nest.x.group();
    Expr y = nest.y.group();
    std::optional<DotExcess> excess;
    if (choice->turned != nullptr) {
      const bool is_x = choice->turned == &nest.x;
      const DotOperand& other = is_x ? nest.y : nest.x;
      const DType from = choice->turned->buffer->type;
      excess =
          try_excess(nest, from, other, fresh(nest.place->name + "_excess"), forms_.near_scope);
      if (!excess) {
        const Expr zero = ir::IntImm::make(0, DType::Int32);
        acc = ir::Binary::make(BinaryOp::Sub, acc, excess_of(zero, from, other));
      }
      const std::string name = fresh(choice->turned->buffer->name + "_turned");
      auto copy = try_turned_copy(nest, *choice->turned, loops_of_one_copy(*choice->turned), name,
                                  forms_.near_scope);
      if (!copy) copy = try_turned_copy(nest, *choice->turned, {}, name, forms_.near_scope);
      (is_x ? x : y) = copy ? copy->group : turned(*choice->turned);
      if (copy) waiting_.push_back(copy->copy);
    }
    if (choice->swapped) std::swap(x, y);
    if (nest.group == kDotHalves) remark_halves(nest, self);
    Stmt out =
        ir::Store::make(nest.place, nest.place_indices, ir::Dot::make(acc, x, y), nest.where);
    if (nest.num_groups > 1) {
      out = ir::For::make(nest.terms, ir::index(0), ir::index(nest.num_groups), ir::ForKind::Serial,
                          out, nest.where);
    }
    for (auto it = nest.loops.rbegin(); it != nest.loops.rend(); ++it) {
      const ir::For& loop = **it;
      out = ir::For::make(loop.var, loop.begin, loop.end, loop.for_kind, out, loop.where);
    }
    if (!excess) return out;
    out = ir::Block::make({out, excess->subtract}, nest.where);
    waiting_.push_back(excess->sums);
    return out;
  }

  /// The loops over whose iterations one copy of the operand does, because a loop further out would
  /// make it again: those inside of the outermost such one. None where the copy would stay inside.
  std::vector<const ir::For*> loops_of_one_copy(const DotOperand& operand) const {
    std::size_t first = around_.size();
    for (std::size_t n = around_.size(); n-- > fence_;) {
      const ir::For& loop = *around_[n];
      if (!is_plain(loop) || writes(loop.body, operand.buffer)) break;
      const auto is_of_it = [&](const Expr& e) { return ir::mentions(e, loop.var); };
      if (std::none_of(operand.indices.begin(), operand.indices.end(), is_of_it)) first = n;
    }
    return {around_.begin() + static_cast<std::ptrdiff_t>(first), around_.end()};
  }

  /// Without a turned operand where possible. A turned one that all lanes have in common leaves the
  /// sum of the other, which other rows have in common, too.
  std::optional<Choice> choose(const DotNest& nest) const {
    const DType x = nest.x.buffer->type;
    const DType y = nest.y.buffer->type;
    const auto order = [&](DType a, DType b) -> std::optional<bool> {
      if (has(a, b)) return false;
      if (has(b, a)) return true;
      return std::nullopt;
    };
    if (const auto swapped = order(x, y)) return Choice{nullptr, *swapped};
    const bool x_first = nest.x.lane_step == 0;
    for (const bool is_x : {x_first, !x_first}) {
      const auto swapped = is_x ? order(other_sign(x), y) : order(x, other_sign(y));
      if (swapped) return Choice{is_x ? &nest.x : &nest.y, *swapped};
    }
    return std::nullopt;
  }

  bool has(DType a, DType b) const {
    return std::find(forms_.dots.begin(), forms_.dots.end(), DotForm{a, b}) != forms_.dots.end();
  }

  /// Copies of a loop say the same once.
  void remark(const ir::For& loop, const std::string& why) {
    remark(loop, "multiplied one by one", why);
  }

  void remark(const ir::For& loop, const std::string& verdict, const std::string& why) {
    const Remark made{"dot(" + loop.var + ")", verdict, why, loop.where};
    const bool is_known = std::any_of(remarks_.begin(), remarks_.end(), [&](const Remark& r) {
      return r.step == made.step && r.why == made.why && r.where.line == made.where.line;
    });
    if (!is_known) remarks_.push_back(made);
  }

  std::string fresh(const std::string& name) {
    std::string out = name;
    for (int i = 2; !names_.insert(out).second; ++i) out = name + "_" + std::to_string(i);
    return out;
  }

  /// What schedules do not promise, and how far it goes.
  void remark_halves(const DotNest& nest, const Stmt& self) {
    remark(self.as<ir::For>(), "pairs of products of bfloat16 are one instruction",
           "it rounds in its own way and takes numbers below 2^-126 for zero: a sum of n terms is "
           "within (n + 2) 2^-24 of the sum of the absolute products, and n 2^-125 (1 + max|" +
               nest.x.buffer->name + "| + max|" + nest.y.buffer->name + "|)");
  }

  const VectorForms& forms_;
  Remarks& remarks_;
  std::set<std::string> names_;
  std::vector<DType> sums_ = {DType::Int32};
  std::vector<const ir::For*> around_;  ///< loops around the present statement
  std::size_t fence_ = 0;               ///< what is filled stays inside of so many of these
  std::vector<Prepared> waiting_;       ///< not filled yet
};

}  // namespace

Stmt form_dots(const Stmt& s, const VectorForms& forms, Remarks& remarks) {
  return DotFormer(forms, remarks, ir::buffer_names(s)).run(s);
}

}  // namespace solway::lowering
