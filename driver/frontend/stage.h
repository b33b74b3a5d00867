#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/frontend/intrinsic.h"
#include "driver/frontend/loop.h"
#include "driver/frontend/tensor.h"
#include "schedule/compute_at.h"
#include "schedule/parallel.h"
#include "schedule/state.h"

namespace solway {

/// How many blocks split makes: s[C].split("i", Parts{8}).
struct Parts {
  std::int64_t count = 1;
};

struct Buffer;

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
  /// Into so many blocks: by ceil(extent / parts). Throws UnsupportedError when the extent depends
  /// on sizes.
  std::pair<Loop, Loop> split(const AxisLike& axis, const Parts& parts,
                              Line line = Line::current());
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
  void fuse_with(const Tensor& other, const AxisLike& axis, Line line = Line::current());
  void parallel(const AxisLike& axis, Line line = Line::current());
  /// parallel under its Sunway name.
  void athread_parallel(const AxisLike& axis, Line line = Line::current());
  void parallel(const AxisLike& rows, const AxisLike& columns, const schedule::Grid& grid,
                Line line = Line::current());
  void bind(const AxisLike& axis, const std::string& hardware, Line line = Line::current());
  void vectorize(const AxisLike& axis, Line line = Line::current());
  void unroll(const AxisLike& axis, Line line = Line::current());
  /// Asks the caches for what iteration t + distance of loop `at` reads of `tensor`, a tensor or a
  /// buffer, while iteration t runs.
  void prefetch_lines(const Tensor& tensor, const AxisLike& at, std::int64_t distance,
                      const std::optional<AxisLike>& inside = {}, Line line = Line::current());
  /// The same of a buffer that buffer_read made.
  void prefetch_lines(const Buffer& buffer, const AxisLike& at, std::int64_t distance,
                      const std::optional<AxisLike>& inside = {}, Line line = Line::current());
  /// Runs code that a person wrote in place of a loop and all loops inside it, which are proved to
  /// compute what the intrinsic says.
  void tensorize(const AxisLike& axis, const Intrinsic& intrinsic, Line line = Line::current());
  /// Runs assembly that the compiler makes in place of a product of matrices.
  void tensorize(const AxisLike& axis, const MicroKernel& kernel, Line line = Line::current());

  /// Computes, inside a loop of `consumer`, what one of its iterations needs of this stage.
  void compute_at(const Tensor& consumer, const AxisLike& axis,
                  schedule::TileRegion region = schedule::TileRegion::Exact,
                  const std::string& scope = "", Line line = Line::current());
  void compute_inline(Line line = Line::current());
  void compute_root(Line line = Line::current());
  /// The loops of `consumer` inside which compute_at may place this stage, outermost first.
  std::vector<Loop> legal_levels(const Tensor& consumer, Line line = Line::current()) const;
  /// Makes two versions of this stage's loops: one where all conditions on its loops or axes hold,
  /// which keeps them, and after it one with copies of them under the same names, which the
  /// tensor that is returned names:
  ///
  ///   const Tensor rest = s[C].specialize({outer < 7});
  ///   s[C].vectorize(inner);
  ///   s[rest].unroll("i.i");
  Tensor specialize(const std::vector<Expr>& conditions, Line line = Line::current());

 private:
  friend class Schedule;
  Stage(Schedule& schedule, std::string name) : schedule_(schedule), name_(std::move(name)) {}

  /// What a primitive made.
  struct Applied {
    schedule::State state;
    std::vector<schedule::LoopId> loops;
  };
  /// A primitive as a function of a state and the loops that it names.
  using Apply =
      std::function<Applied(const schedule::State&, const std::vector<schedule::LoopId>&)>;
  void prefetch_lines(const std::string& array, const AxisLike& at, std::int64_t distance,
                      const std::optional<AxisLike>& inside, const SourceLoc& where);
  /// Marks a loop of the stage that it belongs to, which may be one that a fix made.
  using Mark = schedule::State (*)(const schedule::State&, const std::string&, schedule::LoopId,
                                   const SourceLoc&);
  void mark(const std::string& primitive, Mark how, const AxisLike& axis, const SourceLoc& where);
  std::vector<schedule::LoopId> apply(const std::string& primitive,
                                      const std::vector<schedule::LoopId>& axes,
                                      const SourceLoc& where, const Apply& make,
                                      const std::string& rest = "");
  std::vector<Loop> loops_of(const std::vector<schedule::LoopId>& ids) const;
  Loop loop(schedule::LoopId id) const;
  schedule::LoopId id_of(const AxisLike& axis, const std::string& request,
                         const SourceLoc& where) const;
  std::vector<schedule::LoopId> ids_of(const std::vector<AxisLike>& axes,
                                       const std::string& request, const SourceLoc& where) const;

  Schedule& schedule_;
  std::string name_;
};

}  // namespace solway
