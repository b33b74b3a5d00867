#include "schedule/buffer.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "schedule/buffer_depth.h"
#include "schedule/buffer_slots.h"
#include "schedule/compact_time.h"
#include "schedule/footprint.h"
#include "schedule/loop_instances.h"
#include "schedule/loop_paths.h"
#include "schedule/padded_copy.h"
#include "schedule/panels.h"
#include "schedule/position.h"
#include "schedule/proof.h"
#include "schedule/sliding_window.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Adds one buffer and its transfers to a schedule.
class BufferBuilder {
 public:
  BufferBuilder(const State& state, const BufferRequest& request, AccessKind kind,
                const SourceLoc& where)
      : before_(state),
        request_(request),
        kind_(kind),
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

 private:
  void add_buffer_and_transfers() {
    find_accesses();
    resolve_region();
    footprint_ =
        make_footprint(request_.text, accesses_, *position_, kept_dims(), where_,
                       kind_ == AccessKind::Reads ? Holes::LeftOutButInRows : Holes::LeftOut);
    if (request_.padding == Padding::Filled) find_padding();
    if (request_.slide >= 0) {
      window_ =
          sliding_window(before_, footprint_, *position_, request_.slide, {request_.text, where_});
    }
    add_buffer();
    for (const Access& access : accesses_) redirect(access);
    if (kind_ == AccessKind::Reads) {
      load();
    } else {
      if (!is_used_here_alone()) add_transfer(CopyDirection::Put, footprint_, written_box());
      if (reads_unwritten_values()) {
        add_transfer(CopyDirection::Get, footprint_, footprint_.box);
      }
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
      add_transfer(CopyDirection::Get, moved, moved.box);
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
    for (const Access& access : accesses_) readers.insert(access.statement);
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
    Placement own{padding_->stage, prefix_};
    own.path.insert(own.path.end(), at->path.begin(), at->path.end());
    all.erase(at);
    add_transfer(CopyDirection::Get, moved, moved.box);
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

  /// The accesses under the position, and the loops outside and inside of it.
  void find_accesses() {
    const std::string& tensor = request_.tensor;
    auto all = accesses_of(before_, request_.stage, tensor, kind_);
    const bool is_read = kind_ == AccessKind::Reads;
    if (all.empty()) refuse_without_access(request_.stage);
    for (const std::string& stage : request_.also) {
      const auto more = accesses_of(before_, stage, tensor, kind_);
      if (more.empty()) refuse_without_access(stage);
      require_in_position(stage, more);
      all.insert(all.end(), more.begin(), more.end());
    }
    if (program_->array(tensor).kind == ArrayKind::Buffer) {
      refuse("'" + tensor + "' is in near memory already",
             "compute_at keeps it there, tile by tile",
             "leave the buffer out, or call s[" + tensor + "].compute_root() first");
    }
    for (const Access& access : all) {
      require_exact_reads(before_.program->statement(access.statement), tensor, request_.text,
                          where_);
    }
    std::vector<LoopId> path, users;  // users: of what the buffer is for
    for (const Access& access : all) {
      const auto& own = before_.order.placement_of(access.statement).path;
      if (own.size() > path.size()) path = own;
      // A recurrence may read its own elements further inside than it writes them.
      if ((is_read || access.is_write) && own.size() > users.size()) users = own;
    }
    if (request_.at >= 0 && !contains(users, request_.at)) {
      refuse("'" + loop_name(before_, request_.at) + "' is no loop around what " +
                 (is_read ? "reads '" : "writes '") + tensor + "'",
             "these accesses stand inside " + names(users), "name one of these loops");
    }
    for (const LoopId id : path) {
      if (request_.at < 0) break;
      prefix_.push_back(id);
      if (id == request_.at) break;
    }
    inside_.assign(path.begin() + static_cast<std::ptrdiff_t>(prefix_.size()), path.end());
    for (const Access& access : all) {
      const std::vector<LoopId>& own = before_.order.placement_of(access.statement).path;
      if (!starts_with(own, prefix_)) continue;
      accesses_.push_back(access);
      // Of several nests, the loops of each.
      std::copy_if(own.begin() + static_cast<std::ptrdiff_t>(prefix_.size()), own.end(),
                   std::back_inserter(inside_), [&](LoopId id) { return !contains(inside_, id); });
    }
    std::set<std::string> statements;
    for (const Access& access : accesses_) statements.insert(access.statement);
    position_.emplace(before_, prefix_, statements);
  }

  /// Of several stages each has to stand in the loop of the position.
  void require_in_position(const std::string& stage, const std::vector<Access>& accesses) const {
    for (const Access& access : accesses) {
      if (contains(before_.order.placement_of(access.statement).path, request_.at)) continue;
      refuse("'" + stage + "' does not run in '" + loop_name(before_, request_.at) + "'",
             "a buffer serves stages that stand in one loop",
             "compute '" + stage + "' there with compute_at, or give it a buffer of its own");
    }
  }

  [[noreturn]] void refuse_without_access(const std::string& stage) const {
    const std::string& tensor = request_.tensor;
    for (const auto& [name, buffer] : before_.program->buffers) {
      const bool serves = buffer.stage == stage || std::find(buffer.also.begin(), buffer.also.end(),
                                                             stage) != buffer.also.end();
      if (buffer.tensor != tensor || !serves) continue;
      refuse("'" + tensor + "' has a buffer already",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + name + "'",
             "one buffer of a tensor serves a stage; leave one of the two out");
    }
    const bool is_read = kind_ == AccessKind::Reads;
    refuse("'" + stage + "' does not " + (is_read ? "read '" : "write '") + tensor + "'",
           is_read ? "it is not in its expression" : "a stage writes the tensor that it defines",
           is_read ? "name a tensor that it reads" : "pass '" + stage + "'");
  }

  std::string names(const std::vector<LoopId>& loops) const {
    std::string out;
    for (const LoopId id : loops) {
      out += (out.empty() ? "'" : ", '") + loop_name(before_, id) + "'";
    }
    return out.empty() ? "no loop" : out;
  }

  /// Finds the dimensions that the region varies, and that nothing else varies inside.
  void resolve_region() {
    loops_of_dim_ = dependent_loops(before_, accesses_);
    if (!request_.region) return;
    std::set<LoopId> varying;
    for (const RegionItem& item : *request_.region) {
      for (const LoopId id : loops_of(item)) {
        if (!contains(inside_, id)) refuse_outside(id);
        varying.insert(id);
      }
      bool found = false;
      for (std::size_t k = 0; k < loops_of_dim_.size(); ++k) {
        if (!matches(before_, accesses_, item, static_cast<int>(k), inside_)) continue;
        matched_.insert(static_cast<int>(k));
        found = true;
      }
      if (!found && !runs_once(item)) {
        refuse(
            "'" + to_string(before_, item) + "' indexes no dimension of '" + request_.tensor + "'",
            item.loop >= 0 ? "no index of its accesses depends on that loop"
                           : "no index of its accesses is this expression plus what is fixed "
                             "outside the buffer",
            "name what varies in an index of '" + request_.tensor + "'");
      }
    }
    for (const std::set<LoopId>& loops : loops_of_dim_) {
      for (const LoopId id : loops) {
        if (!contains(inside_, id) || varying.count(id) != 0) continue;
        refuse("'" + request_.tensor + "' also varies with '" + loop_name(before_, id) + "'",
               "that loop lies inside the buffer's position but is not in the region",
               "add '" + loop_name(before_, id) + "' to the region, or reorder it outside");
      }
    }
  }

  /// A split by 1 leaves a loop of one iteration on which no index depends.
  bool runs_once(const RegionItem& item) const {
    return item.loop >= 0 && before_.order.loop(item.loop).extent() <= 1;
  }

  [[noreturn]] void refuse_outside(LoopId id) const {
    refuse("'" + loop_name(before_, id) + "' does not lie inside the buffer",
           "the buffer stands inside " + names(prefix_) + " and holds what varies further in",
           "leave it out of the region, or choose a position outside of it");
  }

  /// Per dimension of the tensor, whether the buffer has it even with one element.
  std::vector<bool> kept_dims() const {
    std::vector<bool> out(loops_of_dim_.size(), false);
    for (const int dim : matched_) out[static_cast<std::size_t>(dim)] = true;
    return out;
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

  /// What the buffer's dimensions count, in its order.
  std::vector<PanelDim> ordered_dims() const {
    if (auto panels = panel_dims(); !panels.empty()) return panels;
    std::vector<PanelDim> out;
    if (request_.layout.empty()) {
      for (const BufferDim& dim : footprint_.dims) out.push_back({dim, loop_along(dim.dim)});
      return out;
    }
    std::vector<int> sorted = request_.layout;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < loops_of_dim_.size(); ++k) {
      if (sorted.size() == loops_of_dim_.size() && sorted[k] == static_cast<int>(k)) continue;
      refuse("the layout is no order of the dimensions of '" + request_.tensor + "'",
             "it has " + std::to_string(loops_of_dim_.size()) + " dimensions, counted from 0",
             "name each dimension once");
    }
    for (const int dim : request_.layout) {
      if (is_kept(dim)) out.push_back({{dim}, loop_along(dim)});
    }
    return out;
  }

  bool is_kept(int dim) const {
    return std::any_of(footprint_.dims.begin(), footprint_.dims.end(),
                       [&](const BufferDim& kept) { return kept.dim == dim; });
  }

  /// The dimensions when the layout names loops, or the region loops of one dimension apart from
  /// each other; else none.
  std::vector<PanelDim> panel_dims() const {
    const bool is_asked = !request_.loop_layout.empty();
    std::vector<LoopId> order = request_.loop_layout;
    if (!is_asked) {
      if (!request_.layout.empty() || !request_.region) return {};
      for (const RegionItem& item : *request_.region) order.push_back(item.loop);
      if (contains(order, -1) || !asks_for_panels(loops_of_dim_, order)) return {};
    }
    for (const LoopId id : order) {
      if (!contains(inside_, id)) refuse_outside(id);
    }
    const auto found = panels_of(before_, accesses_, order);
    if (const auto* no = std::get_if<NoPanels>(&found)) {
      if (is_asked) refuse(no->what, no->why, no->fix);
      return {};
    }
    const auto& out = std::get<std::vector<PanelDim>>(found);
    for (const BufferDim& kept : footprint_.dims) {
      const bool is_named = std::any_of(
          out.begin(), out.end(), [&](const PanelDim& panel) { return panel.dim.dim == kept.dim; });
      if (is_named) continue;
      if (is_asked) refuse_unnamed(kept.dim);
      return {};
    }
    for (const PanelDim& panel : out) {
      if (begins_with_a_panel(panel.dim)) continue;
      if (is_asked) refuse_to_begin_inside();
      return {};
    }
    return out;
  }

  [[noreturn]] void refuse_unnamed(int dim) const {
    std::vector<LoopId> missing;
    for (const LoopId id : loops_of_dim_[static_cast<std::size_t>(dim)]) {
      if (contains(inside_, id)) missing.push_back(id);
    }
    refuse(
        "the layout leaves out dimension " + std::to_string(dim) + " of '" + request_.tensor + "'",
        names(missing) + " runs along it inside the buffer", "name it in the layout");
  }

  /// What is copied begins with the first element of the first panel.
  bool begins_with_a_panel(const BufferDim& panel) const {
    if (panel.step == 1 && panel.wrap == 0) return true;
    const isl::pw_aff begin(footprint_.offset.at(panel.dim));
    const auto begins_there = [&](const isl::map& box) {
      return box.min_multi_pw_aff().at(panel.dim).ne_set(begin).is_empty();
    };
    if (!begins_there(footprint_.box)) return false;
    return kind_ == AccessKind::Reads || begins_there(written_box());
  }

  [[noreturn]] void refuse_to_begin_inside() const {
    throw UnsupportedError(
        {where_, request_.text + ": the first panel of '" + request_.tensor + "' is not whole",
         "at some positions the elements that are read begin inside of it, and a copy begins with "
         "a whole panel",
         "leave the panels out: name the loops in the order of the tensor's dimensions"});
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
    for (auto [dim, loop] : ordered_dims()) {
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

  /// The only loop inside that runs along a dimension; -1 when there is none.
  LoopId loop_along(int dim) const {
    std::vector<LoopId> own;
    for (const LoopId id : loops_of_dim_[static_cast<std::size_t>(dim)]) {
      if (contains(inside_, id)) own.push_back(id);
    }
    return own.size() == 1 ? own[0] : -1;
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
  isl::map written_box() const {
    isl::map written;
    for (const Access& access : accesses_) {
      if (!access.is_write) continue;
      const isl::map one = per_position(access, *position_);
      written = written.is_null() ? one : written.unite(one);
    }
    if (written.is_null()) {
      refuse("nothing inside its position stores '" + request_.tensor + "'",
             "the buffer stands inside " + names(prefix_) + ", where '" + request_.stage +
                 "' only reads its own earlier elements",
             "choose a position around the statement that stores");
    }
    written = written.coalesce();
    const isl::map box = box_around(written, footprint_);
    if (!box.is_subset(written)) {
      throw UnsupportedError(
          {where_,
           request_.text + ": what one position writes of '" + request_.tensor + "' is not a box",
           "a transfer stores a box, and more than what was computed must not be stored",
           "choose a position at which the loops inside run over a whole box"});
    }
    return box;
  }

  /// Adds the issue and the complete of one transfer of `box`, { [position] -> T[element] }.
  void add_transfer(CopyDirection direction, const Footprint& footprint, const isl::map& box) {
    const bool is_get = direction == CopyDirection::Get;
    const std::string transfer = out_.buffer + (is_get ? "_get" : "_put");
    std::size_t at = is_get ? first_place() : last_place() + 1;
    for (const auto& [kind, suffix] : {std::pair{StatementKind::Issue, "_issue"},
                                       std::pair{StatementKind::Complete, "_complete"}}) {
      Statement s = transfer_statement(program_->buffers.at(out_.buffer), footprint, box,
                                       transfer + suffix, direction);
      s.kind = kind;
      s.copy->transfer = transfer;
      s.where = where_;
      const isl::multi_aff instance = isl::multi_aff::identity_on_domain(s.domain.space());
      position_->give_values(out_.state.order, s.name, instance.to_multi_pw_aff());
      auto& placements = out_.state.order.placements;
      placements.insert(placements.begin() + static_cast<std::ptrdiff_t>(at++), {s.name, prefix_});
      program_->statements.emplace(s.name, std::move(s));
    }
  }

  bool is_use(const std::string& statement) const {
    return std::any_of(accesses_.begin(), accesses_.end(),
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
    const std::size_t depth = prefix_.size();
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
    for (const Access& access : accesses_) {
      const isl::map position = position_->of(access.statement).as_map();
      const isl::union_map here =
          isl_ext::flat_range_product(position, access.relation).to_union_map();
      (access.is_write ? writes : reads) = (access.is_write ? writes : reads).unite(here);
    }
    const LoopInstances instances(
        compact_time(time_of(program_->ctx(), before_.order, before_.program->domains())
                         .intersect_domain(reads.domain().unite(writes.domain()))));
    return !isl_ext::last_writers(instances.accesses(reads), instances.accesses(writes),
                                  instances.time())
                .no_source.is_empty();
  }

  /// Whether the request has to name the stage: others read the tensor as well, or run in the loop
  /// of the position.
  bool has_to_name_reader() const {
    if (kind_ != AccessKind::Reads) return false;
    if (!request_.also.empty()) return true;
    const auto& stages = before_.program->stages;
    return std::any_of(stages.begin(), stages.end(), [&](const dsl::Tensor& stage) {
      if (stage->name == request_.stage) return false;
      const auto loops = before_.stage_loops.find(stage->name);
      const bool is_there =
          loops != before_.stage_loops.end() && request_.at >= 0 &&
          std::count(loops->second.begin(), loops->second.end(), request_.at) != 0;
      return is_there ||
             !accesses_of(before_, stage->name, request_.tensor, AccessKind::Reads).empty();
    });
  }

  StepText layout_text() const {
    StepText out{"["};
    const auto append = [&](const std::string& item) {
      out.text += (out.text.size() > 1 ? ", " : "") + item;
    };
    for (const int dim : request_.layout) append(std::to_string(dim));
    for (const LoopId loop : request_.loop_layout) append("{" + std::to_string(loop) + "}");
    out.text += "]";
    return out;
  }

  BufferResult finish() {
    adopt_program(out_.state, program_, {request_.text, where_}, request_.budget);
    Step step{kind_ == AccessKind::Reads ? "buffer_read" : "buffer_write",
              request_.stage,
              {},
              {},
              where_,
              out_.buffer};
    const std::string& named = request_.logged_as.empty() ? request_.tensor : request_.logged_as;
    step.arguments.emplace_back("", StepText{"{" + named + "}"});
    if (request_.region) step.arguments.emplace_back("region", step_text(*request_.region));
    if (request_.at >= 0) step.arguments.emplace_back("at", request_.at);
    if (has_to_name_reader()) {
      std::string readers = "{" + request_.stage + "}";
      for (const std::string& stage : request_.also) readers += ", {" + stage + "}";
      step.arguments.emplace_back("readers", StepText{"[" + readers + "]"});
    }
    if (!request_.scope.empty()) step.arguments.emplace_back("scope", request_.scope);
    if (!request_.layout.empty() || !request_.loop_layout.empty()) {
      step.arguments.emplace_back("layout", layout_text());
    }
    if (request_.depth != 1) step.arguments.emplace_back("depth", std::int64_t{request_.depth});
    if (padding_) step.arguments.emplace_back("fill_padding", StepText{"True"});
    if (window_) step.arguments.emplace_back("slide", request_.slide);
    out_.state.log.push_back(std::move(step));
    return std::move(out_);
  }

  const State& before_;
  const BufferRequest& request_;
  AccessKind kind_;
  SourceLoc where_;
  std::shared_ptr<Program> program_;
  BufferResult out_;
  std::vector<Access> accesses_;
  std::vector<LoopId> prefix_;        ///< the loops outside the position
  std::optional<Position> position_;  ///< inside these
  std::vector<LoopId> inside_;
  std::vector<std::set<LoopId>> loops_of_dim_;
  std::set<int> matched_;
  Footprint footprint_;
  std::optional<PaddedCopy> padding_;    ///< where the border is filled
  std::optional<SlidingWindow> window_;  ///< where only what is new is moved
};

}  // namespace

BufferResult make_buffer(const State& state, const BufferRequest& request, AccessKind kind,
                         const SourceLoc& where) {
  return BufferBuilder(state, request, kind, where).build();
}

}  // namespace solway::schedule
