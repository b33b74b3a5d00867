#include "schedule/compute_at.h"

#include <algorithm>
#include <optional>
#include <set>

#include "schedule/compute_root.h"
#include "schedule/footprint.h"
#include "schedule/fusion.h"
#include "schedule/loop_paths.h"
#include "schedule/nested_statement.h"
#include "schedule/padded_copy.h"
#include "schedule/position.h"
#include "schedule/proof.h"
#include "schedule/region.h"
#include "schedule/rewrite_loops.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

isl::map united(const isl::map& a, const isl::map& b) {
  return a.is_null() ? b : a.unite(b).coalesce();
}

/// Moves one stage, and what stands in its loops, into a loop of another.
class Placer {
 public:
  Placer(const State& state, const std::string& stage, const std::string& consumer, LoopId axis,
         const Request& request, TileRegion region, const std::string& scope)
      : before_(state),
        region_(region),
        scope_(scope),
        out_(state),
        stage_(stage),
        consumer_(consumer),
        request_(request),
        program_(std::make_shared<Program>(*state.program)) {
    find_prefix(axis);
    find_family();
    find_readers();
  }

  State run() {
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      find_need();
      make_tiles();
      for (const std::string& name : family_) nest(name);
      for (const std::string& name : readers_) redirect(name);
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    move_placements();
    adopt_program(out_, program_, request_);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  const Statement& statement(const std::string& name) const {
    return before_.program->statement(name);
  }
  const std::vector<LoopId>& path_of(const std::string& name) const {
    return before_.order.placement_of(name).path;
  }

  /// The loops from the root down to `axis`.
  void find_prefix(LoopId axis) {
    for (const std::string& name : statements_of(before_, consumer_)) {
      const std::vector<LoopId>& path = path_of(name);
      const auto at = std::find(path.begin(), path.end(), axis);
      if (at == path.end() || statement(name).serves_buffer()) continue;
      prefix_.assign(path.begin(), at + 1);  // of the last one, which has all loops
    }
  }

  /// The stage's statements and all that stand in its loops.
  void find_family() {
    const std::vector<std::string> own = statements_of(before_, stage_);
    if (own.empty()) {
      refuse("'" + stage_ + "' is inlined", "none of its statements is left",
             "leave out its compute_inline()");
    }
    std::set<LoopId> loops;
    for (const std::string& name : own) {
      loops.insert(path_of(name).begin(), path_of(name).end());
    }
    own_loops_.assign(loops.begin(), loops.end());
    for (const Placement& p : before_.order.placements) {
      const bool inside = std::any_of(p.path.begin(), p.path.end(),
                                      [&](LoopId id) { return loops.count(id) != 0; });
      const std::string& stage = statement(p.statement).stage;
      if (!inside && stage != stage_) continue;
      if (stage == consumer_) {
        refuse("'" + stage_ + "' and '" + consumer_ + "' run in the same loops",
               "fuse_with joined them", "leave fuse_with out");
      }
      if (stage != stage_ && !statement(p.statement).origin) {
        refuse("'" + stage_ + "' shares its loops", "'" + stage + "' runs in them as well",
               "call compute_root() of '" + stage + "' first");
      }
      family_.push_back(p.statement);
    }
    for (const std::string& name : own) {
      if (statement(name).serves_buffer()) refuse_buffer(statement(name).served_buffer());
      for (const Write& write : statement(name).writes) {
        homes_.insert(isl_ext::tuple_name(write.relation, Dim::Range));
      }
    }
    for (const LoopId id : own_loops_) {
      if (before_.order.loop(id).mark != LoopMark::Parallel) continue;
      refuse("'" + loop_name(before_, id) + "' of '" + stage_ + "' is parallel",
             "a core computes its tile alone", "make a loop of '" + consumer_ + "' parallel");
    }
  }

  [[noreturn]] void refuse_buffer(const std::string& name) const {
    const Buffer& buffer = before_.program->buffers.at(name);
    refuse("a buffer depends on '" + stage_ + "'",
           buffer.primitive + " at " + buffer.where.to_string() + " made '" + buffer.name + "'",
           "place the stage first, then make its buffers");
  }

  void find_readers() {
    for (const std::string& home : homes_) {
      const Array& array = before_.program->array(home);
      if (array.kind != ArrayKind::Tensor) continue;
      if (before_.program->is_input(array) || before_.program->is_output(array)) {
        refuse("'" + stage_ + "' is an output", "the caller reads all of it",
               "place the stages that it reads");
      }
    }
    for (const Placement& p : before_.order.placements) {
      const Statement& s = statement(p.statement);
      if (std::count(family_.begin(), family_.end(), s.name) != 0) {
        require_no_self_read(s);
        continue;
      }
      const auto is_home = [&](const std::string& home) { return s.reads_from(home); };
      for (const std::string& home : homes_) {
        if (!s.writes_to(home)) continue;
        refuse("'" + home + "' is changed in place", "'" + s.stage + "' stores to it as well",
               "leave it as a stage");
      }
      if (std::none_of(homes_.begin(), homes_.end(), is_home)) continue;
      if (s.serves_buffer()) refuse_buffer(s.served_buffer());
      if (!starts_with(p.path, prefix_)) {
        refuse("'" + s.stage + "' reads '" + stage_ + "' outside of '" +
                   loop_name(before_, prefix_.back()) + "'",
               "a tile is there only inside the loop that computes it",
               "name a loop around all that read '" + stage_ + "'");
      }
      readers_.push_back(s.name);
    }
    if (readers_.empty()) throw InternalError({{}, "nothing reads '" + stage_ + "'", "", ""});
    position_.emplace(before_, prefix_, std::set<std::string>(readers_.begin(), readers_.end()));
  }

  void require_no_self_read(const Statement& s) const {
    if (s.kind != StatementKind::Compute || s.stage != stage_) return;
    for (const Write& write : s.writes) {
      const std::string home = isl_ext::tuple_name(write.relation, Dim::Range);
      if (!s.reads_from(home)) continue;
      throw UnsupportedError({request_.where, request_.text + ": '" + stage_ + "' reads itself",
                              "a tile of it would need all elements before it",
                              "leave it as a stage, or fuse_with its reader"});
    }
  }

  isl::multi_pw_aff position_of(const std::string& reader) const { return position_->of(reader); }

  /// { [position] -> T[element] } in one piece: the exact set when it is convex, else a box.
  isl::map in_one_piece(const isl::map& elements, const std::string& home) const {
    if (region_ == TileRegion::Exact && elements.n_basic_map() <= 1) return elements;
    isl::set written;
    for (const std::string& name : family_) {
      for (const Write& write : statement(name).writes) {
        if (isl_ext::tuple_name(write.relation, Dim::Range) != home) continue;
        const isl::set range = write.relation.range();
        written = written.is_null() ? range : written.unite(range);
      }
    }
    return box_around(elements).intersect_range(written.coalesce()).coalesce();
  }

  /// What each position needs: elements of the tensors, and the instances that compute them.
  void find_need() {
    std::map<std::string, isl::map> elements;
    for (const std::string& name : readers_) add_reads(name, position_of(name).as_map(), elements);
    for (auto& [home, map] : elements) map = in_one_piece(map, home);
    // What a nested reduction stores is needed by the statement after it: last statements first.
    for (auto name = family_.rbegin(); name != family_.rend(); ++name) {
      const Statement& s = statement(*name);
      if (s.stage != stage_) continue;
      isl::map instances;
      for (const Write& write : s.writes) {
        const auto used = elements.find(isl_ext::tuple_name(write.relation, Dim::Range));
        if (used == elements.end()) continue;
        instances = united(instances, used->second.apply_range(write.relation.reverse()));
      }
      if (instances.is_null()) {  // nothing reads what it stores
        const auto rank = static_cast<unsigned>(isl_ext::dim_count(s.domain, Dim::Range));
        instances = isl::map::empty(
            elements.begin()->second.domain().space().add_named_tuple(s.name, rank));
      }
      needed_.emplace(*name, instances);
      add_reads(*name, instances.reverse(), elements);
    }
    for (const std::string& name : family_) {
      if (statement(name).stage != stage_) needed_.emplace(name, need_of_guest(name));
    }
  }

  /// Adds what a statement reads of the homes; `at` is { S[iteration] -> [position] }.
  void add_reads(const std::string& name, const isl::map& at,
                 std::map<std::string, isl::map>& elements) const {
    for (const Operand& operand : statement(name).reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, Dim::Range);
      if (homes_.count(array) == 0) continue;
      const isl::map used = at.reverse().apply_range(operand.relation).coalesce();
      const auto known = elements.find(array);
      elements[array] = united(known == elements.end() ? isl::map() : known->second, used);
    }
  }

  /// What stands in the stage's loops runs where an instance of the stage does.
  isl::map need_of_guest(const std::string& guest) const {
    std::vector<LoopId> loops;
    for (const LoopId id : path_of(guest)) {
      if (contains(own_loops_, id)) loops.push_back(id);
    }
    isl::map places;
    for (const auto& [name, instances] : needed_) {
      const std::vector<LoopId>& path = path_of(name);
      if (statement(name).stage != stage_ || !starts_with(path, loops)) continue;
      places = united(places, instances.apply_range(values_of(before_, name, loops).as_map()));
    }
    return places.apply_range(values_of(before_, guest, loops)
                                  .as_map()
                                  .intersect_domain(statement(guest).domain)
                                  .reverse());
  }

  /// Each tensor of the stage becomes a tile.
  void make_tiles() {
    for (const std::string& home : homes_) {
      isl::map touched;
      for (const auto& [name, instances] : needed_) {
        for (const Write& write : statement(name).writes) {
          if (isl_ext::tuple_name(write.relation, Dim::Range) != home) continue;
          touched = united(touched, instances.apply_range(write.relation));
        }
      }
      Array& array = program_->arrays.at(home);
      Footprint tile = footprint_of(touched, request_.text,
                                    std::vector<bool>(array.shape.size(), true), request_.where);
      Buffer buffer;
      buffer.name = buffer.tensor = home;
      buffer.stage = stage_;
      buffer.dims = tile.dims;
      buffer.dim_names.resize(tile.dims.size());
      buffer.primitive = request_.text;
      buffer.where = request_.where;
      program_->buffers.insert_or_assign(home, std::move(buffer));
      array.kind = ArrayKind::Buffer;
      array.scope = scope_;
      array.shape = tile.sizes;
      for (std::size_t k = 0; k < tile.sizes.size(); ++k) {
        const auto dim = static_cast<int>(k);
        array.extent = isl_ext::drop_constraints(array.extent, dim, 1);
        array.extent = isl_ext::bound(array.extent, dim, 0, tile.sizes[k]);
      }
      tiles_.emplace(home, std::move(tile));
    }
  }

  /// Lets an access of an instance at `position` go to the tile.
  void to_tile(isl::map& relation, isl::multi_pw_aff& index,
               const isl::multi_pw_aff& position) const {
    const auto tile = tiles_.find(isl_ext::tuple_name(relation, Dim::Range));
    if (tile == tiles_.end()) return;
    index = cell_of(tile->second, index, position, tile->first);
    relation = index.as_map().intersect_domain(relation.domain());
  }

  void require_exact(const Statement& s) const {
    for (const std::string& home : homes_) {
      require_exact_reads(s, home, request_.text, request_.where);
    }
  }

  void redirect(const std::string& name) {
    Statement& s = program_->statements.at(name);
    require_exact(s);
    for (Operand& operand : s.reads) to_tile(operand.relation, operand.index, position_of(name));
  }

  void nest(const std::string& name) {
    const NestedStatement made =
        nested_statement(statement(name), needed_.at(name), position_->axes());
    Statement s = made.statement;
    require_exact(s);
    for (Write& write : s.writes) to_tile(write.relation, write.index, made.position);
    for (Operand& operand : s.reads) to_tile(operand.relation, operand.index, made.position);
    copy_coordinates(out_.order, name, name, made.inner);
    position_->give_values(out_.order, name, made.position);
    for (const LoopId id : path_of(name)) {
      const isl::pw_aff value = before_.order.loop(id).value.at(name).pullback(made.inner);
      const auto start = start_of(id);
      out_.order.loops.at(id).value.insert_or_assign(
          name, start ? value.sub(start->pullback(made.position)) : value);
    }
    program_->statements.insert_or_assign(name, std::move(s));
  }

  /// { [position] -> [first value] } of a loop that runs along one axis of the stage as it was
  /// written: it starts where the tile does. nullopt for any other loop.
  std::optional<isl::pw_aff> start_of(LoopId id) const {
    std::optional<isl::pw_aff> out;
    for (const std::string& name : family_) {
      const auto& values = before_.order.loop(id).value;
      const auto value = values.find(name);
      if (statement(name).stage != stage_ || value == values.end()) continue;
      const isl::multi_pw_aff& index = statement(name).writes[0].index;
      const Footprint& tile =
          tiles_.at(isl_ext::tuple_name(statement(name).writes[0].relation, Dim::Range));
      std::optional<isl::pw_aff> own;
      for (unsigned k = 0; k < index.size(); ++k) {
        const auto dim = static_cast<int>(k);
        if (value->second.plain_is_equal(index.at(dim))) own = isl::pw_aff(tile.offset.at(dim));
      }
      if (!own || (out && !out->plain_is_equal(*own))) return std::nullopt;
      out = own;
    }
    return out;
  }

  /// Puts the family before all that shares a loop inside the position with the first reader, and
  /// gives its loops the range that they have there.
  void move_placements() {
    std::vector<Placement> moved;
    auto& all = out_.order.placements;
    for (const Placement& p : before_.order.placements) {
      if (std::count(family_.begin(), family_.end(), p.statement) == 0) continue;
      Placement one{p.statement, prefix_, p.delay, p.delayed};
      one.path.insert(one.path.end(), p.path.begin(), p.path.end());
      moved.push_back(std::move(one));
    }
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Placement& p) {
                               return std::count(family_.begin(), family_.end(), p.statement) != 0;
                             }),
              all.end());
    auto at = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return std::count(readers_.begin(), readers_.end(), p.statement) != 0;
    });
    const std::size_t depth = prefix_.size();
    while (at != all.begin() && at->path.size() > depth && (at - 1)->path.size() > depth &&
           starts_with(
               (at - 1)->path,
               {at->path.begin(), at->path.begin() + static_cast<std::ptrdiff_t>(depth + 1)})) {
      --at;
    }
    all.insert(at, moved.begin(), moved.end());
    const auto domains = program_->domains();
    for (const LoopId id : own_loops_) {
      if (start_of(id)) set_range(out_.order.loops.at(id), domains);
    }
  }

  const State& before_;
  TileRegion region_;
  const std::string& scope_;
  State out_;
  const std::string& stage_;
  const std::string& consumer_;
  const Request& request_;
  std::shared_ptr<Program> program_;
  std::vector<LoopId> prefix_;        ///< the loops outside the position
  std::optional<Position> position_;  ///< inside these
  std::vector<LoopId> own_loops_;
  std::vector<std::string> family_;         ///< what moves, in textual order
  std::vector<std::string> readers_;        ///< what reads the stage, in textual order
  std::set<std::string> homes_;             ///< the arrays that the stage stores to
  std::map<std::string, isl::map> needed_;  ///< { [position] -> S[iteration] }
  std::map<std::string, Footprint> tiles_;  ///< by array
};

void require_stage(const State& state, const std::string& stage, const Request& request) {
  if (state.stage_loops.count(stage) != 0) return;
  throw ScheduleArgumentError({request.where, request.text + ": there is no stage '" + stage + "'",
                               "it is not computed in this schedule", "pass a computed tensor"});
}

}  // namespace

State compute_at(const State& state, const std::string& stage, const std::string& consumer,
                 LoopId axis, const SourceLoc& where, TileRegion region, const std::string& scope) {
  const bool known = state.order.loops.count(axis) != 0 || state.removed.count(axis) != 0;
  const Request request{"compute_at(" + consumer + ", " +
                            (known ? loop_name(state, axis) : std::string("axis")) + ")",
                        where};
  require_stage(state, stage, request);
  require_stage(state, consumer, request);
  require_loop(state, consumer, axis, request.text, where);
  require_not_filled(state, stage, request);
  State out = Placer(is_placed(state, stage) ? moved_to_root(state, stage, request) : state, stage,
                     consumer, axis, request, region, scope)
                  .run();
  Step step{"compute_at", stage, {{"", StepText{"{" + consumer + "}"}}, {"", axis}}, {}, where};
  if (region == TileRegion::Box) step.arguments.push_back({"region", std::string("box")});
  if (!scope.empty()) step.arguments.push_back({"scope", scope});
  out.log.push_back(std::move(step));
  return out;
}

std::vector<LoopId> legal_levels(const State& state, const std::string& stage,
                                 const std::string& consumer, const SourceLoc& where) {
  const Request request{"legal_levels(" + consumer + ")", where};
  require_stage(state, stage, request);
  require_stage(state, consumer, request);
  std::vector<LoopId> out;
  for (const LoopId axis : state.stage_loops.at(consumer)) {
    try {
      compute_at(state, stage, consumer, axis, where);
      out.push_back(axis);
    } catch (const ScheduleArgumentError&) {
      continue;
    } catch (const IllegalScheduleError&) {
      continue;
    } catch (const UnsupportedError&) {
      continue;
    }
  }
  return out;
}

}  // namespace solway::schedule
