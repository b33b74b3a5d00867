#include "codegen/athread/detail/vector_places.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lowering/ir/fold.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

class ReadFinder final : public ir::Visitor {
 public:
  explicit ReadFinder(const CExprPrinter& exprs) : exprs_(exprs) {}
  VectorReads found;

 private:
  void visit(const ir::Load& e) override {
    note(*e.buffer, e.indices, 1, 1);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    if (exprs_.registers_of(e.buffer->name) == nullptr) {
      note(*e.buffer, e.indices, e.type.lanes.count, e.stride_elems);
    }
    Visitor::visit(e);
  }
  void note(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices, int lanes,
            std::int64_t stride) {
    found.places.push_back(place_of(buffer, indices, lanes, stride));
    found.has_main = found.has_main || buffer.scope == "main";
  }

  const CExprPrinter& exprs_;
};

}  // namespace

VectorPlace place_of(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices, int lanes,
                     std::int64_t stride_elems) {
  const std::int64_t reach = (lanes - 1) * stride_elems;
  VectorPlace out{buffer.name, ir::linear_of(ir::flat_index(buffer, indices)), std::abs(reach) + 1};
  out.begin.constant += std::min<std::int64_t>(0, reach);
  return out;
}

bool may_meet(const VectorPlace& a, const VectorPlace& b) {
  if (a.buffer != b.buffer) return false;
  const ir::Linear apart = b.begin - a.begin;
  if (!apart.terms.empty()) return true;
  return apart.constant < a.elems && -apart.constant < b.elems;
}

VectorReads reads_of(const ir::Expr& value, const CExprPrinter& exprs) {
  ReadFinder finder(exprs);
  finder.walk(value);
  return std::move(finder.found);
}

bool is_vector_aligned(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices,
                       int lanes, std::int64_t near_alignment_bytes) {
  if (buffer.scope == "main" || buffer.scope == "register") return false;
  const std::int64_t begin = std::max<std::int64_t>(near_alignment_bytes, buffer.alignment_bytes);
  if (begin % (std::int64_t{lanes} * size_bytes(buffer.type)) != 0) return false;
  const ir::Linear at = ir::linear_of(ir::flat_index(buffer, indices));
  const auto is_whole = [&](const auto& term) { return term.second.coefficient % lanes == 0; };
  return at.constant % lanes == 0 && std::all_of(at.terms.begin(), at.terms.end(), is_whole);
}

}  // namespace solway::codegen
