#include "schedule/buffer_write.h"

namespace solway::schedule {

BufferResult buffer_write(const State& state, const BufferRequest& request,
                          const SourceLoc& where) {
  return make_buffer(state, request, AccessKind::Writes, where);
}

}  // namespace solway::schedule
