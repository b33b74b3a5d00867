#include "lowering/code_size.h"

#include "lowering/ir/fold.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

// Of generated code, beside what indices and values take.
constexpr std::int64_t kLoop = 4;    // the variable set, counted, compared, the jump
constexpr std::int64_t kBranch = 2;  // a comparison is an operation of its own
constexpr std::int64_t kIssue = 24;  // the counter cleared, ten arguments, the call
constexpr std::int64_t kWait = 4;
constexpr std::int64_t kExchange = 16;
constexpr std::int64_t kCall = 8;
constexpr std::int64_t kVectorsPerRound = 4;

class Counter final : public ir::Visitor {
 public:
  std::int64_t instructions = 0;

 private:
  void visit(const ir::Unary& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Binary& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Select& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Cast& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Load& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::VectorLoad& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Broadcast& e) override {
    one([&] { Visitor::visit(e); });
  }
  void visit(const ir::Store& s) override {
    one([&] { Visitor::visit(s); });
  }
  void visit(const ir::VectorStore& s) override {
    one([&] { Visitor::visit(s); });
  }

  void visit(const ir::For& s) override {
    const std::int64_t before = instructions;
    Visitor::visit(s);
    const std::int64_t body = instructions - before;
    std::int64_t copies = 1;
    if (s.for_kind == ir::ForKind::Vectorized) copies = kVectorsPerRound;
    if (s.for_kind == ir::ForKind::Unrolled) {
      const auto begin = ir::try_constant(s.begin);
      const auto end = ir::try_constant(s.end);
      if (begin && end && *end > *begin) copies = *end - *begin;
    }
    instructions = before + body * copies + (s.for_kind == ir::ForKind::Unrolled ? 0 : kLoop);
  }

  void visit(const ir::If& s) override {
    more(kBranch, [&] { Visitor::visit(s); });
  }
  void visit(const ir::TransferIssue& s) override {
    more(kIssue, [&] { Visitor::visit(s); });
  }
  void visit(const ir::TransferWait& s) override {
    more(kWait, [&] { Visitor::visit(s); });
  }
  void visit(const ir::Exchange& s) override {
    more(kExchange, [&] { Visitor::visit(s); });
  }
  void visit(const ir::Call& s) override {
    more(kCall, [&] { Visitor::visit(s); });
  }

  template <typename Children>
  void one(Children children) {
    more(1, children);
  }

  template <typename Children>
  void more(std::int64_t count, Children children) {
    instructions += count;
    children();
  }
};

}  // namespace

std::int64_t instruction_count(const ir::Stmt& s) {
  Counter counter;
  counter.walk(s);
  return counter.instructions;
}

}  // namespace solway::lowering
