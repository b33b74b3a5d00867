#include "schedule/buffer_depth.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "schedule/buffer_slots.h"
#include "schedule/legality.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

bool has_transfer(const Program& program, const std::string& transfer) {
  return program.statements.count(transfer + "_issue") != 0;
}

void require_buffer(const Program& program, const std::string& buffer, const Request& request) {
  if (program.buffers.count(buffer) != 0) return;
  std::string names;
  for (const auto& [name, one] : program.buffers)
    names += (names.empty() ? "'" : ", '") + name + "'";
  throw ScheduleArgumentError({request.where,
                               request.text + ": '" + buffer + "' is no buffer of this schedule",
                               names.empty() ? "it has no buffers" : "its buffers are " + names,
                               "pass what buffer_read or buffer_write returned"});
}

State with_depth(const State& state, const std::string& buffer, const BufferDepth& depth,
                 const Request& request) {
  require_depth(*state.program, state.order, buffer, depth, request);
  State out = state;
  auto program = std::make_shared<Program>(*state.program);
  rotate_slots(*program, out.order, buffer, depth.depth, depth.distance);
  adopt_program(out, program, request);
  return out;
}

}  // namespace

BufferDepth depth_of(const Program& program, const std::string& buffer, int depth) {
  if (!has_transfer(program, buffer + "_get")) return {depth, 0};
  if (!has_transfer(program, buffer + "_put")) return {depth, depth - 1};
  return {depth, depth / 2};
}

void require_depth(const Program& program, const Order& order, const std::string& buffer,
                   const BufferDepth& depth, const Request& request) {
  require_buffer(program, buffer, request);
  const std::string number = std::to_string(depth.depth);
  if (depth.depth < 1) {
    throw ScheduleArgumentError({request.where, request.text + ": the depth is not positive",
                                 "a buffer of " + number + " regions holds nothing",
                                 "pass a depth of at least 1"});
  }
  if (depth.depth > 1 && loop_around(program, order, buffer) < 0) {
    throw ScheduleArgumentError(
        {request.where, request.text + ": '" + buffer + "' is moved once",
         "its transfers stand outside all loops, so that there is no iteration to be early for",
         "place the buffer inside a loop, with at= or by what its region leaves out"});
  }
}

State double_buffer(const State& state, const std::string& buffer, const SourceLoc& where) {
  const Request request{"double_buffer(" + buffer + ")", where};
  require_buffer(*state.program, buffer, request);
  State out = with_depth(state, buffer, depth_of(*state.program, buffer, 2), request);
  out.log.push_back({"double_buffer",
                     state.program->buffers.at(buffer).stage,
                     {{"", StepText{"{" + buffer + "}"}}},
                     {},
                     where});
  return out;
}

State prefetch(const State& state, const std::string& buffer, int distance,
               const SourceLoc& where) {
  const Request request{"prefetch(" + buffer + ", distance=" + std::to_string(distance) + ")",
                        where};
  require_buffer(*state.program, buffer, request);
  const Buffer& present = state.program->buffers.at(buffer);
  if (!has_transfer(*state.program, buffer + "_get")) {
    throw ScheduleArgumentError({where, request.text + ": '" + buffer + "' is not loaded",
                                 present.primitive + " made it to be stored, and nothing reads '" +
                                     present.tensor + "' before it is written there",
                                 "use double_buffer, which lets it be stored during the next "
                                 "iteration"});
  }
  if (distance < 0) {
    throw ScheduleArgumentError({where, request.text + ": the distance is negative",
                                 "nothing is loaded after it is used",
                                 "pass how many iterations early to load it"});
  }
  State out = with_depth(state, buffer, {std::max(present.depth, distance + 1), distance}, request);
  out.log.push_back({"prefetch",
                     present.stage,
                     {{"", StepText{"{" + buffer + "}"}}, {"distance", std::int64_t{distance}}},
                     {},
                     where});
  return out;
}

}  // namespace solway::schedule
