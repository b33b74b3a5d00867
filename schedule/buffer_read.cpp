#include "schedule/buffer_read.h"

namespace solway::schedule {

BufferResult buffer_read(const State& state, const BufferRequest& request, const SourceLoc& where) {
  return make_buffer(state, request, AccessKind::Reads, where);
}

}  // namespace solway::schedule
