#include "lowering/widen_panels.h"

#include <utility>

#include "lowering/ir/mutator.h"
#include "lowering/ir/visitor.h"
#include "support/half_type.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// The load of `buffer` that a cast widens to float32, or null.
const ir::Load* widened_load_or_null(const ir::Cast& cast, const ir::Buffer& buffer) {
  if (cast.type.scalar != DType::Float32) return nullptr;
  const auto* load = cast.operand.as_or_null<ir::Load>();
  return load != nullptr && load->buffer == buffer ? load : nullptr;
}

/// Finds uses of a buffer that are neither stores nor loads that are widened.
class OtherUses final : public ir::Visitor {
 public:
  static bool in(const Stmt& s, const ir::Buffer& buffer) {
    OtherUses finder(buffer);
    finder.walk(s);
    return finder.found_;
  }

 private:
  explicit OtherUses(const ir::Buffer& buffer) : buffer_(buffer) {}

  void visit(const ir::Cast& e) override {
    const ir::Load* load = widened_load_or_null(e, buffer_);
    if (load == nullptr) return Visitor::visit(e);
    for (const Expr& index : load->indices) walk(index);
  }
  void visit(const ir::Load& e) override {
    found_ = found_ || e.buffer == buffer_;
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    found_ = found_ || e.buffer == buffer_;
    Visitor::visit(e);
  }
  void visit(const ir::VectorStore& s) override {
    found_ = found_ || s.buffer == buffer_;
    Visitor::visit(s);
  }
  // What these touch is not looked into.
  void visit(const ir::TransferIssue& /*s*/) override { found_ = true; }
  void visit(const ir::TransferWait& /*s*/) override { found_ = true; }
  void visit(const ir::Exchange& /*s*/) override { found_ = true; }
  void visit(const ir::Call& /*s*/) override { found_ = true; }

  const ir::Buffer& buffer_;
  bool found_ = false;
};

/// Exchanges one buffer by another that holds float32.
class Exchanger final : public ir::Mutator {
 public:
  Exchanger(ir::Buffer from, ir::Buffer to) : from_(std::move(from)), to_(std::move(to)) {}

 private:
  Expr rewrite(const ir::Cast& e, const Expr& self) override {
    const ir::Load* load = widened_load_or_null(e, from_);
    return load == nullptr ? Mutator::rewrite(e, self) : ir::Load::make(to_, mutate(load->indices));
  }
  Stmt rewrite(const ir::Store& s, const Stmt& self) override {
    if (s.buffer != from_) return Mutator::rewrite(s, self);
    return ir::Store::make(to_, mutate(s.indices), ir::Cast::make(mutate(s.value), DType::Float32),
                           s.where);
  }

  ir::Buffer from_;
  ir::Buffer to_;
};

class Widener final : public ir::Mutator {
 public:
  explicit Widener(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

 private:
  Stmt rewrite(const ir::Allocate& s, const Stmt& self) override {
    const Stmt body = mutate(s.body);
    const ir::BufferNode& buffer = *s.buffer;
    const bool fits = 2 * buffer.size_bytes() <= most_bytes_;
    if (!is_half(buffer.type) || buffer.scope == "main" || !fits || OtherUses::in(body, s.buffer)) {
      return body.same_as(s.body) ? self : ir::Allocate::make(s.buffer, body, s.where);
    }
    const ir::Buffer wide = ir::make_buffer(buffer.name, DType::Float32, buffer.shape, buffer.scope,
                                            buffer.alignment_bytes);
    return ir::Allocate::make(wide, Exchanger(s.buffer, wide)(body), s.where);
  }

  std::int64_t most_bytes_;
};

}  // namespace

Stmt widen_panels(const Stmt& s, std::int64_t most_bytes) { return Widener(most_bytes)(s); }

}  // namespace solway::lowering
