#include "schedule/compute_at.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "schedule/compute_root.h"
#include "schedule/detail/moved_stage.h"
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
#include "support/target.h"

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
        request_(request),
        program_(std::make_shared<Program>(*state.program)),
        moved_(moved_stage(state, stage, consumer, axis, request)),
        position_(state, moved_.outside, {moved_.readers.begin(), moved_.readers.end()}) {}

  State run() {
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      find_need();
      make_tiles();
      for (const std::string& name : moved_.family) nest(name);
      for (const std::string& name : moved_.readers) redirect(name);
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    move_placements();
    adopt_program(out_, program_, request_);
    return std::move(out_);
  }

 private:
  const Statement& statement(const std::string& name) const {
    return before_.program->statement(name);
  }
  const std::vector<LoopId>& path_of(const std::string& name) const {
    return before_.order.placement_of(name).path;
  }

  isl::multi_pw_aff position_of(const std::string& reader) const { return position_.of(reader); }

  /// { [position] -> T[element] } in one piece: the exact set when it is convex, else a box.
  isl::map in_one_piece(const isl::map& elements, const std::string& home) const {
    if (region_ == TileRegion::Exact && elements.n_basic_map() <= 1) return elements;
    isl::set written;
    for (const std::string& name : moved_.family) {
      for (const Write& write : statement(name).writes) {
        if (isl_ext::tuple_name(write.relation, Dim::Range) != home) continue;
        const isl::set range = write.relation.range();
        written = written.is_null() ? range : written.unite(range);
      }
    }
    const isl::map box = region_ == TileRegion::Whole ? whole_tile(elements) : box_around(elements);
    return box.intersect_range(written.coalesce()).coalesce();
  }

  /// { [position] -> T[element] }: as many elements at each position, from the first one on.
  isl::map whole_tile(const isl::map& elements) const {
    const auto rank = static_cast<std::size_t>(isl_ext::dim_count(elements, Dim::Range));
    const Footprint tile =
        footprint_of(elements, request_.text, std::vector<bool>(rank, true), request_.where);
    const isl::space space = elements.space();
    const isl::multi_aff position = space.domain_map_multi_aff();
    const isl::multi_aff element = space.range_map_multi_aff();
    isl::set inside = isl::set::universe(elements.wrap().space());
    for (std::size_t k = 0; k < rank; ++k) {
      const auto dim = static_cast<int>(k);
      const isl::aff first = tile.offset.at(dim);
      const isl::pw_aff from_first =
          isl::pw_aff(element.at(dim)).sub(isl::pw_aff(first).pullback(position));
      inside = inside.intersect(from_first.ge_set(from_first.scale(0)));
      if (first.is_cst()) continue;
      const isl::pw_aff size =
          from_first.scale(0).add_constant(isl::val(space.ctx(), tile.sizes[k]));
      inside = inside.intersect(from_first.lt_set(size));
    }
    return inside.unwrap().intersect_domain(elements.domain());
  }

  /// What each position needs: elements of the tensors, and the instances that compute them.
  void find_need() {
    std::map<std::string, isl::map> elements;
    for (const std::string& name : moved_.readers)
      add_reads(name, position_of(name).as_map(), elements);
    for (auto& [home, map] : elements) map = in_one_piece(map, home);
    // What a nested reduction stores is needed by the statement after it: last statements first.
    for (auto name = moved_.family.rbegin(); name != moved_.family.rend(); ++name) {
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
    for (const std::string& name : moved_.family) {
      if (statement(name).stage != stage_) needed_.emplace(name, need_of_guest(name));
    }
  }

  /// Adds what a statement reads of the homes; `at` is { S[iteration] -> [position] }.
  void add_reads(const std::string& name, const isl::map& at,
                 std::map<std::string, isl::map>& elements) const {
    for (const Operand& operand : statement(name).reads) {
      const std::string array = isl_ext::tuple_name(operand.relation, Dim::Range);
      if (moved_.homes.count(array) == 0) continue;
      const isl::map used = at.reverse().apply_range(operand.relation).coalesce();
      const auto known = elements.find(array);
      elements[array] = united(known == elements.end() ? isl::map() : known->second, used);
    }
  }

  /// What stands in the stage's loops runs where an instance of the stage does.
  isl::map need_of_guest(const std::string& guest) const {
    std::vector<LoopId> loops;
    for (const LoopId id : path_of(guest)) {
      if (contains(moved_.own_loops, id)) loops.push_back(id);
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
    for (const std::string& home : moved_.homes) {
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
    for (const std::string& home : moved_.homes) {
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
        nested_statement(statement(name), needed_.at(name), position_.axes());
    Statement s = made.statement;
    require_exact(s);
    for (Write& write : s.writes) to_tile(write.relation, write.index, made.position);
    for (Operand& operand : s.reads) to_tile(operand.relation, operand.index, made.position);
    copy_coordinates(out_.order, name, name, made.inner);
    position_.give_values(out_.order, name, made.position);
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
    for (const std::string& name : moved_.family) {
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
      if (std::count(moved_.family.begin(), moved_.family.end(), p.statement) == 0) continue;
      Placement one{p.statement, moved_.outside, p.delay, p.delayed};
      one.path.insert(one.path.end(), p.path.begin(), p.path.end());
      moved.push_back(std::move(one));
    }
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Placement& p) {
                               return std::count(moved_.family.begin(), moved_.family.end(),
                                                 p.statement) != 0;
                             }),
              all.end());
    auto at = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return std::count(moved_.readers.begin(), moved_.readers.end(), p.statement) != 0;
    });
    const std::size_t depth = moved_.outside.size();
    while (at != all.begin() && at->path.size() > depth && (at - 1)->path.size() > depth &&
           starts_with(
               (at - 1)->path,
               {at->path.begin(), at->path.begin() + static_cast<std::ptrdiff_t>(depth + 1)})) {
      --at;
    }
    all.insert(at, moved.begin(), moved.end());
    const auto domains = program_->domains();
    for (const LoopId id : moved_.own_loops) {
      if (start_of(id)) set_range(out_.order.loops.at(id), domains);
    }
  }

  const State& before_;
  TileRegion region_;
  const std::string& scope_;
  State out_;
  const std::string& stage_;
  const Request& request_;
  std::shared_ptr<Program> program_;
  MovedStage moved_;
  Position position_;                       ///< inside the loops that it moves into
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
  if (stage == consumer) {
    throw ScheduleArgumentError({where, request.text + ": '" + stage + "' is placed in itself",
                                 "a stage is computed in the loops of one that reads it",
                                 "name a stage that reads '" + stage + "'"});
  }
  require_not_filled(state, stage, request);
  if (scope == kSharedScope) {
    throw UnsupportedError({where, request.text + " with scope=\"" + kSharedScope + "\"",
                            "one core fills such a memory from main memory; the tile of '" + stage +
                                "' is computed by the core that uses it",
                            "leave scope= out"});
  }
  State out = Placer(is_placed(state, stage) ? moved_to_root(state, stage, request) : state, stage,
                     consumer, axis, request, region, scope)
                  .run();
  Step step{"compute_at", stage, {{"", StepText{"{" + consumer + "}"}}, {"", axis}}, {}, where};
  if (region == TileRegion::Box) step.arguments.push_back({"region", std::string("box")});
  if (region == TileRegion::Whole) step.arguments.push_back({"region", std::string("whole")});
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
