#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/rewrite_loops.h"
#include "schedule/state.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/random_orders.h"

/// Schedules with buffers made by hand, right and wrong: what a buffer primitive could produce if
/// nothing proved it.
namespace solway::schedule::testing {

/// A program and the arrays that its caller reads at the end.
struct PlainSample {
  std::string name;
  PlainProgram program;
  std::vector<std::string> outputs;
};

/// { S[d0, ...] -> [] }
inline isl::map no_loops(const isl::set& domain) {
  const std::string tuple =
      tuple_text(isl_ext::tuple_name(domain),
                 static_cast<std::size_t>(isl_ext::dim_count(domain, isl_ext::Dim::Range)));
  return isl::map(domain.ctx(), "{ " + tuple + " -> [] }").intersect_domain(domain);
}

/// The smallest box around everything that the program accesses of `array`, first and last element.
inline std::pair<Point, Point> box_of_accesses(const PlainProgram& program,
                                               const std::string& array) {
  Point low, high;
  for (const PlainInstance& i : instances_of(program)) {
    std::vector<PlainAccess> all = i.statement->reads;
    all.push_back(i.statement->write);
    for (const PlainAccess& access : all) {
      if (access.array != array) continue;
      const Point at = access.at(i.iteration).second;
      if (low.empty()) low = high = at;
      for (std::size_t k = 0; k < at.size(); ++k) {
        low[k] = std::min(low[k], at[k]);
        high[k] = std::max(high[k], at[k]);
      }
    }
  }
  return {low, high};
}

inline Array make_array(const isl::ctx& ctx, const std::string& name, const Point& low,
                        const Point& high) {
  Array out;
  out.name = name;
  std::string text = "{ " + tuple_text(name, low.size()) + " : true";
  for (std::size_t k = 0; k < low.size(); ++k) {
    text += " and " + std::to_string(low[k]) + " <= d" + std::to_string(k) +
            " <= " + std::to_string(high[k]);
    out.shape.push_back(high[k] - low[k] + 1);
  }
  out.extent = isl::set(ctx, text + " }");
  return out;
}

/// The schedule as written, with arrays: what nothing writes comes from the caller.
inline State make_state(const PlainSample& sample) {
  auto program = std::make_shared<Program>(make_program(sample.program));
  std::map<std::string, bool> written;
  for (const PlainStatement& s : sample.program.statements) {
    for (const PlainAccess& read : s.reads) written.emplace(read.array, false);
    written[s.write.array] = true;
  }
  for (const auto& [name, is_written] : written) {
    const auto [low, high] = box_of_accesses(sample.program, name);
    Array array = make_array(program->ctx(), name, low, high);
    array.tensor = dsl::make_placeholder(array.shape, DType::Float32, name, {});
    const bool output = std::count(sample.outputs.begin(), sample.outputs.end(), name) != 0;
    if (output) program->outputs.push_back(array.tensor);
    if (is_written && !output) array.kind = ArrayKind::Temporary;
    program->arrays.emplace(name, std::move(array));
  }
  for (const PlainStatement& s : sample.program.statements) {
    program->stages.push_back(dsl::make_placeholder({1}, DType::Float32, s.name, {}));
  }
  State out;
  out.program = out.original = program;
  out.order = make_order(program->ctx(), sample.program, sample.program.reference);
  for (auto& [id, loop] : out.order.loops) set_range(loop, program->domains());
  for (const Placement& p : out.order.placements) out.stage_loops[p.statement] = p.path;
  return out;
}

/// What can be wrong with a buffer and its transfers.
enum class Fault : std::uint8_t {
  None,
  Offset,       ///< the transfer uses cells one further than the accesses do
  Short,        ///< the transfer leaves out the last element of each box
  Overrun,      ///< it moves one element more than each box has
  Small,        ///< the buffer is one cell too small
  DroppedWait,  ///< the last position has no complete
  DroppedIssue,
  Neighbour,  ///< it moves the box of the next position
  Swapped,    ///< two operands read each other's cells
};
inline constexpr int kFaults = 9;

/// A buffer to be made.
struct BufferPlan {
  std::string tensor;
  std::vector<std::string> users;
  std::size_t depth = 0;  ///< how many loops around the users stand outside
  bool get = true;        ///< before the users
  bool put = false;       ///< after the users, whose writes then go to the buffer
  Fault fault = Fault::None;
};

/// Makes one buffer. Nothing is proved.
class HandMade {
 public:
  HandMade(const State& state, BufferPlan plan)
      : state_(state), plan_(std::move(plan)), program_(std::make_shared<Program>(*state.program)) {
    for (int k = 0; name_.empty() || program_->arrays.count(name_) != 0; ++k) {
      name_ = plan_.tensor + plan_.tensor + (k == 0 ? "" : std::to_string(k));
    }
  }

  /// nullopt when the users have no such position, or what they touch is no box of it.
  std::optional<State> make() {
    if (!find_position() || !find_boxes()) return std::nullopt;
    add_buffer();
    for (const std::string& user : plan_.users) redirect(program_->statements.at(user));
    if (plan_.get) add_transfer(CopyDirection::Get, touched_, first_user());
    if (plan_.put) add_transfer(CopyDirection::Put, written_, last_user() + 1);
    program_->reference = time_of(program_->ctx(), state_.order, program_->domains());
    state_.program = program_;
    return state_;
  }

  const std::string& name() const { return name_; }

 private:
  /// { [position] -> T[element] } and its box.
  struct Box {
    isl::map touched;
    isl::multi_pw_aff first;
    isl::multi_pw_aff count;
    isl::map inside;
  };

  isl::ctx ctx() const { return program_->ctx(); }

  bool find_position() {
    for (const std::string& user : plan_.users) {
      const std::vector<LoopId>& path = state_.order.placement_of(user).path;
      if (path.size() < plan_.depth) return false;
      const std::vector<LoopId> own(path.begin(),
                                    path.begin() + static_cast<std::ptrdiff_t>(plan_.depth));
      if (user == plan_.users.front()) path_ = own;
      if (own != path_) return false;
    }
    return true;
  }

  isl::map position_of(const Statement& s) const {
    isl::map out = no_loops(s.domain);
    for (const LoopId id : path_) {
      out = isl_ext::flat_range_product(
          out, state_.order.loop(id).value.at(s.name).to_multi_pw_aff().as_map());
    }
    return out;
  }

  isl::multi_pw_aff position_index(const Statement& s) const {
    return position_of(s).as_pw_multi_aff().to_multi_pw_aff();
  }

  bool is_target(const isl::map& access) const {
    return isl_ext::tuple_name(access, isl_ext::Dim::Range) == plan_.tensor;
  }

  bool find_boxes() {
    isl::map touched, written;
    for (const std::string& user : plan_.users) {
      const Statement& s = program_->statement(user);
      const auto add = [&](isl::map& to, const isl::map& access) {
        const isl::map one = position_of(s).reverse().apply_range(access);
        to = to.is_null() ? one : to.unite(one).coalesce();
      };
      for (const Operand& operand : s.reads) {
        if (is_target(operand.relation)) add(touched, operand.relation);
      }
      if (plan_.put && is_target(s.writes[0].relation)) {
        add(touched, s.writes[0].relation);
        add(written, s.writes[0].relation);
      }
    }
    if (touched.is_null() || touched.is_empty()) return false;
    touched_ = box_around(touched);
    if (plan_.put) {
      if (written.is_null()) return false;
      written_ = box_around(written);
      if (!written_.inside.is_subset(written)) return false;
    }
    return true;
  }

  static isl::multi_pw_aff joined(const isl::multi_pw_aff& a, const isl::multi_pw_aff& b) {
    return a.is_null() ? b : a.flat_range_product(b);
  }

  static Box box_around(const isl::map& touched) {
    Box out;
    out.touched = touched;
    const int rank = isl_ext::dim_count(touched, isl_ext::Dim::Range);
    for (int k = 0; k < rank; ++k) {
      isl::map one = isl_ext::project_out(touched, isl_ext::Dim::Range, k + 1, rank - k - 1);
      one = isl_ext::project_out(one, isl_ext::Dim::Range, 0, k);
      const isl::multi_pw_aff low = one.lexmin_pw_multi_aff().to_multi_pw_aff();
      const isl::multi_pw_aff high = one.lexmax_pw_multi_aff().to_multi_pw_aff();
      const isl::multi_pw_aff count = high.sub(low).at(0).add_constant(1).to_multi_pw_aff();
      out.first = joined(out.first, low);
      out.count = joined(out.count, count);
    }
    out.first = out.first.set_range_tuple(isl_ext::tuple_name(touched, isl_ext::Dim::Range));
    out.inside = inside(out.first, out.count);
    return out;
  }

  /// { x -> T[e] : first(x) <= e < first(x) + count(x) }
  static isl::map inside(const isl::multi_pw_aff& first, const isl::multi_pw_aff& count) {
    const isl::map lowest = first.as_map();
    const isl::space space = lowest.space();
    isl::set out = isl::set::universe(space.wrap());
    for (int k = 0; k < isl_ext::dim_count(lowest, isl_ext::Dim::Range); ++k) {
      const isl::pw_aff offset = isl::pw_aff(space.range_map_multi_aff().at(k))
                                     .sub(first.at(k).pullback(space.domain_map_multi_aff()));
      out = out.intersect(offset.ge_set(offset.scale(0)))
                .intersect(offset.lt_set(count.at(k).pullback(space.domain_map_multi_aff())));
    }
    return out.unwrap();
  }

  void add_buffer() {
    Point low, high;
    Buffer buffer;
    const int rank = isl_ext::dim_count(touched_.touched, isl_ext::Dim::Range);
    for (int k = 0; k < rank; ++k) {
      const auto size = *isl_ext::try_dim_max(touched_.count.at(k).as_map().range(), 0);
      low.push_back(0);
      high.push_back(size - 1 - (k == 0 && plan_.fault == Fault::Small ? 1 : 0) +
                     (k == 0 && plan_.fault == Fault::Offset ? 1 : 0));
      buffer.dims.push_back({k});
      buffer.dim_names.emplace_back();
    }
    Array array = make_array(ctx(), name_, low, high);
    array.kind = ArrayKind::Buffer;
    program_->arrays.emplace(name_, std::move(array));
    buffer.name = name_;
    buffer.tensor = plan_.tensor;
    buffer.stage = program_->statement(plan_.users.front()).stage;
    buffer.primitive = "buffer_read(" + plan_.tensor + ")";
    program_->buffers.emplace(name_, std::move(buffer));
  }

  isl::multi_pw_aff cell(const isl::multi_pw_aff& index, const isl::multi_pw_aff& position) const {
    return index.set_range_tuple("x")
        .sub(touched_.first.pullback(position).set_range_tuple("x"))
        .set_range_tuple(name_);
  }

  void redirect(Statement& s) const {
    const isl::multi_pw_aff position = position_index(s);
    const auto moved = [&](isl::map& relation, isl::multi_pw_aff& index) {
      if (!is_target(relation)) return;
      const isl::set where = relation.domain();
      index = cell(index, position);
      relation = index.as_map().intersect_domain(where);
    };
    std::vector<std::size_t> mine;
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      if (is_target(s.reads[k].relation)) mine.push_back(k);
      moved(s.reads[k].relation, s.reads[k].index);
    }
    if (plan_.put) moved(s.writes[0].relation, s.writes[0].index);
    if (plan_.fault == Fault::Swapped && mine.size() > 1) {
      std::swap(s.reads[mine[0]].relation, s.reads[mine[1]].relation);
      std::swap(s.reads[mine[0]].index, s.reads[mine[1]].index);
    }
  }

  std::size_t place_of(const std::string& user) const {
    const auto& all = state_.order.placements;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(),
                     [&](const Placement& p) { return p.statement == user; }) -
        all.begin());
  }
  std::size_t first_user() const {
    std::size_t at = std::numeric_limits<std::size_t>::max();
    for (const std::string& user : plan_.users) at = std::min(at, place_of(user));
    return at;
  }
  std::size_t last_user() const {
    std::size_t at = 0;
    for (const std::string& user : plan_.users) at = std::max(at, place_of(user));
    return at;
  }

  void add_transfer(CopyDirection direction, const Box& box, std::size_t at) {
    const std::string transfer = name_ + (direction == CopyDirection::Get ? "_get" : "_put");
    for (const auto kind : {StatementKind::Issue, StatementKind::Complete}) {
      Statement s = statement(transfer, kind, direction, box);
      for (std::size_t k = 0; k < path_.size(); ++k) {
        state_.order.loops.at(path_[k]).value.insert_or_assign(
            s.name, isl::pw_aff(isl_ext::dim_on_domain(s.domain.space(), static_cast<int>(k))));
      }
      auto& placements = state_.order.placements;
      placements.insert(placements.begin() + static_cast<std::ptrdiff_t>(at++), {s.name, path_});
      program_->statements.insert_or_assign(s.name, std::move(s));
    }
  }

  Statement statement(const std::string& transfer, StatementKind kind, CopyDirection direction,
                      const Box& box) const {
    Statement s;
    const bool issue = kind == StatementKind::Issue;
    s.name = transfer + (issue ? "_issue" : "_complete");
    s.kind = kind;
    s.stage = program_->statement(plan_.users.front()).stage;
    s.where = {"user.py", 8, ""};
    const std::string tuple = tuple_text(s.name, plan_.depth);
    const isl::multi_aff own(ctx(), "{ " + tuple + " -> " + tuple_text("", plan_.depth) + " }");
    s.domain = box.touched.domain().preimage(own);
    const Fault fault = plan_.fault;
    if (fault == (issue ? Fault::DroppedIssue : Fault::DroppedWait)) {
      s.domain = s.domain.subtract(s.domain.lexmax());
    }
    Copy copy;
    copy.transfer = transfer;
    copy.buffer = name_;
    copy.direction = direction;
    copy.first = box.first.pullback(own);
    copy.count = box.count.pullback(own);
    if (fault == Fault::Neighbour && plan_.depth > 0) {
      std::string text = tuple_text("", plan_.depth);
      text.insert(text.size() - 1, " + 1");
      const isl::multi_aff next(ctx(), "{ " + tuple + " -> " + text + " }");
      const isl::multi_pw_aff ahead = box.first.pullback(next);
      copy.first = ahead.union_add(copy.first.intersect_domain(s.domain.subtract(ahead.domain())));
    }
    copy.near_first = copy.first.set_range_tuple("x")
                          .sub(touched_.first.pullback(own).set_range_tuple("x"))
                          .set_range_tuple(name_);
    const int change = fault == Fault::Short ? -1 : fault == Fault::Overrun ? 1 : 0;
    copy.count = copy.count.set_at(0, copy.count.at(0).add_constant(change));
    if (fault == Fault::Offset) {
      copy.near_first = copy.near_first.set_at(0, copy.near_first.at(0).add_constant(1));
    }
    copy.elements = inside(copy.first, copy.count).intersect_domain(s.domain);
    const isl::space space = copy.elements.space();
    isl::multi_pw_aff cells = copy.near_first.pullback(space.domain_map_multi_aff());
    for (int k = 0; k < isl_ext::dim_count(copy.elements, isl_ext::Dim::Range); ++k) {
      cells = cells.set_at(
          k, cells.at(k).add(isl::pw_aff(space.range_map_multi_aff().at(k))
                                 .sub(copy.first.at(k).pullback(space.domain_map_multi_aff()))));
    }
    copy.storage = cells.as_map().intersect_domain(copy.elements.wrap());
    const isl::map near = copy.storage.domain_factor_domain();
    const bool get = direction == CopyDirection::Get;
    s.writes.push_back({get ? near : copy.elements, get ? copy.near_first : copy.first, nullptr});
    s.reads.push_back({get ? copy.elements : near, get ? copy.first : copy.near_first, nullptr});
    s.copy = std::move(copy);
    return s;
  }

  State state_;
  BufferPlan plan_;
  std::shared_ptr<Program> program_;
  std::string name_;
  std::vector<LoopId> path_;
  Box touched_;
  Box written_;
};

}  // namespace solway::schedule::testing
