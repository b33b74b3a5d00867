#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dsl/expr.h"
#include "schedule/references.h"

/// What is staged in near memory, in which tiles and loop order, and whether it fits.
namespace solway::memory_planner {

/// Who chooses how many iterations of a loop one tile holds.
enum class Tiling : std::uint8_t {
  Free,     ///< the planner
  Outside,  ///< the user, 1: the loop stands around the buffers
  Inside    ///< the user, all: the loop stands inside the buffers
};

/// How the user runs a loop, if not one iteration after the other.
enum class HeldBy : std::uint8_t {
  Nobody,   ///< registers hold what the planner chooses
  Vectors,  ///< the user: its iterations are lanes of vectors
  Unrolled  ///< the user: its iterations are written out
};

struct LoopModel {
  std::string name;
  std::int64_t extent = 1;
  dsl::AxisKind kind = dsl::AxisKind::Spatial;
  Tiling tiling = Tiling::Free;
  bool is_parallel = false;  ///< the user runs it on different cores
  /// A tensor is accessed inside of it and beside it, so that a buffer of the tensor stands around
  /// it: Tiling::Inside, and nobody's choice.
  bool is_whole = false;
  std::int64_t cores = 0;  ///< of one that is parallel: at most so many run it; 0: all there are
  HeldBy held = HeldBy::Nobody;  ///< but for Nobody, Tiling::Inside
  bool operator==(const LoopModel&) const = default;
};

/// A loop on which an index depends.
struct IndexTerm {
  int loop = 0;             ///< position in StageModel::loops
  std::int64_t growth = 1;  ///< how far the index moves, at most, when the loop moves by one
  bool operator==(const IndexTerm&) const = default;
};

/// One dimension of a tensor as a stage accesses it.
struct DimModel {
  std::vector<IndexTerm> terms;
  std::int64_t base = 1;    ///< elements that one iteration touches, as a box
  std::int64_t extent = 1;  ///< elements that the whole stage touches, as a box
  std::int64_t begin = 0;   ///< the first of them
  bool operator==(const DimModel&) const = default;
};

enum class AccessDirection : std::uint8_t { Read, Write };

/// What main memory holds of a tensor that a stage reads in another order of dimensions: each tile
/// lands as it lies there, and is turned in near memory (turning.h).
struct Turning {
  std::string tensor;     ///< the one in main memory
  std::vector<int> dims;  ///< per dimension of it, that of the tensor that is read
  bool operator==(const Turning&) const = default;
};

/// Two dimensions of what is written whose indices bound each other, as of a triangle (slants.h).
struct Slant {
  int outer = 0;
  int inner = 0;
  int sides = 1;  ///< corners of the box around it that it lacks
  bool operator==(const Slant&) const = default;
};

struct TensorModel {
  std::string name;
  std::int64_t element_bytes = 4;
  AccessDirection direction = AccessDirection::Read;
  std::vector<DimModel> dims;  ///< outermost first: the last is contiguous
  /// The value of a reduction nested in an expression: written and used up within a tile, so that
  /// main memory never sees it.
  bool is_local = false;
  /// Of what is computed with each tile of a product (epilogue.h), not of the product.
  bool is_epilogue = false;
  std::vector<int> elsewhere = {};  ///< loops that no statement accessing it stands under
  /// Where it copies another tensor with a border around it, which is filled in near memory: per
  /// dimension, how many of its indices lie in the border; empty: all of it is moved.
  std::vector<std::int64_t> border = {};
  std::optional<Turning> turning = std::nullopt;  ///< nullopt: main memory holds it as it is read
  /// Which references of the stage to the tensor it stands for, where groups of them have buffers
  /// of their own; nullopt: for all.
  schedule::ReferenceNumbers references = std::nullopt;
  std::string label = {};                ///< these, as they are shown: "X[i + 8]"; "": the name
  std::vector<std::int64_t> shape = {};  ///< of all of it; empty: as far as the stage touches it
  std::vector<Slant> slants = {};        ///< of one that is written
  bool operator==(const TensorModel&) const = default;
};

/// What a tensor is called: by its name, or by the references that it stands for.
const std::string& shown_name(const TensorModel& tensor);

/// Whether two tensors are moved at the same cost in each plan: groups of references to one tensor
/// that move with the same loops in the same way.
bool are_twins(const TensorModel& a, const TensorModel& b);

/// A stage as the planner sees it: spatial loops, around a statement or around several one after
/// the other, each under reduction loops of its own, and the tensors that they access.
struct StageModel {
  std::string name;
  std::vector<LoopModel> loops;  ///< outermost first
  std::vector<TensorModel> tensors;
  /// Reductions are nested in a larger expression: what computes with a sum is no part of its
  /// loops, which stay inside those of the tiles of the result.
  bool is_nested = false;
  bool operator==(const StageModel&) const = default;
};

/// Iterations of each loop that one tile holds; indexed as StageModel::loops.
using Tiles = std::vector<std::int64_t>;

/// Tiles of one iteration, but for the loops whose tile the user fixed.
Tiles smallest_tiles(const StageModel& stage);

/// The number of tiles that cover a loop.
std::int64_t tile_count(const StageModel& stage, const Tiles& tiles, int loop);

/// Elements of a dimension that one tile touches, as a box:
/// min(extent, base + sum over terms of growth * (tile - 1)).
std::int64_t footprint_elems(const DimModel& dim, const Tiles& tiles);

/// Bytes of one tile's buffer of a tensor, rounded up to the alignment; of one that is turned, of
/// both buffers.
std::int64_t buffer_bytes(const TensorModel& tensor, const Tiles& tiles,
                          std::int64_t alignment_bytes);

/// Bytes of all buffers of one tile.
std::int64_t buffer_bytes(const StageModel& stage, const Tiles& tiles,
                          std::int64_t alignment_bytes);

}  // namespace solway::memory_planner
