#include "codegen/c/loop_pragmas.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "lowering/ir/fold.h"
#include "lowering/ir/join_digits.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen::c99 {
namespace {

using ir::Expr;
using ir::ForKind;

/// More copies of a loop's body are not asked for.
constexpr std::int64_t kMostCopies = 1024;
/// More copies of a loop inside the unrolled one would need more registers than there are.
constexpr std::uint64_t kMostOuterCopies = 16;

std::optional<std::int64_t> constant_extent(const ir::For& loop) {
  const ir::Linear extent = ir::linear_of(loop.end) - ir::linear_of(loop.begin);
  if (!extent.terms.empty()) return std::nullopt;
  return std::max<std::int64_t>(extent.constant, 0);
}

bool is_written_out(const ir::For& loop) {
  const auto extent = constant_extent(loop);
  return loop.for_kind == ForKind::Unrolled && extent && *extent <= kMostCopies;
}

std::optional<std::int64_t> step_of(const ir::BufferNode& buffer, const std::vector<Expr>& indices,
                                    const std::string& var) {
  return ir::try_coefficient(ir::join_digits(ir::flat_index(buffer, indices)), var);
}

/// What decides on the directives of a loop.
class Survey final : public ir::Visitor {
 public:
  explicit Survey(const ir::For& loop) : var_(loop.var) { walk(loop.body); }

  bool has_vectorized = false;
  bool has_loops = false;  ///< that are not written out
  bool allocates = false;
  bool is_of_neighbours = true;  ///< each access moves by at most one element
  bool is_of_floats = true;      ///< float32 alone

 private:
  using Visitor::visit;

  void note(const ir::BufferNode& buffer, const std::vector<Expr>& indices) {
    is_of_floats = is_of_floats && buffer.type == DType::Float32;
    const auto step = step_of(buffer, indices, var_);
    is_of_neighbours = is_of_neighbours && step && std::abs(*step) <= 1;
  }
  void visit(const ir::For& s) override {
    has_vectorized = has_vectorized || s.for_kind == ForKind::Vectorized;
    has_loops = has_loops || !is_written_out(s);
    Visitor::visit(s);
  }
  void visit(const ir::Load& e) override {
    note(*e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    note(*s.buffer, s.indices);
    Visitor::visit(s);
  }
  void visit(const ir::Cast& e) override {
    is_of_floats = is_of_floats && e.type.scalar == DType::Float32;
    Visitor::visit(e);
  }
  void visit(const ir::Allocate& s) override {
    allocates = true;
    Visitor::visit(s);
  }

  const std::string& var_;
};

/// Whether all that a loop does is to copy between two arrays, each iteration to a place of its
/// own: what a transfer became.
bool is_copy(const ir::For& loop) {
  const auto* store = loop.body.as_or_null<ir::Store>();
  if (store == nullptr) return false;
  const auto* load = store->value.as_or_null<ir::Load>();
  if (load == nullptr || load->buffer->name == store->buffer->name) return false;
  const auto step = step_of(*store->buffer, store->indices, loop.var);
  return step && *step != 0;
}

/// The most iterations that a loop can have; nullopt: not known.
std::optional<std::int64_t> most_iterations(const ir::For& loop, const ir::Ranges& ranges) {
  if (const auto extent = constant_extent(loop)) return extent;
  const auto range = try_range(ir::linear_of(loop.end) - ir::linear_of(loop.begin), ranges);
  return range ? std::optional(range->hi) : std::nullopt;
}

std::vector<std::string> of_vectorized(const ir::For& loop, const Survey& survey,
                                       const NecPragmas& pragmas, const ir::Ranges& ranges) {
  const bool is_independent =
      !survey.allocates && (pragmas.independent.count(loop.var) != 0 || is_copy(loop));
  std::vector<std::string> out = {is_independent ? "_NEC ivdep" : "_NEC vector"};
  const auto most = most_iterations(loop, ranges);
  if (most && *most <= pragmas.vector_length) {
    out.emplace_back("_NEC shortloop");
    return out;
  }
  if (survey.is_of_floats && survey.is_of_neighbours) out.emplace_back("_NEC packed_vector");
  if (!is_independent && !constant_extent(loop)) out.emplace_back("_NEC shortloop_reduction");
  return out;
}

}  // namespace

std::vector<std::string> nec_pragmas(const ir::For& loop, const NecPragmas& pragmas,
                                     const ir::Ranges& ranges) {
  const Survey survey(loop);
  if (loop.for_kind == ForKind::Vectorized && !survey.has_vectorized) {
    return of_vectorized(loop, survey, pragmas, ranges);
  }
  std::vector<std::string> out;
  if (survey.has_vectorized) out.emplace_back("_NEC novector");
  if (!is_written_out(loop)) return out;
  if (!survey.has_loops) {
    out.emplace_back("_NEC unroll_completely");
  } else if (pragmas.independent.count(loop.var) != 0 && !survey.allocates) {
    // The compiler takes powers of two.
    const auto copies = std::min(std::bit_floor(static_cast<std::uint64_t>(*constant_extent(loop))),
                                 kMostOuterCopies);
    if (copies > 1) out.emplace_back("_NEC outerloop_unroll(" + std::to_string(copies) + ")");
  }
  return out;
}

}  // namespace solway::codegen::c99
