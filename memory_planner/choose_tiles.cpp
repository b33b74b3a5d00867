#include "memory_planner/choose_tiles.h"

#include <algorithm>
#include <set>

#include "memory_planner/classify_loops.h"
#include "memory_planner/correlate.h"
#include "memory_planner/order_loops.h"

namespace solway::memory_planner {
namespace {

/// 64 floats per access reach good bandwidth (swTVM, Section 5.2).
constexpr std::int64_t kInitialTile = 64;

class TileChooser {
 public:
  TileChooser(const StageModel& stage, const Room& room)
      : stage_(stage), room_(room), classifier_(stage), users_(stage.loops.size(), 0) {
    choice_.tiles = smallest_tiles(stage);
    for (const std::set<int>& loops : correlate(stage)) {
      for (const int loop : loops) ++users_[static_cast<std::size_t>(loop)];
    }
  }

  TileChoice choose() {
    choice_.fits = use() <= room_.capacity_bytes;
    if (choice_.fits) {
      initialise();
      expand();
    }
    choice_.bytes = use();
    return choice_;
  }

 private:
  std::int64_t& tile(int loop) { return choice_.tiles[static_cast<std::size_t>(loop)]; }
  std::int64_t extent(int loop) const {
    return stage_.loops[static_cast<std::size_t>(loop)].extent;
  }
  std::int64_t use() const { return buffer_bytes(stage_, choice_.tiles, room_.alignment_bytes); }

  /// Whether all fits now; notes what was tried.
  bool fits(int loop) {
    const std::int64_t bytes = use();
    const bool fits = bytes <= room_.capacity_bytes;
    choice_.trials.push_back({loop, tile(loop), bytes, fits});
    return fits;
  }

  /// The loops that grow buffers: first those of sizes by rising tile, then those of both kinds by
  /// the rising number of tensors that they touch.
  std::vector<int> growing_loops() const {
    LoopClasses classes = classifier_.classify();
    std::stable_sort(classes.size.begin(), classes.size.end(), [&](int a, int b) {
      return choice_.tiles[static_cast<std::size_t>(a)] <
             choice_.tiles[static_cast<std::size_t>(b)];
    });
    std::stable_sort(classes.comp.begin(), classes.comp.end(), [&](int a, int b) {
      return users_[static_cast<std::size_t>(a)] < users_[static_cast<std::size_t>(b)];
    });
    std::vector<int> out = classes.size;
    out.insert(out.end(), classes.comp.begin(), classes.comp.end());
    return out;
  }

  void set_tile(int loop, std::int64_t value) {
    const bool was_whole = tile(loop) == extent(loop);
    tile(loop) = value;
    const bool is_whole = value == extent(loop);
    if (is_whole) classifier_.complete(loop);
    if (was_whole && !is_whole) classifier_.reopen(loop);
  }

  /// Gives each loop that grows a buffer its first tile, round by round: a complete dimension makes
  /// the loops of the next one grow the buffer.
  void initialise() {
    std::set<int> seen;
    std::vector<int> sequence;  // over all rounds, to step back through
    while (true) {
      std::vector<int> round;
      for (const int loop : growing_loops()) {
        if (seen.insert(loop).second) round.push_back(loop);
      }
      if (round.empty()) return;
      std::size_t at = sequence.size();
      sequence.insert(sequence.end(), round.begin(), round.end());
      while (at < sequence.size()) at = shrink_to_fit(sequence, at) ? at + 1 : at - 1;
    }
  }

  /// Starts the tile of one loop anew and halves it until all fits; false when the loop before it
  /// must give way.
  bool shrink_to_fit(const std::vector<int>& sequence, std::size_t at) {
    const int loop = sequence[at];
    set_tile(loop, std::min(kInitialTile, extent(loop)));
    while (!fits(loop)) {
      if (tile(loop) == 1) return false;
      set_tile(loop, tile(loop) / 2);
    }
    return true;
  }

  void expand() {
    while (true) {
      const int loop = select_loop(stage_, choice_.tiles, {}, growing_loops());
      if (loop < 0) return;
      const std::int64_t before = tile(loop);
      tile(loop) = std::min(2 * before, extent(loop));
      if (!fits(loop)) {
        tile(loop) = before;
        return;
      }
      if (tile(loop) == extent(loop)) classifier_.complete(loop);
    }
  }

  const StageModel& stage_;
  const Room& room_;
  LoopClassifier classifier_;
  std::vector<int> users_;  ///< per loop, the tensors that depend on it
  TileChoice choice_;
};

}  // namespace

TileChoice choose_tiles(const StageModel& stage, const Room& room) {
  return TileChooser(stage, room).choose();
}

}  // namespace solway::memory_planner
