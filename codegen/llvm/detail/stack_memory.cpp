#include "codegen/llvm/detail/stack_memory.h"

#include <algorithm>
#include <set>

#include "codegen/llvm/detail/lanes.h"
#include "codegen/llvm/detail/memory_plan.h"
#include "codegen/llvm/detail/types.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/visitor.h"

namespace solway::codegen::detail {
namespace {

/// More vectors than this are no registers anyway.
constexpr std::int64_t kMostApart = 64;

/// The buffers of scalable vectors that some access names by an index that is not constant.
class Indexed final : public ir::Visitor {
 public:
  std::set<const ir::BufferNode*> buffers;

 private:
  using Visitor::visit;

  void note(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices) {
    const auto varies = [](const ir::Expr& index) { return !ir::try_constant(index); };
    if (buffer->is_scalable && std::any_of(indices.begin(), indices.end(), varies)) {
      buffers.insert(buffer.get());
    }
  }
  void visit(const ir::VectorLoad& e) override {
    note(e.buffer, e.indices);
    Visitor::visit(e);
  }
  void visit(const ir::VectorStore& s) override {
    note(s.buffer, s.indices);
    Visitor::visit(s);
  }
};

/// All vectors one after the other. LLVM has no arrays of scalable ones.
llvm::AllocaInst* allocate_together(llvm::IRBuilder<>& entry, const ir::BufferNode& buffer) {
  llvm::Value* bytes =
      entry.CreateMul(entry.CreateVScale(entry.getInt64(1)),
                      entry.getInt64(static_cast<std::uint64_t>(buffer.size_bytes())));
  return entry.CreateAlloca(entry.getInt8Ty(), bytes, buffer.name);
}

void bind_vectors(llvm::IRBuilder<>& entry, const ir::BufferNode& buffer, bool is_indexed,
                  Bindings& bindings) {
  const std::int64_t lanes = buffer.shape.back();
  const std::int64_t count = buffer.num_elements() / lanes;
  if (is_indexed || count > kMostApart) {
    llvm::AllocaInst* memory = allocate_together(entry, buffer);
    memory->setAlignment(kLanesAlignment);
    bindings.pointers[&buffer] = memory;
    return;
  }
  llvm::Type* type =
      memory_type(entry.getContext(), {buffer.type, {static_cast<int>(lanes), true}});
  std::vector<llvm::Value*>& vectors = bindings.vectors[&buffer];
  for (std::int64_t k = 0; k < count; ++k) {
    llvm::AllocaInst* memory = entry.CreateAlloca(type, nullptr, buffer.name);
    memory->setAlignment(kLanesAlignment);
    vectors.push_back(memory);
  }
}

}  // namespace

void bind_stack(llvm::IRBuilder<>& entry, const std::vector<ir::Buffer>& buffers,
                const ir::Stmt& body, Bindings& bindings) {
  Indexed indexed;
  indexed.walk(body);
  for (const ir::Buffer& buffer : buffers) {
    if (buffer->is_scalable) {
      bind_vectors(entry, *buffer, indexed.buffers.count(buffer.get()) != 0, bindings);
      continue;
    }
    llvm::Type* type = llvm::ArrayType::get(memory_type(entry.getContext(), buffer->type),
                                            static_cast<std::uint64_t>(buffer->num_elements()));
    llvm::AllocaInst* memory = entry.CreateAlloca(type, nullptr, buffer->name);
    memory->setAlignment(llvm::Align(static_cast<std::uint64_t>(allocation_alignment(*buffer))));
    bindings.pointers[buffer.get()] = memory;
  }
}

}  // namespace solway::codegen::detail
