#include "driver/place_buffer.h"

#include "dma/insertion.h"
#include "support/error.h"

namespace solway::driver {
namespace {

/// "buffer_read(B, [ki, yi], at=ko)"
std::string text_of(const schedule::State& state, schedule::AccessKind kind,
                    const PlacedBuffer& request) {
  std::string out = kind == schedule::AccessKind::Reads ? "buffer_read(" : "buffer_write(";
  out += request.tensor;
  if (request.region) out += ", " + schedule::to_string(state, *request.region);
  if (request.at) out += ", at=" + schedule::loop_name(state, *request.at);
  if (request.depth != 1) out += ", depth=" + std::to_string(request.depth);
  return out + ")";
}

}  // namespace

schedule::BufferResult place_buffer(const schedule::State& state, schedule::AccessKind kind,
                                    const PlacedBuffer& request, const SourceLoc& where) {
  schedule::BufferRequest placed;
  placed.stage = request.stage;
  placed.tensor = request.tensor;
  placed.region = request.region;
  placed.scope = request.scope;
  placed.layout = request.layout;
  placed.loop_layout = request.loop_layout;
  placed.depth = request.depth;
  placed.text = text_of(state, kind, request);
  if (request.region) {
    for (const schedule::RegionItem& item : *request.region) {
      for (const schedule::LoopId id : schedule::loops_of(item)) {
        schedule::require_loop(state, request.stage, id, placed.text, where);
      }
    }
  }
  for (const schedule::LoopId id : request.loop_layout) {
    schedule::require_loop(state, request.stage, id, placed.text, where);
  }
  if (request.at) {
    schedule::require_loop(state, request.stage, *request.at, placed.text, where);
    placed.at = *request.at;
  } else if (request.region) {
    placed.at = dma::position_of(state, request.stage, request.tensor, kind, *request.region,
                                 placed.text, where);
  } else {
    throw ScheduleArgumentError({where, placed.text + " has neither a region nor a position",
                                 "without a region the buffer holds what the loops inside touch",
                                 "pass the axes that vary inside, or at="});
  }
  return kind == schedule::AccessKind::Reads ? schedule::buffer_read(state, placed, where)
                                             : schedule::buffer_write(state, placed, where);
}

}  // namespace solway::driver
