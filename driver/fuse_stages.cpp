#include "driver/fuse_stages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "driver/blocks_of_rows.h"
#include "driver/needs_apart.h"
#include "driver/neighbours.h"
#include "driver/refusal.h"
#include "driver/rows_together.h"
#include "memory_planner/reuse.h"
#include "memory_planner/vector_plan.h"
#include "memory_planner/vector_plan_cost.h"
#include "memory_planner/vector_stage.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/split.h"
#include "support/error.h"
#include "support/isl_context.h"
#include "support/isl_ext.h"

namespace solway::driver {
namespace {

using schedule::LoopId;
using schedule::State;
using schedule::StatementKind;

const dsl::Tensor* stage_or_null(const State& state, const std::string& name) {
  const auto& stages = state.program->stages;
  const auto at =
      std::find_if(stages.begin(), stages.end(), [&](const auto& t) { return t->name == name; });
  return at == stages.end() ? nullptr : &*at;
}

class Fuser {
 public:
  Fuser(const State& state, const Target& target, const SourceLoc& where,
        std::set<std::string> in_most_rows = {})
      : target_(target),
        where_(where),
        in_most_rows_(std::move(in_most_rows)),
        out_{state, {}, {}, {}, {}} {
    for (const std::string& name : names()) {
      if (!is_touched(state, name)) untouched_.insert(name);
    }
  }

  FusedStages run() {
    for (const std::string& name : names()) inline_stage(name);
    std::vector<std::string> all = names();
    std::reverse(all.begin(), all.end());
    for (const std::string& name : all) place_stage(name);
    waiting_ = between_stages();
    if (bytes_of(waiting_) > memory_planner::caches_of(target_).second_bytes) {
      for (const std::string& name : all) place_in_batch(name);
    }
    return std::move(out_);
  }

  std::vector<RowChain> row_chains() {
    std::map<std::string, RowChain> by_host;
    std::vector<std::string> all = names();
    for (auto name = all.rbegin(); name != all.rend(); ++name) {
      const auto place = place_of(*name);
      if (!place) continue;
      const auto& [host, level] = *place;
      const std::vector<LoopId>& loops = out_.state.stage_loops.at(host);
      const auto rows = static_cast<std::size_t>(std::find(loops.begin(), loops.end(), level) -
                                                 loops.begin() + 1);
      if (!move(*name, host, level)) continue;
      RowChain& chain = by_host.try_emplace(host, RowChain{host, {}, rows}).first->second;
      chain.members.insert(chain.members.begin(), *name);
      chain.rows = std::min(chain.rows, rows);
    }
    std::vector<RowChain> out;
    for (auto& [host, chain] : by_host) out.push_back(std::move(chain));
    return out;
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const dsl::Tensor& stage : out_.state.program->stages) out.push_back(stage->name);
    return out;
  }

  bool is_free(const std::string& name) const { return untouched_.count(name) != 0; }

  /// Applies a primitive; a refused one leaves all as it was, with a remark.
  template <typename Make>
  bool attempt(const std::string& name, const std::string& verdict, const Make& make) {
    const auto apply = [&] {
      out_.state = make();
      return true;
    };
    return unless_refused(apply, [&](const Error& error) {
      out_.remarks.push_back({"auto_schedule of '" + name + "'", verdict,
                              error.report().what + ": " + error.report().why, where_});
      return false;
    });
  }

  bool may_move(const std::string& name) const {
    if (!is_movable(out_.state, name) || !is_free(name)) return false;
    const std::vector<std::string> readers = readers_of(out_.state, name);
    return !readers.empty() && std::all_of(readers.begin(), readers.end(),
                                           [&](const auto& reader) { return is_free(reader); });
  }

  void inline_stage(const std::string& name) {
    if (!may_move(name)) return;
    const std::vector<std::string> statements = schedule::statements_of(out_.state, name);
    const bool is_plain =
        statements.size() == 1 &&
        out_.state.program->statement(statements[0]).kind == StatementKind::Compute;
    if (!is_plain || !is_named_once(out_.state, name)) return;
    const std::string reader = readers_of(out_.state, name).front();
    const double cycles = pass_cycles(name);
    const bool done = attempt(name, "computed by itself",
                              [&] { return schedule::compute_inline(out_.state, name, where_); });
    if (!done) return;
    decide(name, "in the expression of " + reader, cycles);
  }

  /// Cycles to store what a stage computes and to load it again.
  double pass_cycles(const std::string& name) const {
    return memory_planner::cycles_of_pass(out_.state, name, target_);
  }

  void decide(const std::string& name, const std::string& chosen, double saved) {
    out_.decisions.push_back({name,
                              {"where " + name + " is computed", chosen, 0,
                               "by itself, stored and loaded again", saved, ""}});
  }

  void place_stage(const std::string& name) {
    const auto place = place_of(name);
    if (!place) return;
    auto [host, level] = *place;
    const double cycles = pass_cycles(name);
    if (!move_several_rows(name, host, level) && !move(name, host, level)) return;
    decide(name, "in loop " + schedule::loop_name(out_.state, level) + " of " + host, cycles);
  }

  /// Computes a stage for several rows of its host, where that pays, in the loop over blocks of
  /// these, which `level` becomes. All stages in that loop compute as many.
  bool move_several_rows(const std::string& name, const std::string& host, LoopId& level) {
    const auto known = several_rows_.find(host);
    if (known != several_rows_.end()) {
      level = known->second;
      return move(name, host, level);
    }
    if (is_host(host)) return false;
    RowsTogether rows = rows_together(out_.state, host, level, target_);
    if (in_most_rows_.count(host) != 0) rows.count = rows.most;
    if (rows.most > 1) out_.rows[host] = rows;
    if (rows.count < 2) return false;
    const State before = out_.state;
    LoopId blocks = level;
    const bool done = attempt(name, "computed row by row", [&] {
      schedule::SplitResult made = schedule::split(out_.state, host, level, rows.count, where_);
      blocks = made.outer;
      return schedule::compute_at(made.state, name, host, blocks, where_);
    });
    if (!done || !keep_if_in_vectors(before, name, host, blocks)) return false;
    several_rows_[host] = level = blocks;
    return true;
  }

  /// Whether stages were placed in this one.
  bool is_host(const std::string& name) const {
    return std::any_of(out_.hosts.begin(), out_.hosts.end(),
                       [&](const auto& named) { return named.second == name; });
  }

  /// Where a stage that is no product can be computed: a host, and its loop.
  std::optional<std::pair<std::string, LoopId>> place_of(const std::string& name) const {
    if (!may_move(name) || memory_planner::is_product(out_.state, name)) return std::nullopt;
    const std::optional<std::string> host = host_of(readers_of(out_.state, name));
    if (!host || !is_free(*host) || memory_planner::is_product(out_.state, *host)) {
      return std::nullopt;
    }
    const std::optional<LoopId> level = deepest_level(out_.state, name, *host, Sharing::OfOperands);
    if (!level) return std::nullopt;
    return std::pair(*host, *level);
  }

  bool is_slanted(const State& state, const std::string& name) const {
    const std::vector<bool> late = memory_planner::describe_stage(state, name, target_).starts_late;
    return std::find(late.begin(), late.end(), true) != late.end();
  }

  /// A stage computed there. Of a product of which a slanted part is needed, as of scores that see
  /// nothing behind them, the box around that, whose tiles are whole.
  State computed_at(const State& state, const std::string& name, const std::string& host,
                    LoopId level) const {
    State out = schedule::compute_at(state, name, host, level, where_);
    const bool is_slant = memory_planner::is_product(state, name) && !is_slanted(state, name) &&
                          is_slanted(out, name);
    if (!is_slant) return out;
    return schedule::compute_at(state, name, host, level, where_, schedule::TileRegion::Box);
  }

  /// Computes a stage there, unless that is refused or takes vectors from it or the host.
  bool move(const std::string& name, const std::string& host, LoopId level) {
    const State before = out_.state;
    const bool done = attempt(name, "computed by itself",
                              [&] { return computed_at(out_.state, name, host, level); });
    return done && keep_if_in_vectors(before, name, host, level);
  }

  bool keep_if_in_vectors(const State& before, const std::string& name, const std::string& host,
                          LoopId level) {
    if (!keeps_neighbours(before, out_.state, name, host, level, target_)) {
      out_.state = before;
      if (!is_host(host)) out_.rows.erase(host);
      return false;
    }
    out_.hosts[name] = host;
    return true;
  }

  /// Stages that stand by themselves, and whose results others read.
  std::set<std::string> between_stages() const {
    std::set<std::string> out;
    for (const std::string& name : names()) {
      if (may_move(name) && out_.hosts.count(name) == 0) out.insert(name);
    }
    return out;
  }

  std::int64_t bytes_of(const std::set<std::string>& stages) const {
    std::int64_t bytes = 0;
    for (const std::string& name : stages) bytes += bytes_of_array(out_.state, name);
    return bytes;
  }

  /// One slice after the other, products too, where no slice needs what another one needs.
  void place_in_batch(const std::string& name) {
    if (waiting_.count(name) == 0) return;
    std::vector<std::string> outermost = readers_of(out_.state, name);
    for (std::string& reader : outermost) {
      for (auto at = out_.hosts.find(reader); at != out_.hosts.end();
           at = out_.hosts.find(reader)) {
        reader = at->second;
      }
    }
    const std::optional<std::string> host = host_of(outermost);
    if (!host || !is_free(*host) || *host == name) return;
    const std::optional<LoopId> slices = deepest_level(out_.state, name, *host, Sharing::OfNothing);
    if (!slices) return;
    const double cycles = pass_cycles(name);
    if (place_in_blocks(name, *host, *slices, cycles)) return;
    const std::vector<LoopId> loops = out_.state.stage_loops.at(*host);
    // Outside of the deepest one, too, where that would leave a product no tiles.
    for (auto level = std::find(loops.begin(), loops.end(), *slices) + 1;
         level-- != loops.begin();) {
      const State before = out_.state;
      if (!move(name, *host, *level)) return;
      if (!takes_tiles(before, *host, cycles)) {
        decide(name,
               "slice by slice in loop " + schedule::loop_name(out_.state, *level) + " of " + *host,
               cycles);
        return;
      }
      out_.state = before;
      out_.hosts.erase(name);
      // Some rows of a slice in place of one.
      const bool is_outermost = level == loops.begin();
      if (!is_outermost && place_in_blocks(name, *host, *std::prev(level), cycles)) return;
    }
  }

  /// Whether a product loses more than `saved` cycles, as its tiles lie within a slice now: each
  /// row by itself reads all that the rows share.
  bool takes_tiles(const State& before, const std::string& host, double saved) const {
    if (!memory_planner::is_product(before, host)) return false;
    const auto cycles = [&](const State& state) {
      const auto stage = memory_planner::describe_stage(state, host, target_);
      return memory_planner::plan_vectors(stage, target_, 2).front().cycles;
    };
    return cycles(out_.state) > cycles(before) + saved;
  }

  /// Blocks of the rows of a slice that is too large for the cache, as the scores of attention for
  /// some rows of a head: the loop inside of `slices` is split once, for all that runs there.
  bool place_in_blocks(const std::string& name, const std::string& host, LoopId slices,
                       double cycles) {
    const std::optional<LoopId> rows = loop_inside(host, slices);
    if (!rows || !needs_differ(out_.state, name, host, *rows)) return false;
    const bool is_split = std::find(blocks_.begin(), blocks_.end(), *rows) != blocks_.end();
    const std::int64_t count =
        is_split ? 0 : rows_of_block(out_.state, host, *rows, waiting_, target_);
    if (!is_split && count == 0) return false;
    LoopId blocks = *rows;
    const bool done = attempt(name, "computed slice by slice", [&] {
      State state = out_.state;
      if (!is_split) {
        schedule::SplitResult made = schedule::split(state, host, *rows, count, where_);
        state = std::move(made.state);
        blocks = made.outer;
      }
      return computed_at(state, name, host, blocks);
    });
    if (!done) return false;
    if (!is_split) blocks_.push_back(blocks);
    out_.hosts[name] = host;
    decide(name,
           "block by block in loop " + schedule::loop_name(out_.state, blocks) + " of " + host,
           cycles);
    return true;
  }

  /// The next loop of a stage, where it is spatial and not the last.
  std::optional<LoopId> loop_inside(const std::string& host, LoopId outer) const {
    const std::vector<LoopId>& loops = out_.state.stage_loops.at(host);
    const auto at = std::find(loops.begin(), loops.end(), outer);
    if (loops.end() - at < 3) return std::nullopt;
    const LoopId next = *(at + 1);
    const bool is_spatial = out_.state.order.loop(next).kind == dsl::AxisKind::Spatial;
    return is_spatial ? std::optional(next) : std::nullopt;
  }

  /// The one stage in whose nest all of these run.
  std::optional<std::string> host_of(const std::vector<std::string>& readers) const {
    std::optional<std::string> out;
    for (const std::string& reader : readers) {
      const auto placed = out_.hosts.find(reader);
      const std::string& host = placed == out_.hosts.end() ? reader : placed->second;
      if (out && *out != host) return std::nullopt;
      out = host;
    }
    return out;
  }

  const Target& target_;
  SourceLoc where_;
  const std::set<std::string> in_most_rows_;
  FusedStages out_;
  std::set<std::string> untouched_;             ///< by the user
  std::set<std::string> waiting_;               ///< stages that may run in slices of others
  std::vector<LoopId> blocks_;                  ///< loops over blocks, of hosts
  std::map<std::string, LoopId> several_rows_;  ///< by host, its loop over blocks of short rows
};

}  // namespace

bool is_movable(const State& state, const std::string& name) {
  const dsl::Tensor* const stage = stage_or_null(state, name);
  if (stage == nullptr || (*stage)->tuple != nullptr || (*stage)->is_update() || (*stage)->self) {
    return false;
  }
  const auto at = state.program->arrays.find(name);
  return at != state.program->arrays.end() && !state.program->is_output(at->second) &&
         !state.program->is_updated(at->second) && !at->second.layout;
}

bool is_touched(const State& state, const std::string& stage) {
  return is_scheduled(state, stage) ||
         std::any_of(state.log.begin(), state.log.end(),
                     [&](const auto& step) { return step.stage == stage; });
}

bool is_scheduled(const State& state, const std::string& stage) {
  const bool has_step = std::any_of(state.log.begin(), state.log.end(), [&](const auto& step) {
    return step.stage == stage && step.primitive != "transform_layout" && step.primitive != "pad";
  });
  const auto& buffers = state.program->buffers;
  return has_step || std::any_of(buffers.begin(), buffers.end(), [&](const auto& named) {
           const std::vector<std::string>& also = named.second.also;
           return named.second.stage == stage ||
                  std::find(also.begin(), also.end(), stage) != also.end();
         });
}

std::vector<std::string> readers_of(const State& state, const std::string& stage) {
  std::vector<std::string> out;
  for (const dsl::Tensor& reader : state.program->stages) {
    const std::vector<std::string> statements = schedule::statements_of(state, reader->name);
    const bool reads = std::any_of(statements.begin(), statements.end(), [&](const auto& name) {
      return state.program->statement(name).reads_from(stage);
    });
    if (reads && reader->name != stage) out.push_back(reader->name);
  }
  return out;
}

std::optional<OnlyRead> only_read(const State& state, const std::string& stage) {
  std::optional<OnlyRead> out;
  for (const auto& [name, s] : state.program->statements) {
    if (s.stage == stage) continue;
    for (std::size_t slot = 0; slot < s.reads.size(); ++slot) {
      const schedule::Operand& operand = s.reads[slot];
      if (isl_ext::tuple_name(operand.relation, isl_ext::Dim::Range) != stage) continue;
      if (!operand.is_exact || s.is_transfer() || (out && out->statement != name)) {
        return std::nullopt;
      }
      const IslBudget budget(state.program->ctx(), kNeedsBudget);
      try {
        const bool is_alone = out ? operand.relation.is_equal(s.reads[out->slot].relation)
                                  : operand.relation.is_injective();
        if (!is_alone) return std::nullopt;
      } catch (const isl::exception_quota&) {
        return std::nullopt;
      }
      if (out) {
        ++out->times;
      } else {
        out = OnlyRead{name, slot};
      }
    }
  }
  return out;
}

bool is_named_once(const State& state, const std::string& stage) {
  const std::optional<OnlyRead> read = only_read(state, stage);
  return read && read->times == 1;
}

std::vector<RowChain> find_row_chains(const State& state, const Target& target,
                                      const SourceLoc& where) {
  return Fuser(state, target, where).row_chains();
}

FusedStages fuse_stages(const State& state, const Target& target, const SourceLoc& where,
                        const std::set<std::string>& in_most_rows) {
  return Fuser(state, target, where, in_most_rows).run();
}

}  // namespace solway::driver
