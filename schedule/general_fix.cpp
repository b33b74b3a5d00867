#include "schedule/general_fix.h"

#include "schedule/sliding_window.h"
#include "support/target.h"

namespace solway::schedule {
namespace {

bool begins_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

std::string general_fix(const Program& program, const Request& request, const std::string& place) {
  const std::string leave_out = "leave out " + request.text;
  const auto is = [&](const std::string& primitive) {
    return begins_with(request.text, primitive + "(");
  };
  if (is("buffer_read") || is("buffer_write")) {
    return "pass at= with " + place + ", or leave the buffer out";
  }
  if (is("double_buffer") || is("prefetch") || is("single_buffer")) {
    return leave_out + ", or make the buffer with at= and " + place;
  }
  if (is("compute_at") || is("compute_inline")) {
    return leave_out + ": the stage is then computed where it was defined";
  }
  if (is("specialize")) {
    return leave_out + ", or state a condition whose iterations come before all others";
  }
  if (program.buffers.empty()) return leave_out;
  return "apply " + request.text + " before the buffer is made, or leave it out";
}

std::string general_order_fix(const Request& request) {
  return "leave out " + request.text + ": these iterations need the order that they have";
}

std::string private_buffer_fix(const Program& program, const std::string& array,
                               const std::string& loop) {
  const auto buffer = program.buffers.find(array);
  if (buffer == program.buffers.end()) {
    return "place '" + array + "' inside '" + loop + "' with compute_at";
  }
  if (program.statements.count(slide_of(array)) != 0) {
    return "leave slide= out of " + buffer->second.primitive + ", or split '" + loop +
           "' before it and let the inner loop carry the tiles of one core";
  }
  const bool is_read = buffer->second.primitive.rfind("buffer_read", 0) == 0;
  const std::string shared = std::string(", or scope=\"") + kSharedScope + "\" on a processor";
  return "pass at='" + loop + "' to " + buffer->second.primitive + (is_read ? shared : "") +
         ", or mark '" + loop + "' before it";
}

}  // namespace solway::schedule
