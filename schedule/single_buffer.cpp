#include "schedule/single_buffer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/buffer_depth.h"
#include "schedule/loop_paths.h"
#include "schedule/proof.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

void require_one_region(const State& state, const std::string& buffer, const Request& request) {
  require_buffer(*state.program, buffer, request);
  const Buffer& present = state.program->buffers.at(buffer);
  const auto refuse = [&](const std::string& what, const std::string& why, const std::string& fix) {
    throw ScheduleArgumentError({request.where, request.text + ": " + what, why, fix});
  };
  if (present.depth != 1) {
    refuse("'" + buffer + "' has " + std::to_string(present.depth) + " regions",
           "one of them is on its way while another one is used", "leave one of the two calls out");
  }
  if (loop_around(*state.program, state.order, buffer) < 0) {
    refuse("'" + buffer + "' is moved once",
           "its transfers stand outside all loops, so that no other iteration is there meanwhile",
           "place the buffer inside a loop, with at= or by what its region leaves out");
  }
}

/// The loops of `around`, and that of the nest inside of them in which `p` stands.
std::vector<LoopId> nest_of(const Placement& p, const std::vector<LoopId>& around) {
  std::vector<LoopId> out = around;
  if (p.path.size() > around.size()) out.push_back(p.path[around.size()]);
  return out;
}

/// Where the nests inside `around` that use a buffer begin and end, among the placements.
std::pair<std::size_t, std::size_t> uses_of(const State& state, const std::string& buffer,
                                            const std::vector<Placement>& placements,
                                            const std::vector<LoopId>& around) {
  std::size_t begin = placements.size();
  std::size_t end = 0;
  for (std::size_t k = 0; k < placements.size(); ++k) {
    const Placement& p = placements[k];
    const Statement& s = state.program->statement(p.statement);
    const bool is_use = starts_with(p.path, around) && !s.is_transfer() &&
                        (s.writes_to(buffer) || s.reads_from(buffer));
    if (!is_use) continue;
    begin = std::min(begin, k);
    end = k + 1;
  }
  if (end == 0) throw InternalError({{}, "nothing uses '" + buffer + "'", "", ""});
  const std::vector<LoopId> first = nest_of(placements[begin], around);
  const std::vector<LoopId> last = nest_of(placements[end - 1], around);
  const bool is_nest = first.size() > around.size();
  while (is_nest && begin > 0 && starts_with(placements[begin - 1].path, first)) --begin;
  const bool ends_nest = last.size() > around.size();
  while (ends_nest && end < placements.size() && starts_with(placements[end].path, last)) ++end;
  return {begin, end};
}

}  // namespace

State single_buffer(const State& state, const std::string& buffer, const SourceLoc& where,
                    const std::optional<LoopId>& across) {
  const Request request{"single_buffer(" + buffer + ")", where};
  require_one_region(state, buffer, request);
  const bool is_read = is_loaded(*state.program, buffer);
  const auto& statements = state.program->statements;
  if (is_read && statements.count(buffer + "_put_issue") != 0) {
    throw UnsupportedError({where, request.text + ": '" + buffer + "' is loaded and stored",
                            "its region would have to leave before the next tile is asked for",
                            "use double_buffer"});
  }
  const int loops = loops_across(*state.program, state.order, buffer, across, request);
  State out = state;
  std::vector<Placement>& all = out.order.placements;
  const auto at = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
    return p.statement == buffer + (is_read ? "_get_issue" : "_put_complete");
  });
  Placement moved = *at;
  moved.delay = is_read ? -1 : 1;
  moved.delayed = loops;
  all.erase(at);
  const auto [begin, end] = uses_of(out, buffer, all, moved.path);
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(is_read ? end : begin), std::move(moved));
  prove_order(out, request);
  log_depth(out, "single_buffer", buffer, {}, across, where);
  return out;
}

}  // namespace solway::schedule
