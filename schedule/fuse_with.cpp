#include "schedule/fuse_with.h"

#include <algorithm>

#include "schedule/fusion.h"
#include "schedule/rewrite_loops.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

using Path = std::vector<LoopId>;

bool starts_with(const Path& path, const Path& prefix, std::size_t count) {
  return path.size() >= count &&
         std::equal(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(count),
                    path.begin());
}

/// Takes the statements of one stage out of the order and puts them into the loops of another.
class Fuser {
 public:
  Fuser(const State& state, std::string stage, std::string other, std::string request,
        const SourceLoc& where)
      : out_(state),
        stage_(std::move(stage)),
        other_(std::move(other)),
        request_(std::move(request)),
        where_(where) {}

  State run(LoopId axis) {
    theirs_ = longest_path(other_, axis);
    theirs_.erase(std::find(theirs_.begin(), theirs_.end(), axis) + 1, theirs_.end());
    const Path mine = longest_path(stage_, -1);
    if (mine.size() < theirs_.size()) {
      throw ScheduleArgumentError({where_, request_ + ": '" + stage_ + "' has too few loops",
                                   "it has " + std::to_string(mine.size()) + ", and '" +
                                       loop_name(out_, axis) + "' is loop " +
                                       std::to_string(theirs_.size()) + " of '" + other_ +
                                       "', counted from the outside",
                                   "name a loop further out, or split a loop of '" + stage_ + "'"});
    }
    for (std::size_t k = 0; k < theirs_.size(); ++k) pair_up(mine[k], theirs_[k]);
    move_statements();
    return std::move(out_);
  }

 private:
  /// The path of the stage's deepest statement, of those under `axis` when there is one.
  Path longest_path(const std::string& stage, LoopId axis) const {
    Path out;
    for (const std::string& name : statements_of(out_, stage)) {
      const Path& path = out_.order.placement_of(name).path;
      if (axis >= 0 && std::find(path.begin(), path.end(), axis) == path.end()) continue;
      if (path.size() > out.size()) out = path;
    }
    return out;
  }

  /// Lets loop `theirs` run what `mine` does.
  void pair_up(LoopId mine, LoopId theirs) {
    if (mine == theirs) return;
    const Loop from = out_.order.loop(mine);
    require_serial(from, request_, "fuse first, then mark", where_);
    Loop& to = out_.order.loops.at(theirs);
    for (const auto& [name, value] : from.value) {
      const std::string& owner = out_.program->statement(name).stage;
      if (owner != stage_ || to.value.count(name) != 0) {
        throw ScheduleArgumentError(
            {where_, request_ + ": '" + from.name + "' runs '" + owner + "' too",
             "the loops that are paired run '" + stage_ + "' alone",
             owner == stage_ ? "fission '" + from.name + "' first"
                             : "fuse '" + other_ + "' with '" + stage_ + "' instead"});
      }
      to.value.emplace(name, value);
    }
    join_coordinates(out_.order, to, from);
    to.begin = std::min(to.begin, from.begin);
    to.end = std::max(to.end, from.end);
    replace_in_paths(out_, {mine}, {theirs});
    replace_loop(out_, mine, request_, where_, {theirs});
  }

  /// Whether `stage_` computes what `other_` may read.
  bool is_first() const {
    for (const dsl::Tensor& stage : out_.program->stages) {
      if (stage->name == stage_) return true;
      if (stage->name == other_) return false;
    }
    return true;
  }

  /// Puts each statement beside those of the other stage in the same loops.
  void move_statements() {
    std::vector<Placement>& all = out_.order.placements;
    std::vector<Placement> moved;
    for (const std::string& name : statements_of(out_, stage_)) {
      moved.push_back(out_.order.placement_of(name));
    }
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Placement& p) {
                               return out_.program->statement(p.statement).stage == stage_;
                             }),
              all.end());
    const bool first = is_first();
    if (!first) std::reverse(moved.begin(), moved.end());
    for (Placement& p : moved) {
      std::size_t shared = 0;
      while (shared < theirs_.size() && starts_with(p.path, theirs_, shared + 1)) ++shared;
      const auto beside = [&](const Placement& q) {
        return out_.program->statement(q.statement).stage == other_ &&
               starts_with(q.path, theirs_, shared);
      };
      const auto at = first ? std::find_if(all.begin(), all.end(), beside)
                            : std::find_if(all.rbegin(), all.rend(), beside).base();
      all.insert(at, std::move(p));
    }
  }

  State out_;
  std::string stage_;
  std::string other_;
  std::string request_;
  SourceLoc where_;
  Path theirs_;  ///< the loops that are to run both, outermost first
};

}  // namespace

State fuse_with(const State& state, const std::string& stage, const std::string& other, LoopId axis,
                const SourceLoc& where) {
  require_loop(state, other, axis, "fuse_with", where);
  const std::string request = "fuse_with(" + other + ", " + loop_name(state, axis) + ")";
  if (stage == other) {
    throw ScheduleArgumentError({where, request + ": '" + stage + "' is fused with itself",
                                 "its statements are in its loops already", "name another stage"});
  }
  return proved(Fuser(state, stage, other, request, where).run(axis),
                {"fuse_with", stage, {{"", StepText{"{" + other + "}"}}, {"", axis}}, {}, where},
                {request, where});
}

}  // namespace solway::schedule
