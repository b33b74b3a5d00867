#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/region.h"
#include "schedule/state.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// How a buffer gets the border of a tensor that copies another one with a border around it.
enum class Padding : std::uint8_t {
  Moved,  ///< the tensor is computed in main memory, and moved like any other
  Filled  ///< the border is computed in the buffer, the rest is moved from what the tensor copies
};

/// What a buffer is to hold, and where it stands.
struct BufferRequest {
  std::string stage;   ///< whose statements use it
  std::string tensor;  ///< the array that it holds a region of
  /// What varies inside; nullopt: whatever the loops inside the position touch.
  std::optional<Region> region;
  LoopId at = -1;           ///< the position: inside this loop; -1: outside all loops
  std::string scope;        ///< a memory of the target; "": the target's default
  std::vector<int> layout;  ///< tensor dimensions in the order of the buffer's; empty: as they are
  std::string text;         ///< the request as errors quote it: "buffer_read(B, [ki, yi])"
  unsigned long budget = kProgramBudget;  ///< isl operations of the analysis, and of the proof
  int depth = 1;                          ///< regions that it holds at once, see double_buffer
  /// The layout by loops, of which several may run along one dimension of the tensor: panels_of.
  std::vector<LoopId> loop_layout = {};
  std::string logged_as = {};  ///< the tensor's name in the log; "": that of the array
  Padding padding = Padding::Moved;
  /// The loop from one iteration to the next of which the tiles keep what they have in common: see
  /// sliding_window. -1: each tile is moved as a whole.
  LoopId slide = -1;
  /// Other stages that read through it, in the loop of the position; without a region only.
  std::vector<std::string> also = {};
  /// Which reads of the stage go to it, of a buffer that is read; the others go on as they are.
  ReferenceNumbers references = {};
  /// Bytes of the whole units in which a get may fill the buffer, see whole_units.h; 0: exactly
  /// what is read.
  std::int64_t align_bytes = 0;
};

struct BufferResult {
  State state;
  std::string buffer;  ///< its name
};

/// What buffer_read and buffer_write have in common: `kind` says which accesses of the stage go to
/// the buffer. Throws as buffer_read does.
BufferResult make_buffer(const State& state, const BufferRequest& request, AccessKind kind,
                         const SourceLoc& where);

}  // namespace solway::schedule
