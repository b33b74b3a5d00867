#include "schedule/detail/shared_request.h"

#include <string>

#include "schedule/shared_scope.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

const std::string kShared = std::string("scope=\"") + kSharedScope + "\"";

/// The argument of a request that only buffers of one core have, as users write it; "": none.
std::string argument_of_own_buffers(const BufferRequest& request) {
  if (request.padding == Padding::Filled) return "fill_padding";
  if (request.slide >= 0) return "slide";
  if (request.align_bytes > 0) return "align";
  return "";
}

/// What stands in the way of a buffer in scope "shared".
void require_shared(const BufferRequest& request, AccessKind kind, const SourceLoc& where) {
  if (kind == AccessKind::Writes) {
    throw UnsupportedError({where, request.text + ": nothing is stored through a shared buffer",
                            "one core fills such a buffer from main memory, and all of them read "
                            "it; what they compute they store from memory of their own",
                            "leave scope= out of buffer_write"});
  }
  const std::string argument = argument_of_own_buffers(request);
  if (argument.empty()) return;
  throw UnsupportedError({where, request.text + ": " + argument + "= of a shared buffer",
                          "it is filled with exactly what is read, tile by tile",
                          "leave " + argument + "= out, or scope="});
}

/// What stands in the way of a buffer that is filled from buffer `request.tensor`.
void require_source(const State& state, const BufferRequest& request, const SourceLoc& where) {
  const Buffer& source = state.program->buffers.at(request.tensor);
  if (!is_shared(state.program->array(source.name))) {
    throw ScheduleArgumentError(
        {where, request.text + ": '" + source.name + "' is in near memory already",
         source.primitive + " at " + source.where.to_string() +
             " made it for each core, which reads it where it is",
         "give '" + source.name + "' " + kShared + ", or pass '" + source.tensor + "'"});
  }
  if (request.scope == kSharedScope) {
    throw UnsupportedError({where, request.text + ": '" + source.name + "' is there already",
                            "no engine moves from there to there",
                            "leave scope= out: each core loads its part"});
  }
  std::string argument = argument_of_own_buffers(request);
  if (request.references) argument = "references";
  if (argument.empty()) return;
  throw UnsupportedError({where, request.text + ": " + argument + "= of what is in a shared buffer",
                          "of a buffer exactly what all its reads touch is loaded",
                          "leave " + argument + "= out, or buffer '" + source.tensor + "' itself"});
}

}  // namespace

void require_shared_request(const State& state, const BufferRequest& request, AccessKind kind,
                            const SourceLoc& where) {
  const auto source = state.program->buffers.find(request.tensor);
  // What compute_at keeps near is a stage's own, and no copy.
  const bool is_copy =
      source != state.program->buffers.end() && source->second.tensor != request.tensor;
  if (is_copy && kind == AccessKind::Reads) require_source(state, request, where);
  if (request.scope == kSharedScope) require_shared(request, kind, where);
}

}  // namespace solway::schedule
