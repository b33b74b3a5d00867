#include "schedule/sliding_window.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "schedule/flow.h"
#include "schedule/rewrite_loops.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using isl_ext::Dim;

/// Finds what neighbouring tiles share.
class WindowFinder {
 public:
  WindowFinder(const State& state, const Footprint& footprint, const Position& position,
               LoopId loop, const Request& request)
      : footprint_(footprint),
        request_(request),
        tensor_(isl_ext::tuple_name(footprint.box, Dim::Range)),
        loop_(state.order.loop(loop)),
        name_(loop_name(state, loop)) {
    require_place(state, position, loop);
    find_before(position, loop);
  }

  SlidingWindow run() {
    out_.held = footprint_.box.intersect(out_.before.as_map().apply_range(footprint_.box));
    out_.fresh = footprint_.box.subtract(out_.held).coalesce();
    out_.held = out_.held.coalesce();
    require_overlap();
    find_step();
    require_few_moves();
    require_box();
    for (const BufferDim& dim : footprint_.dims) out_.moved.push_back(dim.dim);
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const std::string& fix) const {
    throw ScheduleArgumentError(
        {request_.where, request_.text + ": '" + tensor_ + "' does not slide with '" + name_ + "'",
         why, fix});
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UnsupportedError({request_.where,
                            request_.text + ": '" + tensor_ + "' cannot slide with '" + name_ + "'",
                            why, "leave slide= out: each tile is moved as a whole"});
  }

  void require_place(const State& state, const Position& position, LoopId loop) const {
    const std::vector<LoopId>& around = position.loops();
    const auto at = std::find(around.begin(), around.end(), loop);
    if (at == around.end()) {
      refuse("the buffer does not stand inside that loop",
             "name the innermost loop around it, at=" + name_ + " puts it there");
    }
    for (auto inner = at + 1; inner != around.end(); ++inner) {
      const Loop& one = state.order.loop(*inner);
      if (one.extent() == 1 && one.mark != LoopMark::Parallel) continue;
      const std::string between = loop_name(state, *inner);
      refuse("'" + between + "' runs between: its tiles overwrite those of the iteration before",
             "reorder '" + name_ + "' inside of it, or place the buffer at '" + name_ + "'");
    }
    if (loop_.mark == LoopMark::Parallel) {
      refuse("its iterations run on different cores, each with a memory of its own",
             "split it, and let the inner loop carry the tiles of one core");
    }
  }

  void find_before(const Position& position, LoopId loop) {
    const auto coordinate = position.coordinate_of(loop);
    if (!coordinate) fail("it was made of fused loops, whose iterations are not side by side");
    const auto at = static_cast<int>(*coordinate);
    out_.before = isl::multi_aff::identity_on_domain(footprint_.box.domain().space());
    out_.before = out_.before.set_at(at, out_.before.at(at).add_constant(-1));
  }

  void require_overlap() const {
    if (out_.held.is_empty()) {
      refuse("neighbouring tiles have no element in common", "leave slide= out");
    }
  }

  /// How far a tile lies from the one before.
  void find_step() {
    const isl::set later = out_.held.domain();
    bool moves = false;
    const isl::multi_aff was = footprint_.offset.pullback(out_.before);
    for (unsigned k = 0; k < footprint_.offset.size(); ++k) {
      const auto dim = static_cast<int>(k);
      const isl::pw_aff apart(footprint_.offset.at(dim).sub(was.at(dim)));
      const isl::set steps = later.apply(apart.as_map());
      const auto low = isl_ext::try_dim_min(steps, 0);
      const auto high = isl_ext::try_dim_max(steps, 0);
      if (!low || low != high) fail("its tiles are not all equally far apart");
      if (*low == 0) continue;
      if (moves) fail("its tiles move along several dimensions of '" + tensor_ + "' at once");
      moves = true;
      out_.dim = dim;
      out_.step = *low;
    }
    if (!moves) {
      refuse("all of its tiles are the same elements",
             "place the buffer outside of '" + name_ + "', where it is moved once");
    }
  }

  /// A proof follows each value through its moves.
  void require_few_moves() const {
    const std::int64_t size = footprint_.sizes[static_cast<std::size_t>(out_.dim)];
    const std::int64_t step = out_.step < 0 ? -out_.step : out_.step;
    const std::int64_t moves = (size - 1) / step;
    if (moves + 1 < kMaxCopies) return;
    fail("an element would be moved " + std::to_string(moves) + " times, and a proof follows " +
         std::to_string(kMaxCopies - 2) + " of them at most");
  }

  void require_box() const {
    if (box_around(out_.fresh, footprint_).is_equal(out_.fresh)) return;
    fail("what a tile has and the one before it has not is no box");
  }

  const Footprint& footprint_;
  const Request& request_;
  std::string tensor_;
  const Loop& loop_;
  std::string name_;
  SlidingWindow out_;
};

/// { S[..] -> [dimensions begin, ..., end - 1] } of S's space, for 0 <= begin < end.
isl::multi_pw_aff dims_between(const isl::space& space, int begin, int end) {
  isl::multi_pw_aff out;
  for (int k = begin; k < end; ++k) {
    const isl::multi_pw_aff one = isl::pw_aff(isl_ext::dim_on_domain(space, k)).to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  }
  return out;
}

/// Makes the statement that moves what is held, and its loops.
class Mover {
 public:
  Mover(State& state, Program& program, const Position& position, const Footprint& footprint,
        const SlidingWindow& window, const std::string& buffer)
      : state_(state),
        program_(program),
        position_(position),
        footprint_(footprint),
        window_(window),
        buffer_(program.buffers.at(buffer)),
        tensor_(program.array(buffer_.tensor).tensor) {}

  void run(std::size_t place) {
    make_statement();
    Placement placement{statement_.name, position_.loops()};
    for (std::size_t k = 0; k < tensor_->shape.size(); ++k) {
      placement.path.push_back(add_loop(static_cast<int>(k)));
    }
    position_.give_values(state_.order, statement_.name, at_);
    auto& all = state_.order.placements;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(place), std::move(placement));
    program_.statements.emplace(statement_.name, std::move(statement_));
  }

 private:
  void make_statement() {
    Statement& s = statement_;
    s.name = slide_of(buffer_.name);
    s.stage = buffer_.stage;
    s.where = buffer_.where;
    s.domain = isl_ext::with_tuple_name(window_.held.wrap().flatten(), s.name).coalesce();
    s.axes = position_.axes();
    const isl::space space = s.domain.space();
    const auto depth = static_cast<int>(s.axes.size());
    at_ = dims_between(space, 0, depth);
    element_ = dims_between(space, depth, isl_ext::dim_count(s.domain, Dim::Range))
                   .set_range_tuple(buffer_.tensor);
    std::vector<dsl::Expr> indices;
    for (std::size_t k = 0; k < tensor_->shape.size(); ++k) {
      s.axes.push_back(dsl::make_axis(name_of(k), dsl::AxisKind::Spatial, 0,
                                      std::max<std::int64_t>(tensor_->shape[k], 1), s.where));
      indices.push_back(dsl::make_axis_ref(s.axes.back(), s.where));
    }
    const dsl::Expr value = dsl::make_read(tensor_, indices, s.where);
    const isl::multi_pw_aff to = cell_of(footprint_, element_, at_, buffer_.name);
    const isl::multi_pw_aff from =
        cell_of(footprint_, element_, window_.before.to_multi_pw_aff().pullback(at_), buffer_.name);
    s.writes.push_back({to.as_map().intersect_domain(s.domain), to, value});
    s.reads.push_back({from.as_map().intersect_domain(s.domain), from, value});
    s.origin = isl::map::empty(s.domain.identity().space());
  }

  std::string name_of(std::size_t dim) const { return buffer_.name + "_" + std::to_string(dim); }

  /// The loop along one dimension, from where a tile begins; in the order in which no element is
  /// overwritten before it is moved.
  LoopId add_loop(int dim) {
    Loop loop = loop_over(statement_.axes[position_.num_coordinates() + static_cast<unsigned>(dim)],
                          statement_.where);
    const auto k = static_cast<std::size_t>(dim);
    loop.name = buffer_.name + "." + std::to_string(dim);  // an axis has no dots
    const isl::pw_aff start = isl::pw_aff(footprint_.offset.at(dim)).pullback(at_);
    isl::pw_aff value = element_.at(dim).sub(start);
    const auto stride = static_cast<long>(footprint_.strides[k]);
    if (stride > 1) value = value.scale_down(isl::val(value.ctx(), stride)).floor();
    if (dim == window_.dim && window_.step < 0) {
      value = value.neg().add_constant(static_cast<long>((footprint_.sizes[k] - 1) / stride));
    }
    loop.value.emplace(statement_.name, value);
    set_range(loop, {{statement_.name, statement_.domain}});
    if (is_line(dim) && loop.extent() > 1) {
      loop.mark = LoopMark::Vectorized;
      loop.marked_at = statement_.where;
    }
    return state_.order.add(std::move(loop));
  }

  /// Whether the elements along the last dimension lie side by side in the buffer and stay so.
  bool is_line(int dim) const {
    if (static_cast<std::size_t>(dim) + 1 != tensor_->shape.size() || dim == window_.dim) {
      return false;
    }
    return !buffer_.dims.empty() && buffer_.dims.back() == BufferDim{dim};
  }

  State& state_;
  Program& program_;
  const Position& position_;
  const Footprint& footprint_;
  const SlidingWindow& window_;
  const Buffer& buffer_;
  dsl::Tensor tensor_;
  Statement statement_;
  isl::multi_pw_aff at_;       ///< { S[position, element] -> [position] }
  isl::multi_pw_aff element_;  ///< { S[position, element] -> T[element] }
};

}  // namespace

SlidingWindow sliding_window(const State& state, const Footprint& footprint,
                             const Position& position, LoopId loop, const Request& request) {
  return WindowFinder(state, footprint, position, loop, request).run();
}

void add_slide(State& state, Program& program, const Position& position, const Footprint& footprint,
               const SlidingWindow& window, const std::string& buffer, std::size_t at) {
  Mover(state, program, position, footprint, window, buffer).run(at);
}

std::string slide_of(const std::string& buffer) { return buffer + "_slide"; }

}  // namespace solway::schedule
