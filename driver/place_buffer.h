#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/buffer.h"

namespace solway::driver {

/// buffer_read and buffer_write as users call them: the position is found when they name none.
struct PlacedBuffer {
  std::string stage;
  std::string tensor;
  std::optional<schedule::Region> region;
  /// Inside this loop, of the stage or of one in whose loops it is computed.
  std::optional<schedule::LoopId> at;
  std::string scope;        ///< "": the target's default
  std::vector<int> layout;  ///< order of the tensor's dimensions; empty: as they are
  int depth = 1;            ///< regions that it holds at once
  std::vector<schedule::LoopId> loop_layout = {};  ///< the layout by loops: schedule::panels_of
  schedule::Padding padding = schedule::Padding::Moved;
  std::optional<schedule::LoopId> slide = {};
  std::vector<std::string> also = {};  ///< other stages that read through it, only with `at`
  schedule::ReferenceNumbers references = {};  ///< which reads of the stage go to it
  std::int64_t align_bytes = 0;                ///< of the units in which it may be filled
};

/// The stages that read the memory of that name, or for Writes those that store there, in program
/// order.
std::vector<std::string> users_of(const schedule::State& state, const std::string& storage,
                                  schedule::AccessKind kind);

/// The stage whose statements a buffer of `tensor` serves: `named`, the one whose loops the request
/// names, or "" when it names none, else the only one that uses this version of the memory. Throws
/// ScheduleArgumentError when there is none, or several.
std::string serving_stage(const schedule::State& state, schedule::AccessKind kind,
                          const dsl::Tensor& tensor, const std::string& named,
                          const SourceLoc& where);

/// The reads of a tensor in a stage's expression (schedule/references.h), in whichever layout it
/// is stored.
std::vector<schedule::Reference> references_of(const schedule::State& state,
                                               const std::string& stage, const std::string& tensor);

/// Of `loops`, those on which the accesses of a stage to a tensor depend: what a region may name.
/// `f // 4` does not depend on the inner loop of f by 4. `references`: of the reads only these.
schedule::Region varying_loops(const schedule::State& state, schedule::AccessKind kind,
                               const std::string& stage, const std::string& tensor,
                               const std::vector<schedule::LoopId>& loops,
                               const schedule::ReferenceNumbers& references = {});

/// Applies schedule::buffer_read or, for Writes, schedule::buffer_write, at the position that
/// `request` names or else the one that dma::position_of finds. Where an argument or an output has
/// another layout, the buffer holds it in that one, but for the stage that copies it. Throws
/// ScheduleArgumentError when there is neither a region nor a position, and what these throw.
schedule::BufferResult place_buffer(const schedule::State& state, schedule::AccessKind kind,
                                    const PlacedBuffer& request, const SourceLoc& where);

}  // namespace solway::driver
