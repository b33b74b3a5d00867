#include "codegen/llvm/detail/memory_plan.h"

#include <algorithm>

#include "lowering/ir/visitor.h"
#include "support/target.h"

namespace solway::codegen::detail {
namespace {

/// The allocated buffers, each once, in program order.
class AllocatedBuffers final : public ir::Visitor {
 public:
  std::vector<ir::Buffer> buffers;

 private:
  using Visitor::visit;
  void visit(const ir::Allocate& s) override {
    if (std::find(buffers.begin(), buffers.end(), s.buffer) == buffers.end()) {
      buffers.push_back(s.buffer);
    }
    Visitor::visit(s);
  }
};

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::int64_t allocation_alignment(const ir::BufferNode& buffer) {
  const std::int64_t element = size_bytes(buffer.type);
  const std::int64_t own = std::max<std::int64_t>(buffer.alignment_bytes, element);
  return buffer.size_bytes() < kArenaAlignment ? own : std::max(own, kArenaAlignment);
}

MemoryPlan plan_memory(const ir::Stmt& body, MainScope main_scope) {
  AllocatedBuffers allocated;
  allocated.walk(body);
  std::stable_partition(allocated.buffers.begin(), allocated.buffers.end(),
                        [](const ir::Buffer& buffer) { return buffer->scope == "register"; });
  MemoryPlan plan;
  std::int64_t stack_bytes = 0;
  for (const ir::Buffer& buffer : allocated.buffers) {
    const std::int64_t alignment = allocation_alignment(*buffer);
    const std::int64_t bytes = round_up(buffer->size_bytes(), alignment);
    const auto place = [&](std::vector<MemoryPlan::InArena>& all, std::int64_t& total) {
      const std::int64_t offset = round_up(total, std::max(alignment, kArenaAlignment));
      all.push_back({buffer, offset});
      total = offset + bytes;
    };
    const bool is_common = buffer->scope == "main" || buffer->scope == kSharedScope;
    if (main_scope == MainScope::OfTeam && is_common) {
      place(plan.in_common, plan.common_bytes);
      continue;
    }
    if (buffer->is_scalable || stack_bytes + bytes <= kStackBytes) {
      stack_bytes += bytes;
      plan.on_stack.push_back(buffer);
      continue;
    }
    place(plan.in_arena, plan.arena_bytes);
  }
  return plan;
}

}  // namespace solway::codegen::detail
