#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/frontend/recurrences.h"
#include "driver/frontend/stage.h"
#include "driver/frontend/tensor.h"
#include "schedule/region.h"
#include "schedule/state.h"
#include "schedule/suggest_fix.h"
#include "support/target.h"

namespace solway {

/// Where a buffer stands and what it holds; see the manual's section 2.
struct BufferOptions {
  std::optional<RegionLike> region = {};
  std::optional<AxisLike> at = {};
  std::optional<Tensor> reader = {};  ///< the stage, when several read the tensor and no loop tells
  std::string scope = {};             ///< "": the target's default
  std::vector<int> layout = {};       ///< order of the tensor's dimensions; empty: as they are
  /// The same by loops: those of one dimension that stand apart keep it in panels.
  std::vector<AxisLike> loop_layout = {};
  int depth = 1;  ///< how many regions it holds at once, see double_buffer
  /// Of buffer_read: which reads of the tensor go to it, in the order in which they are written.
  std::optional<std::vector<int>> references = {};
};

/// A region of a tensor in near memory.
struct Buffer {
  std::string name;
  Tensor tensor;
};

/// What is known when a schedule is made.
struct ScheduleOptions {
  /// What build() takes; buffers are then held against its memories as they are made, and
  /// to_string() shows its number of cores. "": not known yet.
  std::string target = {};
  /// Computed tensors that are read as they are: another kernel computes them.
  std::vector<Tensor> inputs = {};
};

/// The answer of Schedule::legal: true, or false with the error that would be thrown.
class Verdict {
 public:
  Verdict() = default;
  explicit Verdict(std::string error) : error_(std::move(error)) {}
  explicit operator bool() const { return error_.empty(); }
  const std::string& error() const { return error_; }

 private:
  std::string error_;
};

/// How a tensor expression runs: loops, buffers and transfers, each proved as it is made.
class Schedule {
 public:
  /// Throws DslError when two tensors share a name or an output is a placeholder.
  explicit Schedule(const std::vector<Tensor>& outputs, Line line = Line::current());
  Schedule(const std::vector<Tensor>& outputs, const ScheduleOptions& options,
           Line line = Line::current());
  explicit Schedule(schedule::State state) : state_(std::move(state)) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  Schedule(Schedule&&) = delete;
  Schedule& operator=(Schedule&&) = delete;
  ~Schedule() = default;

  const schedule::State& state() const { return state_; }
  /// Throws ScheduleArgumentError for a tensor that is no stage.
  Stage operator[](const Tensor& tensor);
  /// States what only the caller can know of sizes: `s.assume({n % 16 == 0, m <= n})`. It holds for
  /// loops and for the proof of every later primitive, and each call checks it.
  void assume(const std::vector<Expr>& conditions, Line line = Line::current());
  /// Copies a region of `tensor` to near memory before it is read.
  Buffer buffer_read(const Tensor& tensor, const BufferOptions& options,
                     Line line = Line::current());
  /// Copies a part of a buffer in scope "shared" to the memory of each core.
  Buffer buffer_read(const Buffer& source, const BufferOptions& options,
                     Line line = Line::current());
  /// Keeps a region of `tensor` in near memory while it is computed, and stores it afterwards.
  Buffer buffer_write(const Tensor& tensor, const BufferOptions& options,
                      Line line = Line::current());
  /// Lets a buffer hold two regions: one is used while the next one arrives, or the last one
  /// leaves. With `across` they take turns over the iterations of all loops from that one inward.
  void double_buffer(const Buffer& buffer, Line line = Line::current());
  void double_buffer(const Buffer& buffer, const AxisLike& across, Line line = Line::current());
  /// Loads a buffer `distance` iterations early, with as many more regions as that needs.
  void prefetch(const Buffer& buffer, int distance = 1, Line line = Line::current());
  void prefetch(const Buffer& buffer, int distance, const AxisLike& across,
                Line line = Line::current());
  /// Lets the one region of a buffer be on its way while nothing uses it: loaded when the last use
  /// is over, waited for where it is written again.
  void single_buffer(const Buffer& buffer, Line line = Line::current());
  void single_buffer(const Buffer& buffer, const AxisLike& across, Line line = Line::current());
  /// Lets the cores of a row, a column or the whole mesh read a buffer together, each a part.
  void broadcast(const Buffer& buffer, schedule::SharedBy over, Line line = Line::current());
  /// Stores a tensor in another layout: `layout` takes an Axis per dimension, named in `axes`, and
  /// gives the indices in the new layout, an Expr or a std::vector<Expr>.
  ///
  ///   s.transform_layout(P, {"i"}, [](Axis i) {
  ///     return std::vector<Expr>{floor_divide(i, 8), i % 8};
  ///   });
  template <std::size_t kRank, typename Layout>
  void transform_layout(const Tensor& tensor, const char* const (&axes)[kRank],
                        const Layout& layout, Line line = Line::current()) {
    const auto index = [&](const std::vector<Axis>& values) {
      return detail::call_index(layout, values, std::make_index_sequence<kRank>());
    };
    store_as(tensor, {axes, axes + kRank}, index, line);
  }
  /// Splits a reduction up along one of its loops; the tensor of partial results, that axis first.
  /// Of several values, the tensor of the first; its members() are those of all.
  Tensor rfactor(const Tensor& tensor, const AxisLike& axis, Line line = Line::current());
  /// Computes more elements than a tensor has: the padded tensor.
  Tensor pad(const Tensor& tensor, const std::vector<std::int64_t>& shape,
             Line line = Line::current());
  /// Chooses what is staged, tile sizes, loop order and transfers for `target`, as primitives.
  void auto_buffer(const std::string& target, const std::string& planner,
                   Line line = Line::current()) {
    auto_buffer(target, planner, "auto", line);
  }
  /// The same, with the code of products of matrices: "auto", "c" or "assembly".
  void auto_buffer(const std::string& target, const std::string& planner, const std::string& inner,
                   Line line = Line::current());
  /// Chooses all of the schedule for a CPU with vectors, by a model of it; for a machine with a
  /// scratchpad it is auto_buffer.
  void auto_schedule(const std::string& target, Line line = Line::current());
  /// Each buffer, its bytes, the total against the capacity, and how far each loop could grow.
  std::string ldm_report(const std::string& target, Line line = Line::current()) const;
  /// Asks whether primitives could be applied, without doing it:
  ///
  ///   if (!s.legal([&] { s[H].reorder({"i", "t"}); })) { ... }
  Verdict legal(const std::function<void()>& primitives);
  /// What makes the primitive legal that this schedule refused last, as text: the smallest legal
  /// thing to do in its place, looked for when it is asked for. Nullopt when none was found, or the
  /// schedule was changed since.
  std::optional<std::string> fix();
  /// Makes it. Throws ScheduleArgumentError when there is none.
  void apply_fix(Line line = Line::current());
  /// The primitives that made it, in order.
  const std::vector<schedule::Step>& log() const { return state_.log; }
  /// The isl schedule tree.
  std::string tree() const;
  /// The loops, in the form of Figure 2(d) of the swTVM paper.
  std::string to_string() const;

 private:
  friend class Stage;
  /// A primitive that was refused.
  struct Refused {
    schedule::Attempt attempt;
    SourceLoc where;
    std::size_t step_count = 0;
  };

  /// Applies a primitive; the loops that it made. Remembers one that is refused. `rest`: what its
  /// call has behind the axes, ", 'row'".
  std::vector<schedule::LoopId> apply(const std::string& primitive, const std::string& stage,
                                      const std::vector<schedule::LoopId>& axes,
                                      const SourceLoc& where, const Stage::Apply& make,
                                      const std::string& rest = "");
  /// Remembers a call that was refused.
  void refuse(schedule::Attempt attempt, const SourceLoc& where);
  std::optional<schedule::Fix> found_fix(const SourceLoc& where, std::size_t first) const;
  void require_memory(const schedule::State& state, const SourceLoc& where) const;
  /// `source`: the buffer of the tensor that is read instead of it; "": none.
  Buffer place(const Tensor& tensor, bool is_read, const BufferOptions& options,
               const SourceLoc& where, const std::string& source = "");
  /// The stage to which the first loop or axis of a request belongs; "" when none is named.
  std::string named_stage(const BufferOptions& options) const;
  std::string stage_of(const AxisLike& axis) const;
  /// double_buffer, and prefetch, with a loop of the stage that the buffer serves.
  void deepen(const Buffer& buffer, const std::optional<schedule::LoopId>& across,
              const SourceLoc& where);
  void load_early(const Buffer& buffer, int distance, const std::optional<schedule::LoopId>& across,
                  const SourceLoc& where);
  schedule::LoopId loop_of(const Buffer& buffer, const AxisLike& axis, const std::string& request,
                           const SourceLoc& where);
  void store_as(const Tensor& tensor, const std::vector<std::string>& axes,
                const std::function<std::vector<Expr>(const std::vector<Axis>&)>& index,
                const Line& line);
  /// An index expression, with the loop that each of its axes is.
  schedule::RegionItem item_of(const Expr& index, const Stage& stage, const std::string& request,
                               const SourceLoc& where) const;
  dsl::Axis axis_of(schedule::LoopId id) const;

  schedule::State state_;
  std::optional<Target> machine_;
  std::optional<Refused> refused_;
  mutable std::map<schedule::LoopId, dsl::Axis> axes_;  ///< one per loop, made when asked for
};

/// The schedule in which every stage runs as it was written.
Schedule create_schedule(const std::vector<Tensor>& outputs, const ScheduleOptions& options = {},
                         Line line = Line::current());

}  // namespace solway
