#include "memory_planner/transfer_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace solway::memory_planner {
namespace {

std::int64_t whole(std::int64_t bytes, std::int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

double cycles_at(const BandwidthPoint& point, bool is_get, double clock_mhz) {
  const double rate = is_get ? point.get_gb_per_s : point.put_gb_per_s;
  return static_cast<double>(point.block_bytes) / (rate * 1e3) * clock_mhz;
}

/// A block that begins with a transaction, by the published throughput; between two published sizes
/// as many transactions as it touches count.
double aligned_cycles(std::int64_t bytes, bool is_get, double clock_mhz,
                      const TransferEngine& engine) {
  const auto& points = engine.bandwidth;
  const std::int64_t moved = whole(bytes, engine.transaction_bytes);
  const auto above = std::lower_bound(
      points.begin(), points.end(), bytes,
      [](const BandwidthPoint& p, std::int64_t value) { return p.block_bytes < value; });
  if (above == points.begin()) return cycles_at(*above, is_get, clock_mhz);
  const auto high = above == points.end() ? points.end() - 1 : above;
  const double at_high = cycles_at(*high, is_get, clock_mhz);
  if (bytes <= high->block_bytes && high->block_bytes <= moved) return at_high;
  if (points.size() == 1) return at_high * static_cast<double>(moved) / static_cast<double>(bytes);
  const auto low = high - 1;
  const double at_low = cycles_at(*low, is_get, clock_mhz);
  const double part = static_cast<double>(moved - low->block_bytes) /
                      static_cast<double>(high->block_bytes - low->block_bytes);
  return at_low + part * (at_high - at_low);
}

double block_cycles(std::int64_t skipped, std::int64_t bytes, bool is_get, double clock_mhz,
                    const TransferEngine& engine) {
  const std::int64_t unit = engine.transaction_bytes;
  const double aligned = aligned_cycles(bytes, is_get, clock_mhz, engine);
  if (skipped == 0) {
    return aligned + (!is_get && bytes % unit != 0 ? engine.aligned_partial_put_cycles : 0);
  }
  const std::int64_t touched = whole(skipped + bytes, unit);
  double partly = 0;
  if (!is_get) partly = skipped + bytes > unit && (skipped + bytes) % unit != 0 ? 2 : 1;
  const double more = partly * engine.partial_put_cycles;
  if (engine.misaligned_gb_per_s == 0) {
    return aligned_cycles(touched, is_get, clock_mhz, engine) + more;
  }
  const double moved =
      static_cast<double>(touched) / (engine.misaligned_gb_per_s * 1e3) * clock_mhz;
  return std::max(aligned, moved + more);
}

/// Of a dimension of a piece.
struct DimLengths {
  std::int64_t divisor = 1;  ///< divides the elements that any tile has
  std::int64_t least = 1;    ///< that any of them has
};

DimLengths lengths_of(const DimModel& dim, std::int64_t elems, const Tiles& tiles,
                      const std::vector<bool>& ragged, const std::vector<TileEnds>& ends) {
  DimLengths out{elems, elems};
  for (const IndexTerm& term : dim.terms) {
    const auto loop = static_cast<std::size_t>(term.loop);
    if (!ragged[loop]) continue;
    const std::int64_t tail = ends.empty() ? 1 : ends[loop].tail;
    const std::int64_t last = std::max<std::int64_t>(1, elems - term.growth * (tiles[loop] - tail));
    out.divisor = std::gcd(out.divisor, last);
    out.least = std::min(out.least, last);
  }
  return out;
}

/// Divides the distance between any two tiles' begins, in indices.
std::int64_t step_of_tiles(const DimModel& dim, const Tiles& tiles,
                           const std::vector<TileEnds>& ends) {
  std::int64_t out = 0;
  for (const IndexTerm& term : dim.terms) {
    const auto loop = static_cast<std::size_t>(term.loop);
    out = std::gcd(out, term.growth * tiles[loop]);
    if (!ends.empty()) out = std::gcd(out, term.growth * ends[loop].part);
  }
  return out == 0 ? 1 : out;
}

}  // namespace

TransferShape transfer_shape(const TensorModel& tensor, const std::vector<std::int64_t>& sizes,
                             const Tiles& tiles, const std::vector<bool>& ragged, int ranks,
                             const std::vector<TileEnds>& ends) {
  TransferShape out;
  DimLengths run{tensor.element_bytes, tensor.element_bytes};
  out.block_bytes = tensor.element_bytes;
  std::int64_t pitch = tensor.element_bytes;  // from one index of the dimension to the next
  std::int64_t step = 0;
  int above = 0;  // dimensions that are no part of the piece and have several indices
  bool is_piece = true;
  bool has_gaps = false;
  bool is_continued = false;  // the dimension below is whole: pieces go on at the same distance
  for (std::size_t k = tensor.dims.size(); k-- > 0;) {
    const DimModel& dim = tensor.dims[k];
    const std::int64_t border = tensor.border.empty() ? 0 : tensor.border[k];
    const std::int64_t size = sizes[k] - border;  // in main memory
    const std::int64_t elems = std::min(footprint_elems(dim, tiles), size);
    out.first_bytes += pitch * dim.begin;
    if (is_piece) {
      out.block_bytes *= elems;
      const DimLengths own = lengths_of(dim, elems, tiles, ragged, ends);
      run.divisor *= own.divisor;
      run.least *= own.least;
    } else if (elems > 1) {
      out.blocks *= elems;
      step = std::gcd(step, pitch);
      if (!is_continued) ++above;
      if (above >= ranks || has_gaps) out.requests *= elems;
    }
    is_continued = !is_piece && elems == size;
    has_gaps = has_gaps || std::any_of(dim.terms.begin(), dim.terms.end(), [&](const IndexTerm& t) {
                 return ragged[static_cast<std::size_t>(t.loop)];
               });
    if (border > 0 && elems == size) {  // the buffer has the border as well
      is_piece = false;
      has_gaps = true;
    }
    if (elems < size) {  // tiles begin at several of its indices
      is_piece = false;
      step = std::gcd(step, pitch * step_of_tiles(dim, tiles, ends));
    }
    pitch *= size;
  }
  out.step_bytes = step;
  out.run_bytes = run.divisor;
  out.least_bytes = run.least * (has_gaps ? 1 : out.blocks / out.requests);
  return out;
}

bool is_moved_by(const TransferEngine& engine, const TransferShape& shape,
                 std::int64_t element_bytes) {
  const std::int64_t unit = engine.alignment_bytes;
  const std::int64_t common =
      std::gcd(std::gcd(shape.step_bytes, shape.first_bytes), shape.run_bytes);
  if (element_bytes % unit != 0 && common % unit != 0) return false;
  return engine.min_size_bytes <= unit || shape.least_bytes >= engine.min_size_bytes;
}

double engine_cycles(const TransferShape& shape, bool is_get, const Target& target,
                     const TransferEngine& engine) {
  const auto clock = static_cast<double>(target.cores.clock_mhz);
  const std::int64_t unit = engine.transaction_bytes;
  const std::int64_t apart = std::gcd(shape.step_bytes, unit);  // 0 and unit: always aligned
  double sum = 0;
  int places = 0;
  for (std::int64_t at = 0; at < unit; at += apart == 0 ? unit : apart) {
    sum += block_cycles(at, shape.block_bytes, is_get, clock, engine);
    ++places;
  }
  return sum / places * static_cast<double>(shape.blocks);
}

}  // namespace solway::memory_planner
