#include "lowering/vectorize_loops.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "lowering/vector_accumulator.h"
#include "lowering/vector_body.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// More vectors than this are a loop.
constexpr std::int64_t kMaxVectorsWritten = 4;

/// What decides how a body is vectorized.
class BodySurvey final : public ir::Visitor {
 public:
  std::set<DType> types;  ///< of the elements that it reads and writes
  bool has_memory_statements = false;
  bool has_vectors = false;
  bool has_registers = false;

 private:
  void visit(const ir::Load& e) override {
    types.insert(e.buffer->type);
    has_registers = has_registers || e.buffer->scope == "register";
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    types.insert(s.buffer->type);
    has_registers = has_registers || s.buffer->scope == "register";
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    has_vectors = true;
    Visitor::visit(s);
  }
  void visit(const ir::VectorLoad& e) override {
    has_vectors = true;
    Visitor::visit(e);
  }
  void visit(const ir::Dot& e) override { walk(e.acc); }  // bytes in groups, as many as sums
  void visit(const ir::Allocate& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
  void visit(const ir::TransferWait& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
  void visit(const ir::Call& s) override {
    has_memory_statements = true;
    Visitor::visit(s);
  }
};

class Vectorizer final : public ir::Mutator {
 public:
  Vectorizer(const VectorForms& forms, Remarks& remarks) : forms_(forms), remarks_(remarks) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind != ir::ForKind::Vectorized) return Mutator::rewrite(s, self);
    const Stmt body = mutate(s.body);
    BodySurvey survey;
    survey.walk(body);
    const int lanes = lanes_of(survey);
    std::string why;
    if (lanes < 2) why = forms_.no_lanes;
    if (survey.has_vectors) why = "a loop inside it is vectorized";
    if (survey.has_memory_statements) why = "it allocates or transfers memory";
    if (has_load(s.begin) || has_load(s.end)) why = "its bounds are read from memory";
    // Registers have no addresses: their indices must become constants.
    kind_of_many_ = survey.has_registers ? ir::ForKind::Unrolled : ir::ForKind::Serial;
    if (why.empty()) return vectors(s, body, lanes);
    remarks_.push_back({"vectorize(" + s.var + ")", "kept as a loop", why, s.where});
    return ir::For::make(s.var, s.begin, s.end, ir::ForKind::Serial, body, s.where);
  }

  int lanes_of(const BodySurvey& survey) const {
    int lanes = survey.types.empty() ? 1 : INT32_MAX;
    for (const DType type : survey.types) {
      const auto it = forms_.lanes.find(type);
      lanes = std::min(lanes, it == forms_.lanes.end() ? 1 : it->second);
    }
    return lanes;
  }

  Stmt vectors(const ir::For& s, const Stmt& body, int lanes) {
    const Expr extent = to_expr(ir::linear_of(s.end) - ir::linear_of(s.begin));
    if (const auto constant = ir::try_constant(extent)) {
      return constant_extent(s, body, lanes, std::max<std::int64_t>(*constant, 0));
    }
    const std::string count = s.var + "_count";
    const Expr total = ir::Var::make(count);
    const Expr rest = ir::fold(BinaryOp::Mod, total, ir::index(lanes));
    const Expr tail_base = ir::add(s.begin, ir::sub(total, rest));
    const Expr full = ir::fold(BinaryOp::FloorDiv, total, ir::index(lanes));
    const auto sum = accumulated(s, body, lanes, full, ir::ForKind::Serial);
    std::vector<Stmt> parts = {sum ? *sum
                                   : loop_of_vectors(s, body, lanes, full, ir::ForKind::Serial)};
    parts.push_back(ir::If::make(ir::fold(BinaryOp::Gt, rest, ir::index(0)),
                                 remainder(s, body, tail_base, lanes, rest), {}, s.where));
    return ir::Let::make(count, ir::max(extent, ir::index(0)), ir::Block::make(std::move(parts)),
                         s.where);
  }

  Stmt constant_extent(const ir::For& s, const Stmt& body, int lanes, std::int64_t extent) {
    const std::int64_t full = extent / lanes;
    const std::int64_t rest = extent % lanes;
    if (full == 0 && rest > 0 && forms_.rest == VectorRest::Scalar) {
      remarks_.push_back({"vectorize(" + s.var + ")", "kept as a loop",
                          std::to_string(extent) + " iterations do not fill a vector of " +
                              std::to_string(lanes) + " lanes",
                          s.where});
    }
    std::vector<Stmt> parts;
    if (const auto sum = accumulated(s, body, lanes, ir::index(full), kind_of_many_)) {
      parts.push_back(*sum);
    } else if (full > kMaxVectorsWritten) {
      parts.push_back(loop_of_vectors(s, body, lanes, ir::index(full), kind_of_many_));
    } else {
      for (std::int64_t k = 0; k < full; ++k) {
        parts.push_back(chunk(s, body, ir::add(s.begin, ir::index(k * lanes)), lanes, {}));
      }
    }
    if (rest > 0) {
      const Expr base = ir::add(s.begin, ir::index(full * lanes));
      parts.push_back(remainder(s, body, base, lanes, ir::index(rest)));
    }
    return ir::Block::make(std::move(parts), s.where);
  }

  std::optional<Stmt> accumulated(const ir::For& s, const Stmt& body, int lanes, const Expr& count,
                                  ir::ForKind kind) {
    const std::string name = "sum_" + std::to_string(num_accumulated_) + "_" + s.var;
    auto out = try_accumulate({s.var, s.begin, count, lanes, body, kind, name, &forms_});
    if (out) ++num_accumulated_;
    return out;
  }

  Stmt loop_of_vectors(const ir::For& s, const Stmt& body, int lanes, const Expr& count,
                       ir::ForKind kind) {
    const std::string var = s.var + "_vec";
    const Expr base = ir::add(s.begin, ir::mul(ir::Var::make(var), ir::index(lanes)));
    return ir::For::make(var, ir::index(0), count, kind, chunk(s, body, base, lanes, {}), s.where);
  }

  /// The iterations behind the full vectors.
  Stmt remainder(const ir::For& s, const Stmt& body, Expr base, int lanes, const Expr& rest) {
    if (forms_.rest == VectorRest::Masked) return chunk(s, body, std::move(base), lanes, rest);
    const ir::ForKind kind = ir::try_constant(rest) ? kind_of_many_ : ir::ForKind::Serial;
    const Expr end = ir::add(base, rest);
    return ir::For::make(s.var, std::move(base), end, kind, body, s.where);
  }

  Stmt chunk(const ir::For& s, const Stmt& body, Expr base, int lanes, Expr active) {
    Remarks fresh;
    Stmt out =
        vectorize_body(body, {s.var, std::move(base), lanes, std::move(active), &forms_}, fresh);
    for (Remark& remark : fresh) {
      // Each chunk of a loop says the same.
      const bool is_known = std::any_of(remarks_.begin(), remarks_.end(), [&](const Remark& r) {
        return r.step == remark.step && r.why == remark.why && r.where.line == remark.where.line;
      });
      if (!is_known) remarks_.push_back(std::move(remark));
    }
    return out;
  }

  const VectorForms& forms_;
  Remarks& remarks_;
  int num_accumulated_ = 0;                         ///< reductions so far, for names
  ir::ForKind kind_of_many_ = ir::ForKind::Serial;  ///< of a loop over a known number of vectors
};

}  // namespace

Stmt vectorize_loops(const Stmt& s, const VectorForms& forms, Remarks& remarks) {
  return Vectorizer(forms, remarks)(s);
}

}  // namespace solway::lowering
