#include "schedule/buffer.h"

#include <algorithm>
#include <set>

#include "schedule/buffer_depth.h"
#include "schedule/buffer_slots.h"
#include "schedule/detail/buffer_dims.h"
#include "schedule/detail/buffer_step.h"
#include "schedule/detail/buffer_uses.h"
#include "schedule/detail/shared_request.h"
#include "schedule/detail/unit_places.h"
#include "schedule/footprint.h"
#include "schedule/loop_paths.h"
#include "schedule/padded_copy.h"
#include "schedule/panels.h"
#include "schedule/position.h"
#include "schedule/proof.h"
#include "schedule/sliding_window.h"
#include "schedule/transfer_rows.h"
#include "schedule/unwritten_reads.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// What is loaded of a tensor that is written: the box around what a position touches, or only
/// that.
enum class Loads : std::uint8_t { Box, WhatIsTouched };

/// Adds one buffer and its transfers to a schedule.
class BufferBuilder {
 public:
  BufferBuilder(const State& state, const BufferRequest& request, AccessKind kind, Loads load,
                const SourceLoc& where)
      : before_(state),
        request_(request),
        kind_(kind),
        load_(load),
        where_(where),
        program_(std::make_shared<Program>(*state.program)),
        out_{state, ""} {}

  BufferResult build() {
    try {
      const IslBudget budget(program_->ctx(), request_.budget);
      add_buffer_and_transfers();
    } catch (const isl::exception_quota&) {
      throw undecided({request_.text, where_}, request_.budget);
    }
    return finish();
  }

  /// Whether it loads elements that others write, which nothing at its position asks for.
  bool loads_beside() const { return loads_beside_; }

 private:
  void add_buffer_and_transfers() {
    uses_ = uses_of(before_, request_, kind_, where_);
    std::set<std::string> statements;
    for (const Access& access : uses_.accesses) statements.insert(access.statement);
    position_.emplace(before_, uses_.outside, statements);
    std::vector<bool> kept = uses_.varied;
    if (request_.align_bytes > 0 && !kept.empty()) kept.back() = true;  // units are of a row
    footprint_ =
        make_footprint(request_.text, uses_.accesses, *position_, kept, where_,
                       kind_ == AccessKind::Reads ? Holes::LeftOutButInRows : Holes::LeftOut);
    if (request_.padding == Padding::Filled) find_padding();
    if (request_.slide >= 0) {
      window_ =
          sliding_window(before_, footprint_, *position_, request_.slide, {request_.text, where_});
    }
    add_buffer();
    for (const Access& access : uses_.accesses) redirect(access);
    if (kind_ == AccessKind::Reads) {
      load();
    } else {
      if (!is_used_here_alone()) add_transfer(CopyDirection::Put, footprint_, written());
      if (reads_unwritten_values()) add_transfer(CopyDirection::Get, footprint_, loaded());
    }
    if (request_.depth != 1) add_slots();
  }

  /// Moves what a tile needs that the one before it does not hold.
  void load() {
    Footprint moved = footprint_;
    if (window_) moved.box = window_->fresh;
    if (padding_) {
      fill_padded(moved);
    } else {
      add_transfer(CopyDirection::Get, moved, {moved.box});
    }
    if (!window_) return;
    // Before the next tile is asked for, which may overwrite what is held.
    const auto& all = out_.state.order.placements;
    const auto issue = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return p.statement == out_.buffer + "_get_issue";
    });
    add_slide(out_.state, *program_, *position_, footprint_, *window_, out_.buffer,
              static_cast<std::size_t>(issue - all.begin()));
  }

  void find_padding() {
    std::set<std::string> readers;
    for (const Access& access : uses_.accesses) readers.insert(access.statement);
    padding_ = padded_copy_of(before_, request_.tensor, readers, {request_.text, where_});
  }

  /// Moves what lies inside the border, and lets the stage that computes the tensor fill the border
  /// meanwhile.
  void fill_padded(const Footprint& region) {
    Order& order = out_.state.order;
    const Footprint moved = footprint_in_memory(region, *padding_);
    fill_border(*program_, order, *position_, region, *padding_, out_.buffer);
    const auto filling = [&](const Placement& p) { return p.statement == padding_->stage; };
    auto& all = order.placements;
    const auto at = std::find_if(all.begin(), all.end(), filling);
    Placement own{padding_->stage, uses_.outside};
    own.path.insert(own.path.end(), at->path.begin(), at->path.end());
    all.erase(at);
    add_transfer(CopyDirection::Get, moved, {moved.box});
    const auto issue = std::find_if(all.begin(), all.end(), [&](const Placement& p) {
      return p.statement == out_.buffer + "_get_issue";
    });
    all.insert(issue + 1, std::move(own));
  }

  void add_slots() {
    const BufferDepth depth = depth_of(*program_, out_.buffer, request_.depth);
    Order& order = out_.state.order;
    require_depth(*program_, order, out_.buffer, depth, {request_.text, where_});
    rotate_slots(*program_, order, out_.buffer, depth);
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({where_, request_.text + ": " + what, why, fix});
  }

  std::string unused_name() const {
    const std::string& tensor = request_.tensor;
    const std::string base = tensor.size() == 1 ? tensor + tensor : tensor + "_buf";
    std::string out = base;
    for (int k = 1; program_->arrays.count(out) != 0 || program_->statements.count(out) != 0; ++k) {
      out = base + "_" + std::to_string(k);
    }
    return out;
  }

  void add_buffer() {
    const Array& tensor = program_->array(request_.tensor);
    Buffer buffer;
    buffer.name = unused_name();
    buffer.tensor = request_.tensor;
    buffer.stage = request_.stage;
    buffer.also = request_.also;
    buffer.primitive = request_.text;
    buffer.where = where_;
    if (padding_) buffer.memory = padding_->memory;
    Array array;
    array.name = buffer.name;
    array.kind = ArrayKind::Buffer;
    array.type = tensor.type;
    array.scope = request_.scope;
    const auto written = [&] { return box_around(written_elements(), footprint_); };
    for (auto [dim, loop] :
         ordered_dims(before_, request_, uses_, footprint_, written, kind_, where_)) {
      if (dim.wrap == 0 && dim.step == 1) {
        dim.step = footprint_.strides[static_cast<std::size_t>(dim.dim)];
      }
      const std::int64_t size =
          extent_along(dim, footprint_.sizes[static_cast<std::size_t>(dim.dim)]);
      const bool is_whole = loop >= 0 && before_.order.loop(loop).extent() == size;
      array.shape.push_back(size);
      buffer.dims.push_back(dim);
      buffer.dim_names.push_back(is_whole ? loop_name(before_, loop) : "");
    }
    if (request_.align_bytes > 0) make_room_for_units(buffer, array);
    isl::set extent =
        isl::set::universe(isl::space::unit(program_->ctx())
                               .add_named_tuple(isl::id(program_->ctx(), array.name),
                                                static_cast<unsigned>(array.shape.size())));
    for (std::size_t k = 0; k < array.shape.size(); ++k) {
      extent = isl_ext::bound(extent, static_cast<int>(k), 0, array.shape[k]);
    }
    array.extent = extent;
    footprint_.dims = buffer.dims;
    out_.buffer = buffer.name;
    program_->arrays.emplace(array.name, std::move(array));
    program_->buffers.emplace(buffer.name, std::move(buffer));
  }

  /// Gives rows their places within units, see whole_units.h.
  void make_room_for_units(Buffer& buffer, Array& array) {
    UnitPlaces places = unit_places(*program_, buffer, footprint_, request_);
    if (places.unit_elems == 1) return;
    buffer.unit_elems = places.unit_elems;
    footprint_.lead = places.lead;
    for (std::size_t k = 0; k < array.shape.size(); ++k) {
      if (array.shape[k] != places.shape[k]) buffer.dim_names[k] = "";
    }
    array.shape = std::move(places.shape);
  }

  /// Lets one access go to the buffer.
  void redirect(const Access& access) {
    Statement& s = program_->statements.at(access.statement);
    const isl::multi_pw_aff position = position_->of(access.statement);
    const isl::multi_pw_aff index = cell_of(footprint_, access.index, position, out_.buffer);
    const isl::map relation = index.as_map().intersect_domain(access.relation.domain());
    if (access.is_write) {
      s.writes[access.slot].relation = relation;
      s.writes[access.slot].index = index;
    } else {
      s.reads[access.slot].relation = relation;
      s.reads[access.slot].index = index;
    }
  }

  /// { [position] -> T[element] } that the accesses write; what a put may store.
  isl::map written_elements() const {
    isl::map written;
    for (const Access& access : uses_.accesses) {
      if (!access.is_write) continue;
      const isl::map one = per_position(access, *position_);
      written = written.is_null() ? one : written.unite(one);
    }
    if (written.is_null()) {
      refuse("nothing inside its position stores '" + request_.tensor + "'",
             "the buffer stands inside " + names_of(before_, uses_.outside) + ", where '" +
                 request_.stage + "' only reads its own earlier elements",
             "choose a position around the statement that stores");
    }
    return written.coalesce();
  }

  /// What a put stores: exactly what one position writes, as a box where it is one.
  Moved written() const {
    const isl::map exact = written_elements();
    Moved out{box_around(exact, footprint_)};
    if (!out.box.is_subset(exact)) by_rows(out, exact, "writes");
    return out;
  }

  /// What a get loads for what the accesses read of values from before: the box around all that
  /// they touch, or no more than that.
  Moved loaded() {
    Moved out{footprint_.box};
    isl::map exact;
    for (const Access& access : uses_.accesses) {
      const isl::map one = per_position(access, *position_);
      exact = exact.is_null() ? one : exact.unite(one);
    }
    const isl::set beside = out.box.subtract(exact).range();
    if (load_ == Loads::WhatIsTouched) {
      by_rows(out, exact.coalesce(), "touches");
    } else {
      loads_beside_ = is_written(beside);
    }
    return out;
  }

  /// Whether a statement writes one of these elements of the tensor.
  bool is_written(const isl::set& elements) const {
    if (elements.is_empty()) return false;
    const auto& all = before_.program->statements;
    return std::any_of(all.begin(), all.end(), [&](const auto& named) {
      const std::vector<Write>& writes = named.second.writes;
      return std::any_of(writes.begin(), writes.end(), [&](const Write& write) {
        return isl_ext::tuple_name(write.relation, isl_ext::Dim::Range) == request_.tensor &&
               !write.relation.range().is_disjoint(elements);
      });
    });
  }

  /// Lets `out` move the elements `exact` { [position] -> T[element] } in rows that are boxes.
  void by_rows(Moved& out, const isl::map& exact, const std::string& verb) const {
    const Buffer& buffer = program_->buffers.at(out_.buffer);
    const auto fail = [&](const std::string& why, const std::string& fix) {
      throw UnsupportedError({where_,
                              request_.text + ": what one position " + verb + " of '" +
                                  request_.tensor + "' is not a box",
                              why, fix});
    };
    if (has_panels(buffer)) {
      fail("rows of other sets move one by one, and this buffer keeps a dimension of '" +
               request_.tensor + "' in panels",
           "leave the panels out: name the loops in the order of the tensor's dimensions");
    }
    const auto rows = row_dims_of(cells_of(footprint_, exact, out_.buffer));
    if (!rows) {
      fail(
          "its rows are not boxes either, or do not follow each other: a transfer moves boxes, and "
          "more than what was computed must not be stored",
          "choose a position at which the loops inside run over a whole box");
    }
    if (rows->empty()) return;
    out.elements = exact;
    out.rows = *rows;
  }

  /// Adds the issue and the complete of one transfer. What is loaded is asked for beside what else
  /// the position loads, and waited for before its first use; what is stored is waited for when
  /// all that the position stores there has been asked for.
  void add_transfer(CopyDirection direction, const Footprint& footprint, const Moved& moved) {
    const bool is_get = direction == CopyDirection::Get;
    const std::string transfer = out_.buffer + (is_get ? "_get" : "_put");
    const std::size_t first = is_get ? first_place() : last_place() + 1;
    std::size_t at = is_get ? place_of_issue(first) : first;
    for (const auto& [kind, suffix] : {std::pair{StatementKind::Issue, "_issue"},
                                       std::pair{StatementKind::Complete, "_complete"}}) {
      Statement s = transfer_statement(program_->buffers.at(out_.buffer), footprint, moved,
                                       transfer + suffix, direction);
      s.kind = kind;
      s.copy->transfer = transfer;
      s.where = where_;
      const isl::multi_aff instance = isl::multi_aff::identity_on_domain(s.domain.space());
      position_->give_values(out_.state.order, s.name, instance.to_multi_pw_aff());
      auto& placements = out_.state.order.placements;
      placements.insert(placements.begin() + static_cast<std::ptrdiff_t>(at),
                        {s.name, uses_.outside});
      program_->statements.emplace(s.name, std::move(s));
      at = is_get ? first + 1 : place_of_wait(first + 1);
    }
  }

  /// Where a put that is asked for before `issued` is waited for: behind the puts of the same
  /// position that are asked for next.
  std::size_t place_of_wait(std::size_t issued) const {
    const auto& all = out_.state.order.placements;
    const auto is_put_issue = [&](const Placement& p) {
      const Statement& s = program_->statement(p.statement);
      return p.path == uses_.outside && s.kind == StatementKind::Issue &&
             s.copy->direction == CopyDirection::Put;
    };
    while (issued < all.size() && is_put_issue(all[issued])) ++issued;
    return issued;
  }

  /// Where a get that is waited for at `wait` is asked for: behind the last one of the same
  /// position that is needed in the same iteration, as far as only waits for gets stand between,
  /// which do not bring what it reads.
  std::size_t place_of_issue(std::size_t wait) const {
    const auto& all = out_.state.order.placements;
    for (std::size_t at = wait; at > 0; --at) {
      const Placement& before = all[at - 1];
      const Statement& s = program_->statement(before.statement);
      if (before.path != uses_.outside || !s.is_transfer() ||
          s.copy->direction != CopyDirection::Get || s.copy->buffer == request_.tensor) {
        break;
      }
      if (s.kind == StatementKind::Issue) return before_what_is_early(at);
    }
    return wait;
  }

  /// The place before the requests for later iterations that end at `at`.
  std::size_t before_what_is_early(std::size_t at) const {
    const auto& all = out_.state.order.placements;
    const auto is_early = [&](const Placement& p) {
      return p.path == uses_.outside && p.delay < 0 &&
             program_->statement(p.statement).kind == StatementKind::Issue;
    };
    while (at > 0 && is_early(all[at - 1])) --at;
    return at;
  }

  bool is_use(const std::string& statement) const {
    return std::any_of(uses_.accesses.begin(), uses_.accesses.end(),
                       [&](const Access& access) { return access.statement == statement; });
  }

  /// The place before all that shares a loop inside the position with the first use.
  std::size_t first_place() const {
    const auto& all = out_.state.order.placements;
    std::size_t at = 0;
    while (!is_use(all[at].statement)) ++at;
    while (at > 0 && shares_loop_inside(all[at - 1], all[at])) --at;
    return at;
  }

  std::size_t last_place() const {
    const auto& all = out_.state.order.placements;
    std::size_t at = all.size() - 1;
    while (!is_use(all[at].statement)) --at;
    while (at + 1 < all.size() && shares_loop_inside(all[at], all[at + 1])) ++at;
    return at;
  }

  bool shares_loop_inside(const Placement& a, const Placement& b) const {
    const std::size_t depth = uses_.outside.size();
    return a.path.size() > depth && b.path.size() > depth &&
           starts_with(b.path,
                       {a.path.begin(), a.path.begin() + static_cast<std::ptrdiff_t>(depth + 1)});
  }

  /// Whether it holds the value of a reduction nested in an expression, which nothing outside the
  /// position uses: main memory never sees it then.
  bool is_used_here_alone() const {
    if (program_->array(request_.tensor).kind != ArrayKind::Temporary) return false;
    return std::none_of(program_->statements.begin(), program_->statements.end(),
                        [&](const auto& named) {
                          const Statement& s = named.second;
                          return s.writes_to(request_.tensor) || s.reads_from(request_.tensor);
                        });
  }

  /// Whether a statement reads an element of the buffer that none has written at this position.
  bool reads_unwritten_values() const {
    isl::union_map reads = isl::union_map::empty(program_->ctx());
    isl::union_map writes = reads;
    for (const Access& access : uses_.accesses) {
      const isl::map position = position_->of(access.statement).as_map();
      const isl::union_map here =
          isl_ext::flat_range_product(position, access.relation).to_union_map();
      (access.is_write ? writes : reads) = (access.is_write ? writes : reads).unite(here);
    }
    return has_unwritten_reads(reads, writes,
                               time_of(program_->ctx(), before_.order, before_.program->domains()));
  }

  BufferResult finish() {
    adopt_program(out_.state, program_, {request_.text, where_}, request_.budget);
    out_.state.log.push_back(buffer_step(before_, request_, kind_, out_.buffer, where_));
    return std::move(out_);
  }

  const State& before_;
  const BufferRequest& request_;
  AccessKind kind_;
  Loads load_;
  bool loads_beside_ = false;
  SourceLoc where_;
  std::shared_ptr<Program> program_;
  BufferResult out_;
  BufferUses uses_;
  std::optional<Position> position_;  ///< inside the loops outside of it
  Footprint footprint_;
  std::optional<PaddedCopy> padding_;    ///< where the border is filled
  std::optional<SlidingWindow> window_;  ///< where only what is new is moved
};

}  // namespace

BufferResult make_buffer(const State& state, const BufferRequest& request, AccessKind kind,
                         const SourceLoc& where) {
  require_shared_request(state, request, kind, where);
  BufferBuilder wide(state, request, kind, Loads::Box, where);
  try {
    return wide.build();
  } catch (const IllegalScheduleError&) {
    if (!wide.loads_beside()) throw;
  }
  return BufferBuilder(state, request, kind, Loads::WhatIsTouched, where).build();
}

}  // namespace solway::schedule
