#include "schedule/buffer_depth.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "schedule/buffer_slots.h"
#include "schedule/proof.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

bool has_transfer(const Program& program, const std::string& transfer) {
  return program.statements.count(transfer + "_issue") != 0;
}

/// Puts both ends of a transfer that single_buffer has moved apart beside each other: with several
/// regions a tile is on its way while the one before is used, from its first use on.
void join_transfers(Order& order, const std::string& buffer) {
  std::vector<Placement>& all = order.placements;
  const auto place_of = [&](const std::string& statement) {
    return std::find_if(all.begin(), all.end(),
                        [&](const Placement& p) { return p.statement == statement; });
  };
  const auto try_take = [&](const std::string& statement) -> std::optional<Placement> {
    const auto at = place_of(statement);
    if (at == all.end() || at->delay == 0) return std::nullopt;
    Placement out = std::move(*at);
    all.erase(at);
    return out;
  };
  if (auto issue = try_take(buffer + "_get_issue")) {
    all.insert(place_of(buffer + "_get_complete"), *std::move(issue));
  }
  if (auto complete = try_take(buffer + "_put_complete")) {
    all.insert(place_of(buffer + "_put_issue") + 1, *std::move(complete));
  }
}

}  // namespace

bool is_loaded(const Program& program, const std::string& buffer) {
  return has_transfer(program, buffer + "_get");
}

BufferDepth depth_of(const Program& program, const std::string& buffer, int depth) {
  if (!is_loaded(program, buffer)) return {depth, 0};
  if (!has_transfer(program, buffer + "_put")) return {depth, depth - 1};
  return {depth, depth / 2};
}

int loops_across(const Program& program, const Order& order, const std::string& buffer,
                 const std::optional<LoopId>& outermost, const Request& request) {
  if (!outermost) return 1;
  std::vector<LoopId> around;
  for (const Placement& p : order.placements) {
    const Statement& s = program.statement(p.statement);
    if (s.is_transfer() && s.copy->buffer == buffer) around = p.path;
  }
  const auto at = std::find(around.begin(), around.end(), *outermost);
  if (at == around.end()) {
    std::string names;
    for (const LoopId id : around) {
      names += (names.empty() ? "'" : ", '") + order.loop(id).name + "'";
    }
    const auto given = order.loops.find(*outermost);
    throw ScheduleArgumentError(
        {request.where,
         request.text + ": '" + (given == order.loops.end() ? "" : given->second.name) +
             "' is not around the transfers of '" + buffer + "'",
         names.empty() ? "they stand outside all loops" : "they stand in " + names,
         "pass one of the loops around them"});
  }
  for (auto inside = at + 1; inside != around.end(); ++inside) {
    if (!order.loop(*inside).depends_on_sizes) continue;
    throw UnsupportedError(
        {request.where,
         request.text + ": the extent of '" + order.loop(*inside).name + "' is known at run time",
         "iterations of several loops are counted as those of one, which would take a product of "
         "sizes",
         "pass a loop inside of which all extents are constant"});
  }
  return static_cast<int>(around.end() - at);
}

void log_depth(State& state, const std::string& primitive, const std::string& buffer,
               const std::vector<std::pair<std::string, Step::Argument>>& more,
               const std::optional<LoopId>& across, const SourceLoc& where) {
  Step step{primitive, state.program->buffers.at(buffer).stage, {}, {}, where};
  step.arguments.emplace_back("", StepText{"{" + buffer + "}"});
  step.arguments.insert(step.arguments.end(), more.begin(), more.end());
  if (across) step.arguments.emplace_back("across", *across);
  state.log.push_back(std::move(step));
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

State with_depth(const State& state, const std::string& buffer, const BufferDepth& depth,
                 const Request& request) {
  require_depth(*state.program, state.order, buffer, depth, request);
  State out = state;
  if (state.program->buffers.at(buffer).depth == 1) join_transfers(out.order, buffer);
  auto program = std::make_shared<Program>(*state.program);
  rotate_slots(*program, out.order, buffer, depth);
  adopt_program(out, program, request);
  return out;
}

}  // namespace solway::schedule
