#pragma once

#include <cstdint>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::codegen::detail {

/// Where the buffers that a kernel allocates live on the host.
struct MemoryPlan {
  struct InArena {
    ir::Buffer buffer;
    std::int64_t offset_bytes = 0;
  };
  std::vector<ir::Buffer> on_stack;  ///< kStackBytes together; those with constant indices end up
                                     ///< in registers
  std::vector<InArena> in_arena;     ///< disjoint; of a team each thread has its own
  std::int64_t arena_bytes = 0;
  std::vector<InArena> in_common;  ///< disjoint, of all threads of a team
  std::int64_t common_bytes = 0;
};

/// Whose memory a buffer of scope "main" or "shared" is: of a thread, as all others, or of its
/// team.
enum class MainScope : std::uint8_t { OfThread, OfTeam };

inline constexpr std::int64_t kStackBytes = std::int64_t{64} * 1024;
/// Of the arena and of its buffers: a cache line and a full vector.
inline constexpr std::int64_t kArenaAlignment = 64;

/// Buffers of scope "register" are placed first, then all others in program order, on the stack as
/// long as they fit. What a team has in common is never on a stack.
MemoryPlan plan_memory(const ir::Stmt& body, MainScope main_scope = MainScope::OfThread);

/// Alignment of an allocated buffer: its own, its element's or, from that size on, kArenaAlignment.
std::int64_t allocation_alignment(const ir::BufferNode& buffer);

}  // namespace solway::codegen::detail
