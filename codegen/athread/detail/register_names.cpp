#include "codegen/athread/detail/register_names.h"

#include <utility>

#include "codegen/athread/vector_forms.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen {
namespace {

std::optional<std::int64_t> position(const ir::BufferNode& buffer,
                                     const std::vector<ir::Expr>& indices) {
  return ir::try_constant(ir::simplify(ir::flat_index(buffer, indices)));
}

/// The types of the accesses to a buffer, by position.
class AccessFinder final : public ir::Visitor {
 public:
  AccessFinder(const ir::BufferNode& buffer, const std::string& machine)
      : buffer_(buffer), machine_(machine) {}

  bool needs_address = false;
  std::map<std::int64_t, ir::Type> types;

 private:
  void visit(const ir::Load& e) override {
    note(*e.buffer, e.indices, e.type, 1, false);
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    note(*e.buffer, e.indices, e.type, e.stride_elems, e.is_partial());
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    note(*s.buffer, s.indices, {s.buffer->type, {}}, 1, false);
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    note(*s.buffer, s.indices, s.value.type(), s.stride_elems, s.active.defined());
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    needs_address = needs_address || s.near.get() == &buffer_ || s.main.get() == &buffer_;
    Visitor::visit(s);
  }
  void visit(const ir::Call& s) override {
    for (const ir::CallOperand& operand : s.operands) {
      needs_address = needs_address || operand.buffer.get() == &buffer_;
    }
    Visitor::visit(s);
  }

  void note(const ir::BufferNode& buffer, const std::vector<ir::Expr>& indices,
            const ir::Type& type, std::int64_t stride, bool is_partial) {
    if (&buffer != &buffer_ || needs_address) return;
    const auto at = position(buffer, indices);
    const bool is_vector = type.is_vector();
    if (!at || is_partial || (is_vector && (stride != 1 || !try_vector_type(type, machine_)))) {
      needs_address = true;
      return;
    }
    const auto [it, is_new] = types.emplace(*at, type);
    if (!is_new) {
      needs_address = it->second != type;
      return;
    }
    const auto next = std::next(it);
    if (next != types.end() && *at + type.lanes.count > next->first) needs_address = true;
    if (it == types.begin()) return;
    const auto before = std::prev(it);
    if (before->first + before->second.lanes.count > *at) needs_address = true;
  }

  const ir::BufferNode& buffer_;
  const std::string& machine_;
};

}  // namespace

const std::string& RegisterNames::at(const ir::BufferNode& buffer,
                                     const std::vector<ir::Expr>& indices) const {
  return variables.at(*position(buffer, indices)).name;
}

std::optional<RegisterNames> try_register_names(const ir::BufferNode& buffer, const ir::Stmt& body,
                                                const std::string& machine, CNames& names) {
  AccessFinder finder(buffer, machine);
  finder.walk(body);
  if (finder.needs_address) return std::nullopt;
  RegisterNames out;
  for (const auto& [at, type] : finder.types) {
    const std::string wish = buffer.name + "_" + std::to_string(out.variables.size());
    out.variables[at] = {names.fresh(wish), type};
  }
  return out;
}

}  // namespace solway::codegen
