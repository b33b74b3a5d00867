#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/state.h"
#include "support/target.h"

namespace solway::memory_planner {

/// What generated code itself keeps in a scratchpad: stack frames, the parameters of the kernel and
/// the reply counters of its transfers.
inline constexpr std::int64_t kCodeBytes = 2048;

/// One buffer in near memory.
struct PlacedBuffer {
  std::string name;
  std::string tensor;
  std::string stage;
  std::vector<std::int64_t> shape;
  DType type = DType::Float32;
  std::int64_t size_bytes = 0;    ///< without what aligns the next one
  std::int64_t offset_bytes = 0;  ///< from the start of what buffers may use
  std::string lifetime;           ///< "in each iteration of k.o of C"
  int first_use = 0;  ///< position of the first statement that uses it, in textual order
  /// The statements during which it keeps its bytes: all of the nests that use it.
  int live_from = 0;
  int live_to = 0;
  std::string primitive;  ///< "buffer_read(B, [k.i, y.i])"
  SourceLoc where;
};

/// The buffers of one memory of a target.
struct ScratchpadLayout {
  std::string target;
  std::string scope;
  MemoryKind kind = MemoryKind::Scratchpad;
  std::int64_t capacity_bytes = 0;
  std::int64_t reserved_bytes = 0;    ///< kept by the system and by generated code
  std::int64_t alignment_bytes = 1;   ///< of each buffer's start: the memory's, and its engine's
  std::vector<PlacedBuffer> buffers;  ///< in the order of their first use
  std::int64_t total_bytes = 0;       ///< end of the last buffer
  std::int64_t live_bytes = 0;        ///< the most in use at one time: no layout needs less
  MemorySharing shared_by = MemorySharing::Core;

  std::int64_t available_bytes() const { return capacity_bytes - reserved_bytes; }
  /// Caches and registers hold what they can.
  bool has_hard_limit() const { return kind == MemoryKind::Scratchpad; }
  /// Whether buffers whose nests follow each other have bytes in common.
  bool shares_bytes() const;
  bool fits() const { return !has_hard_limit() || total_bytes <= available_bytes(); }
};

/// Gives each buffer its bytes. In a scratchpad of one core, buffers of different nests share them;
/// in one of several cores, which may not all be in the same nest, in a cache or in registers they
/// stand one behind the other.
void assign_offsets(ScratchpadLayout& layout);

/// Whether two stages have a loop at the root in common.
bool share_a_nest(const schedule::State& state, const std::string& a, const std::string& b);

/// The bytes that buffers take from the nests of `stage`, in whole alignments.
std::int64_t bytes_beside(const schedule::State& state, const ScratchpadLayout& layout,
                          const std::string& stage);

/// One layout for each memory that a buffer of `state` is in, the target's default memory first,
/// which is there even without a buffer. Throws UnsupportedError for a buffer in a memory that the
/// target does not have, or in one of all cores that it does not fill.
std::vector<ScratchpadLayout> lay_out(const schedule::State& state, const Target& target,
                                      const SourceLoc& where);

}  // namespace solway::memory_planner
