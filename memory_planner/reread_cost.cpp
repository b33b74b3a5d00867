#include "memory_planner/reread_cost.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "memory_planner/tile_levels.h"

namespace solway::memory_planner {
namespace {

constexpr double kMostGaps = 2;    ///< of lines that are fetched, to those that are used
constexpr double kLineApart = 15;  ///< a line of which the core does not see the next; measured
/// A line of a short stretch that comes again, or of results elsewhere; measured 4 to 20.
constexpr double kLineOfStretch = 8;
constexpr double kMostOverlap = 1.25;  ///< of what tiles read, to what there is
/// ... where the next line is of another row; measured
constexpr double kLineOfRow = 25;
constexpr std::int64_t kRowBytes = 1024;   ///< between two rows, at least
constexpr std::int64_t kPieceBytes = 128;  ///< of a row, at most: a pair of lines
constexpr std::int64_t kPageBytes = 4096;  ///< at whose end processors stop to fetch ahead

std::size_t index(int loop) { return static_cast<std::size_t>(loop); }

/// Whether rows of the tile read places of an operand that are no neighbours.
bool has_stride(const VectorPlan& plan, const VectorAccess& access) {
  const auto is_apart = [&](const IndexTerm& term) {
    return term.growth > 1 && plan.held[index(term.loop)] > 1;
  };
  return std::any_of(access.dims.begin(), access.dims.end(), [&](const DimModel& dim) {
    return std::any_of(dim.terms.begin(), dim.terms.end(), is_apart);
  });
}

/// Bytes between what an operand is read at in one turn of the innermost loop and in the next; 0
/// where no such loop moves it evenly.
std::int64_t bytes_of_turn(const VectorStage& stage, const VectorPlan& plan,
                           const VectorAccess& access) {
  const int term = innermost_term(stage, plan);
  const auto step = term < 0 ? std::nullopt : access.steps[index(term)];
  return std::abs(step.value_or(0)) * access.element_bytes;
}

/// Whether vectors of each turn are of another page than those of the turn before.
bool reads_pieces_of_pages(const VectorStage& stage, const VectorPlan& plan,
                           const VectorAccess& access) {
  return panel_of(plan, access) == nullptr && lane_step(plan, access) == 1 &&
         bytes_of_turn(stage, plan, access) >= kPageBytes;
}

class Rereads {
 public:
  Rereads(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches)
      : Rereads(stage, plan, static_cast<double>(caches.second_bytes)) {}
  Rereads(const VectorStage& stage, const VectorPlan& plan, double cache_bytes)
      : stage_(stage), plan_(plan), cache_bytes_(cache_bytes), levels_(tile_levels(stage, plan)) {
    for (int k = 0; k < loop_count(); ++k) inside_.push_back(in_tile(k));
  }

  /// Bytes that one tile reads side by side.
  std::int64_t stretch_bytes(const VectorAccess& access) const {
    std::int64_t out = access.element_bytes;
    for (auto dim = access.dims.rbegin(); dim != access.dims.rend(); ++dim) {
      const auto size = static_cast<std::int64_t>(size_in(*dim));
      out *= size;
      if (size < dim->extent) break;
    }
    return out;
  }

  /// Bytes of an access in all tiles.
  double all_bytes(const VectorAccess& access) {
    for (int k = 0; k < loop_count(); ++k) inside_[index(k)] = in_all_tiles(k);
    return bytes(access);
  }

  double bytes_of_tile(const VectorAccess& access) const {
    return box(access) * static_cast<double>(access.element_bytes);
  }

  bool leaves_gaps(const VectorAccess& access) const { return reads(access) < box(access); }

  double elements_of_tiles(const VectorAccess& access) const {
    double out = box(access);
    for (const int loop : plan_.outer) {
      if (access.depends(loop)) out *= tiles_of(stage_, plan_, loop);
    }
    return out;
  }

  /// Cycles in which operands come again that `is_counted` names, of so many for a line.
  template <typename IsCounted>
  double run(double line_cycles, const IsCounted& is_counted) {
    double out = 0;
    for (std::size_t n = levels_.size(); n-- > 0;) {
      const TileLevel& level = levels_[n];
      if (level.iterations > 1 && !fits()) {
        out += outside(n) * (level.iterations - 1) * bytes_again(level.loop, is_counted);
      }
      double& inside = inside_[index(level.loop)];
      inside = std::min(extent(level.loop), inside * level.iterations);
    }
    return out / kLineBytes * line_cycles;
  }

  /// Whether the results of a tile lie far from those of the tile before.
  bool results_move_far(const VectorAccess& result) const {
    for (std::size_t n = levels_.size(); n-- > 0;) {
      const int loop = levels_[n].loop;
      if (levels_[n].iterations < 2) continue;
      const auto& step = result.steps[index(loop)];
      return !step || std::abs(*step) * held(loop) * result.element_bytes >= kPageBytes;
    }
    return false;
  }

 private:
  int loop_count() const { return static_cast<int>(stage_.loops.size()); }
  double extent(int loop) const { return static_cast<double>(stage_.loops[index(loop)].extent); }

  std::int64_t held(int loop) const {
    return plan_.held[index(loop)] * (loop == plan_.vector ? stage_.lanes : 1);
  }

  /// Iterations of the loops around the n-th one, blocks of the reduction among them.
  double outside(std::size_t n) const {
    double out = 1;
    if (plan_.blocked >= 0) out = extent(plan_.blocked) / static_cast<double>(plan_.block);
    for (std::size_t k = 0; k < n; ++k) out *= levels_[k].iterations;
    return out;
  }

  /// Iterations of a loop that run in one tile.
  double in_tile(int loop) const {
    if (is_reduction(stage_, loop)) return in_all_tiles(loop);
    return std::min(extent(loop), static_cast<double>(held(loop)));
  }

  /// ... in all tiles: of a reduction, in one block.
  double in_all_tiles(int loop) const {
    const bool is_cut = is_reduction(stage_, loop) && loop == plan_.blocked;
    return is_cut ? static_cast<double>(plan_.block) : extent(loop);
  }

  double bytes(const VectorAccess& access) const {
    const double gaps = access.depends(plan_.vector) ? 1 : kMostGaps;
    return std::min(box(access), reads(access) * gaps) * static_cast<double>(access.element_bytes);
  }

  /// Iterations that read other elements, or some of them again.
  double reads(const VectorAccess& access) const {
    double out = 1;
    for (int k = 0; k < static_cast<int>(stage_.loops.size()); ++k) {
      if (stage_.around[index(k)] && access.depends(k)) out *= inside_[index(k)];
    }
    return out;
  }

  double box(const VectorAccess& access) const {
    double out = 1;
    for (const DimModel& dim : access.dims) out *= size_in(dim);
    return out;
  }

  /// Places of one dimension between the first and the last that are read.
  double size_in(const DimModel& dim) const {
    auto size = static_cast<double>(dim.base);
    for (const IndexTerm& term : dim.terms) {
      size += static_cast<double>(term.growth) * (inside_[index(term.loop)] - 1);
    }
    return std::min(size, static_cast<double>(dim.extent));
  }

  bool fits() const {
    double all = 0;
    for (const VectorAccess& access : stage_.accesses) all += bytes(access);
    return all <= cache_bytes_;
  }

  template <typename IsCounted>
  double bytes_again(int loop, const IsCounted& is_counted) const {
    double out = 0;
    for (const VectorAccess& access : stage_.accesses) {
      if (access.is_written || access.depends(loop)) continue;
      if (is_counted(access)) out += bytes(access);
    }
    return out;
  }

  const VectorStage& stage_;
  const VectorPlan& plan_;
  double cache_bytes_;
  std::vector<TileLevel> levels_;
  std::vector<double> inside_;  ///< per loop: its iterations that run inside of a level
};

}  // namespace

double bytes_of_tile(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  return Rereads(stage, plan, CacheModel{}).bytes_of_tile(access);
}

bool leaves_gaps(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access) {
  return Rereads(stage, plan, CacheModel{}).leaves_gaps(access);
}

double bytes_of_all_tiles(const VectorStage& stage, const VectorPlan& plan,
                          const VectorAccess& access) {
  return Rereads(stage, plan, CacheModel{}).all_bytes(access);
}

bool is_read_apart(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   const CacheModel& caches) {
  if (access.is_written || access.depends(plan.vector)) return false;
  return has_stride(plan, access) && leaves_gaps(stage, plan, access) &&
         bytes_of_all_tiles(stage, plan, access) > static_cast<double>(caches.second_bytes);
}

double wait_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  double out = 0;
  if (!stage.is_update || plan.vector < 0) return out;
  for (const VectorAccess& access : stage.accesses) {
    if (panel_of(plan, access) != nullptr || !is_read_apart(stage, plan, access, caches)) continue;
    out += bytes_of_all_tiles(stage, plan, access) / kLineBytes * kLineApart;
  }
  return out;
}

bool reads_many_rows(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                     const CacheModel& caches) {
  if (access.is_written || access.depends(plan.vector) || has_stride(plan, access)) return false;
  if (panel_of(plan, access) != nullptr) return false;
  if (bytes_of_turn(stage, plan, access) < kRowBytes) return false;
  return bytes_of_all_tiles(stage, plan, access) > static_cast<double>(caches.second_bytes);
}

bool is_read_once_in_stretches(const VectorStage& stage, const VectorPlan& plan,
                               const VectorAccess& access, const CacheModel& caches) {
  if (access.is_written || access.depends(plan.vector) || has_stride(plan, access)) return false;
  const double own = bytes_of_all_tiles(stage, plan, access);
  const auto room = static_cast<double>(caches.second_bytes);
  if (own <= room) return false;
  const Rereads tile(stage, plan, caches);
  const double read = tile.elements_of_tiles(access) * static_cast<double>(access.element_bytes);
  return tile.stretch_bytes(access) < kPageBytes && read <= own * kMostOverlap;
}

double elements_of_tiles(const VectorStage& stage, const VectorPlan& plan,
                         const VectorAccess& access) {
  return Rereads(stage, plan, CacheModel{}).elements_of_tiles(access);
}

double reread_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  if (!stage.is_update || plan.vector < 0) return 0;
  Rereads tiles(stage, plan, caches);
  const auto is_in_pieces = [&](const VectorAccess& access) {
    return reads_many_rows(stage, plan, access, caches) ||
           (access.depends(plan.vector) && reads_pieces_of_pages(stage, plan, access) &&
            tiles.stretch_bytes(access) <= kPieceBytes);
  };
  std::set<const VectorAccess*> in_pieces;
  for (const VectorAccess& access : stage.accesses) {
    if (is_in_pieces(access)) in_pieces.insert(&access);
  }
  // Numbers that are spread over lanes and lie one after the other are few, and fetched ahead.
  const double in_order = tiles.run(kVectorFromThird, [&](const VectorAccess& access) {
    return in_pieces.count(&access) == 0 &&
           (access.depends(plan.vector) || has_stride(plan, access));
  });
  if (in_pieces.empty()) return in_order;
  return in_order + Rereads(stage, plan, caches).run(kLineOfRow, [&](const VectorAccess& access) {
    return in_pieces.count(&access) != 0;
  });
}

double lines_again(const VectorStage& stage, const VectorPlan& plan, const VectorAccess& access,
                   double cache_bytes) {
  return Rereads(stage, plan, cache_bytes).run(1, [&](const VectorAccess& other) {
    return &other == &access;
  });
}

double order_cycles(const VectorStage& stage, const VectorPlan& plan, const CacheModel& caches) {
  if (!stage.is_update || plan.vector < 0) return 0;
  Rereads tiles(stage, plan, caches);
  std::set<std::string> in_stretches;
  double out = 0;
  for (const VectorAccess& access : stage.accesses) {
    if (access.is_written) {
      if (!tiles.results_move_far(access)) continue;
      out += bytes_of_all_tiles(stage, plan, access) / kLineBytes * kLineOfStretch;
    } else if (!access.depends(plan.vector) && !has_stride(plan, access) &&
               panel_of(plan, access) == nullptr && tiles.stretch_bytes(access) < kPageBytes) {
      in_stretches.insert(access.array);
    }
  }
  if (in_stretches.empty()) return 0;
  return out + tiles.run(kLineOfStretch, [&](const VectorAccess& access) {
    return in_stretches.count(access.array) != 0;
  });
}

}  // namespace solway::memory_planner
