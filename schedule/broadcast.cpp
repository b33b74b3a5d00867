#include "schedule/broadcast.h"

#include <memory>
#include <set>

#include "schedule/buffer_depth.h"
#include "schedule/shared_reads.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

/// Throws unless a group of cores can fill the buffer in parts.
void require_parts(const State& state, const Buffer& buffer, const Request& request) {
  if (!is_loaded(*state.program, buffer.name)) {
    throw ScheduleArgumentError({request.where,
                                 request.text + ": '" + buffer.name + "' is not loaded",
                                 buffer.primitive + " made it to be stored, and nothing reads '" +
                                     buffer.tensor + "' before it is written there",
                                 "share a buffer that buffer_read made"});
  }
  if (!state.program->statement(buffer.name + "_get_issue").copy->rows.empty()) {
    throw UnsupportedError({request.where,
                            request.text + ": '" + buffer.name + "' is loaded row by row",
                            "what is loaded is no box, which cores could divide among them",
                            "let each core load its own"});
  }
  std::set<int> dims;
  for (const BufferDim& dim : buffer.dims) {
    if (dim.wrap == 0 && dims.insert(dim.dim).second) continue;
    throw UnsupportedError({request.where, request.text + ": '" + buffer.name + "' is in panels",
                            "cores divide a region along a dimension of its tensor, which lies in "
                            "several places of this buffer",
                            "make the buffer without the layout of panels"});
  }
}

/// Throws unless parallel loops tell the cores apart, each with as many iterations for every core.
void require_lines(const State& state, const Buffer& buffer, const Request& request) {
  const std::vector<LoopId> loops = sharing_loops(state, buffer);
  if (loops.empty()) {
    const bool is_all = buffer.shared_by == SharedBy::All;
    const std::string of = is_all                              ? ""
                           : buffer.shared_by == SharedBy::Row ? " on columns"
                                                               : " on rows";
    throw ScheduleArgumentError(
        {request.where,
         request.text + ": no parallel loop" + of + " is around '" + buffer.name + "'",
         is_all ? "one core alone copies it"
                : "the cores of a " + to_string(buffer.shared_by) + " are told apart by a loop" +
                      of + " of the mesh",
         "parallelise first: s[" + buffer.stage + "].parallel(i, j, grid=(8, 8))"});
  }
  for (const LoopId id : loops) {
    const Loop& loop = state.order.loop(id);
    if (loop.depends_on_sizes) {
      throw UnsupportedError(
          {request.where,
           request.text + ": the extent of '" + loop.name + "' is known in each call only",
           "whether every core has as many iterations decides if all of them "
           "come to the exchange",
           "share buffers of loops with a constant extent"});
    }
    if (loop.parts == 0 || loop.extent() % loop.parts == 0) continue;
    throw ScheduleArgumentError(
        {request.where,
         request.text + ": the " + std::to_string(loop.extent()) + " iterations of '" + loop.name +
             "' do not divide evenly among " + std::to_string(loop.parts) + " " + loop.hardware +
             "s",
         "some cores would make fewer copies, and leave the others waiting for their parts",
         "split so that '" + loop.name + "' has a multiple of " + std::to_string(loop.parts) +
             " iterations, or share it out over a number of cores that divides them"});
  }
}

}  // namespace

std::string to_string(SharedBy shared) {
  switch (shared) {
    case SharedBy::Core:
      return "core";
    case SharedBy::Row:
      return "row";
    case SharedBy::Column:
      return "column";
    case SharedBy::All:
      return "all";
  }
  return "";
}

State broadcast(const State& state, const std::string& buffer, SharedBy over,
                const SourceLoc& where) {
  const Request request{"broadcast(" + buffer + ", over=\"" + to_string(over) + "\")", where};
  require_buffer(*state.program, buffer, request);
  State out = state;
  auto program = std::make_shared<Program>(*state.program);
  Buffer& own = program->buffers.at(buffer);
  own.shared_by = over;
  own.shared_at = where;
  out.program = program;
  require_parts(out, own, request);
  require_lines(out, own, request);
  require_shared_reads_legal(out, request);
  out.log.push_back({"broadcast",
                     own.stage,
                     {{"", StepText{"{" + buffer + "}"}}, {"over", to_string(over)}},
                     {},
                     where});
  return out;
}

}  // namespace solway::schedule
