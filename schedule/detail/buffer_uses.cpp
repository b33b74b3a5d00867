#include "schedule/detail/buffer_uses.h"

#include <algorithm>
#include <iterator>

#include "schedule/footprint.h"
#include "schedule/loop_paths.h"
#include "schedule/shared_scope.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

class UseFinder {
 public:
  UseFinder(const State& state, const BufferRequest& request, AccessKind kind,
            const SourceLoc& where)
      : state_(state), request_(request), kind_(kind), where_(where) {}

  BufferUses run() {
    keep_inside(find_accesses());
    resolve_region();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({where_, request_.text + ": " + what, why, fix});
  }

  const std::vector<LoopId>& path_of(const Access& access) const {
    return state_.order.placement_of(access.statement).path;
  }

  /// All accesses of the stages.
  std::vector<Access> find_accesses() const {
    const std::string& tensor = request_.tensor;
    if (request_.references) {
      require_references(state_, request_.stage, tensor, *request_.references,
                         {request_.text, where_});
    }
    auto all = accesses_of(state_, request_.stage, tensor, kind_, request_.references);
    if (all.empty()) refuse_without_access(request_.stage);
    for (const std::string& stage : request_.also) {
      const auto more = accesses_of(state_, stage, tensor, kind_);
      if (more.empty()) refuse_without_access(stage);
      require_in_position(stage, more);
      all.insert(all.end(), more.begin(), more.end());
    }
    if (state_.program->array(tensor).kind == ArrayKind::Buffer && !is_shared_source(tensor)) {
      refuse("'" + tensor + "' is in near memory already",
             "compute_at keeps it there, tile by tile",
             "leave the buffer out, or call s[" + tensor + "].compute_root() first");
    }
    for (const Access& access : all) {
      require_exact_reads(state_.program->statement(access.statement), tensor, request_.text,
                          where_);
    }
    return all;
  }

  /// Whether `array` is a buffer that cores load their own from.
  bool is_shared_source(const std::string& array) const {
    return state_.program->buffers.count(array) != 0 && is_shared(state_.program->array(array));
  }

  /// Of several stages each has to stand in the loop of the position.
  void require_in_position(const std::string& stage, const std::vector<Access>& accesses) const {
    for (const Access& access : accesses) {
      if (contains(path_of(access), request_.at)) continue;
      refuse("'" + stage + "' does not run in '" + loop_name(state_, request_.at) + "'",
             "a buffer serves stages that stand in one loop",
             "compute '" + stage + "' there with compute_at, or give it a buffer of its own");
    }
  }

  [[noreturn]] void refuse_without_access(const std::string& stage) const {
    const std::string& tensor = request_.tensor;
    const bool is_read = kind_ == AccessKind::Reads;
    for (const auto& [name, buffer] : state_.program->buffers) {
      const bool serves = buffer.stage == stage || std::find(buffer.also.begin(), buffer.also.end(),
                                                             stage) != buffer.also.end();
      if (buffer.tensor != tensor || !serves) continue;
      refuse("'" + tensor + "' has a buffer already",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + name + "'",
             is_read ? "leave one of the two out, or say with references= which reads each serves"
                     : "one buffer of what it writes serves a stage; leave one of the two out");
    }
    refuse("'" + stage + "' does not " + (is_read ? "read '" : "write '") + tensor + "'",
           is_read ? "it is not in its expression" : "a stage writes the tensor that it defines",
           is_read ? "name a tensor that it reads" : "pass '" + stage + "'");
  }

  /// The accesses under the position, and the loops outside and inside of it.
  void keep_inside(const std::vector<Access>& all) {
    const bool is_read = kind_ == AccessKind::Reads;
    std::vector<LoopId> path, users;  // users: of what the buffer is for
    for (const Access& access : all) {
      const auto& own = path_of(access);
      if (own.size() > path.size()) path = own;
      // A recurrence may read its own elements further inside than it writes them.
      if ((is_read || access.is_write) && own.size() > users.size()) users = own;
    }
    if (request_.at >= 0 && !contains(users, request_.at)) {
      refuse("'" + loop_name(state_, request_.at) + "' is no loop around what " +
                 (is_read ? "reads '" : "writes '") + request_.tensor + "'",
             "these accesses stand inside " + names_of(state_, users), "name one of these loops");
    }
    for (const LoopId id : path) {
      if (request_.at < 0) break;
      out_.outside.push_back(id);
      if (id == request_.at) break;
    }
    const auto depth = static_cast<std::ptrdiff_t>(out_.outside.size());
    out_.inside.assign(path.begin() + depth, path.end());
    for (const Access& access : all) {
      const std::vector<LoopId>& own = path_of(access);
      if (!starts_with(own, out_.outside)) continue;
      out_.accesses.push_back(access);
      // Of several nests, the loops of each.
      std::copy_if(own.begin() + depth, own.end(), std::back_inserter(out_.inside),
                   [&](LoopId id) { return !contains(out_.inside, id); });
    }
  }

  /// Finds the dimensions that the region varies, and that nothing else varies inside.
  void resolve_region() {
    out_.loops_of_dim = dependent_loops(state_, out_.accesses);
    out_.varied.assign(out_.loops_of_dim.size(), false);
    if (!request_.region) return;
    std::set<LoopId> varying;
    for (const RegionItem& item : *request_.region) {
      for (const LoopId id : loops_of(item)) {
        if (!contains(out_.inside, id)) refuse_outside(state_, request_, out_.outside, id, where_);
        varying.insert(id);
      }
      take(item);
    }
    for (const std::set<LoopId>& loops : out_.loops_of_dim) {
      for (const LoopId id : loops) {
        if (!contains(out_.inside, id) || varying.count(id) != 0) continue;
        refuse("'" + request_.tensor + "' also varies with '" + loop_name(state_, id) + "'",
               "that loop lies inside the buffer's position but is not in the region",
               "add '" + loop_name(state_, id) + "' to the region, or reorder it outside");
      }
    }
  }

  /// Notes the dimensions that an item of the region varies.
  void take(const RegionItem& item) {
    bool is_found = runs_once(item);
    for (std::size_t k = 0; k < out_.loops_of_dim.size(); ++k) {
      if (!matches(state_, out_.accesses, item, static_cast<int>(k), out_.inside)) continue;
      out_.varied[k] = is_found = true;
    }
    if (is_found) return;
    refuse("'" + to_string(state_, item) + "' indexes no dimension of '" + request_.tensor + "'",
           item.loop >= 0 ? "no index of its accesses depends on that loop"
                          : "no index of its accesses is this expression plus what is fixed "
                            "outside the buffer",
           "name what varies in an index of '" + request_.tensor + "'");
  }

  /// A split by 1 leaves a loop of one iteration on which no index depends.
  bool runs_once(const RegionItem& item) const {
    return item.loop >= 0 && state_.order.loop(item.loop).extent() <= 1;
  }

  const State& state_;
  const BufferRequest& request_;
  AccessKind kind_;
  const SourceLoc& where_;
  BufferUses out_;
};

}  // namespace

BufferUses uses_of(const State& state, const BufferRequest& request, AccessKind kind,
                   const SourceLoc& where) {
  return UseFinder(state, request, kind, where).run();
}

void refuse_outside(const State& state, const BufferRequest& request,
                    const std::vector<LoopId>& outside, LoopId id, const SourceLoc& where) {
  throw ScheduleArgumentError(
      {where, request.text + ": '" + loop_name(state, id) + "' does not lie inside the buffer",
       "the buffer stands inside " + names_of(state, outside) + " and holds what varies further in",
       "leave it out of the region, or choose a position outside of it"});
}

}  // namespace solway::schedule
