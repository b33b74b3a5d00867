#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driver/frontend/tensor.h"
#include "schedule/mark_loop.h"
#include "schedule/region.h"
#include "schedule/state.h"
#include "support/target.h"

namespace solway {

class Schedule;
class Stage;

/// A loop of a schedule, as primitives return it. It may stand in the index expressions of a
/// buffer's region. It belongs to its schedule, which must outlive it.
class Loop : public Axis {
 public:
  const std::string& stage() const { return stage_; }
  schedule::LoopId id() const { return id_; }

 private:
  friend class Schedule;
  friend class Stage;
  Loop(dsl::Axis axis, const Schedule* owner, std::string stage, schedule::LoopId id)
      : Axis(std::move(axis)), owner_(owner), stage_(std::move(stage)), id_(id) {}

  const Schedule* owner_;
  std::string stage_;
  schedule::LoopId id_;
};

/// What names a loop of a stage: the loop, an axis of the expression, or its name.
class AxisLike {
 public:
  // Conversions are implicit, so that calls read as in Python.
  AxisLike(const Loop& loop) : value_(loop) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const Axis& axis) : value_(axis) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const char* name) : value_(name) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const std::string& name) : value_(name) {}  // NOLINT(google-explicit-constructor)

 private:
  friend class Schedule;
  friend class Stage;
  std::variant<Loop, Axis, std::string> value_;
};

/// One thing that varies inside a buffer: a loop, or an index expression of axes.
class RegionElement {
 public:
  // Conversions are implicit, so that regions are lists of what the user has in hand.
  // NOLINTBEGIN(google-explicit-constructor)
  RegionElement(const Loop& loop) : value_(AxisLike(loop)) {}
  RegionElement(const Axis& axis) : value_(AxisLike(axis)) {}
  RegionElement(const char* name) : value_(AxisLike(name)) {}
  RegionElement(const Expr& index) : value_(index) {}
  // NOLINTEND(google-explicit-constructor)

 private:
  friend class Schedule;
  std::variant<AxisLike, Expr> value_;
};
using RegionLike = std::vector<RegionElement>;

/// Where a buffer stands and what it holds; see the manual's section 2.
struct BufferOptions {
  std::optional<RegionLike> region = {};
  std::optional<AxisLike> at = {};
  std::optional<Tensor> reader = {};  ///< the stage, when several read the tensor
  std::string scope = {};             ///< "": the target's default
  std::vector<int> layout = {};       ///< order of the tensor's dimensions; empty: as they are
  /// The same by loops: those of one dimension that stand apart keep it in panels.
  std::vector<AxisLike> loop_layout = {};
};

/// A region of a tensor in near memory.
struct Buffer {
  std::string name;
  Tensor tensor;
};

/// The loops of one computed tensor within a schedule, and the primitives on them. A primitive that
/// fails throws and leaves the schedule as it was.
class Stage {
 public:
  /// The present spatial and reduction loops, outermost first.
  std::vector<Loop> axis() const;
  std::vector<Loop> reduce_axis() const;

  std::pair<Loop, Loop> split(const AxisLike& axis, std::int64_t factor,
                              Line line = Line::current());
  std::pair<Loop, Loop> split(const AxisLike& axis, std::int64_t factor,
                              schedule::TailStrategy tail, Line line = Line::current());
  struct Tiles {
    Loop io, jo, ii, ji;
  };
  Tiles tile(const AxisLike& i, const AxisLike& j, std::int64_t ti, std::int64_t tj,
             Line line = Line::current());
  Loop fuse(const std::vector<AxisLike>& axes, Line line = Line::current());
  void reorder(const std::vector<AxisLike>& axes, Line line = Line::current());
  void skew(const AxisLike& axis, const AxisLike& by, std::int64_t factor,
            Line line = Line::current());
  void shift(const AxisLike& axis, std::int64_t distance, Line line = Line::current());
  void reverse(const AxisLike& axis, Line line = Line::current());
  std::vector<Loop> affine(const std::string& map, const std::vector<std::string>& names = {},
                           Line line = Line::current());
  std::vector<Loop> fission(const AxisLike& axis, Line line = Line::current());
  /// Runs this stage in the loops of `other` down to `axis`, a loop of `other`.
  void fuse_with(const Stage& other, const AxisLike& axis, Line line = Line::current());
  void parallel(const AxisLike& axis, Line line = Line::current());
  void parallel(const AxisLike& rows, const AxisLike& columns, const schedule::Grid& grid,
                Line line = Line::current());
  void bind(const AxisLike& axis, const std::string& hardware, Line line = Line::current());
  void vectorize(const AxisLike& axis, Line line = Line::current());
  void unroll(const AxisLike& axis, Line line = Line::current());

  /// Computes, inside a loop of `consumer`, what one of its iterations needs of this stage.
  void compute_at(const Tensor& consumer, const AxisLike& axis, Line line = Line::current());
  void compute_inline(Line line = Line::current());
  void compute_root(Line line = Line::current());
  /// The loops of `consumer` inside which compute_at may place this stage, outermost first.
  std::vector<Loop> legal_levels(const Tensor& consumer, Line line = Line::current()) const;

 private:
  friend class Schedule;
  Stage(Schedule& schedule, std::string name) : schedule_(schedule), name_(std::move(name)) {}

  Loop loop(schedule::LoopId id) const;
  schedule::LoopId id_of(const AxisLike& axis, const std::string& request,
                         const SourceLoc& where) const;
  std::vector<schedule::LoopId> ids_of(const std::vector<AxisLike>& axes,
                                       const std::string& request, const SourceLoc& where) const;

  Schedule& schedule_;
  std::string name_;
};

/// How a tensor expression runs: loops, buffers and transfers, each proved as it is made.
class Schedule {
 public:
  /// Throws DslError when two tensors share a name or an output is a placeholder.
  explicit Schedule(const std::vector<Tensor>& outputs, Line line = Line::current());
  explicit Schedule(schedule::State state) : state_(std::move(state)) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  Schedule(Schedule&&) = delete;
  Schedule& operator=(Schedule&&) = delete;
  ~Schedule() = default;

  const schedule::State& state() const { return state_; }
  /// Throws ScheduleArgumentError for a tensor that is no stage.
  Stage operator[](const Tensor& tensor);
  /// Copies a region of `tensor` to near memory before it is read.
  Buffer buffer_read(const Tensor& tensor, const BufferOptions& options,
                     Line line = Line::current());
  /// Keeps a region of `tensor` in near memory while it is computed, and stores it afterwards.
  Buffer buffer_write(const Tensor& tensor, const BufferOptions& options,
                      Line line = Line::current());
  /// Splits a reduction up along one of its loops; the tensor of partial results, that axis first.
  /// Of several values, the tensor of the first.
  Tensor rfactor(const Tensor& tensor, const AxisLike& axis, Line line = Line::current());
  /// Chooses what is staged, tile sizes, loop order and transfers for `target`, as primitives.
  void auto_buffer(const std::string& target, const std::string& planner,
                   Line line = Line::current());
  /// Each buffer, its bytes, the total against the capacity, and how far each loop could grow.
  std::string ldm_report(const std::string& target, Line line = Line::current()) const;
  /// The loops, in the form of Figure 2(d) of the swTVM paper.
  std::string to_string() const;

 private:
  friend class Stage;
  Buffer place(const Tensor& tensor, bool is_read, const BufferOptions& options,
               const SourceLoc& where);
  /// An index expression, with the loop that each of its axes is.
  schedule::RegionItem item_of(const Expr& index, const Stage& stage, const std::string& request,
                               const SourceLoc& where) const;
  dsl::Axis axis_of(schedule::LoopId id) const;

  schedule::State state_;
  mutable std::map<schedule::LoopId, dsl::Axis> axes_;  ///< one per loop, made when asked for
};

}  // namespace solway
