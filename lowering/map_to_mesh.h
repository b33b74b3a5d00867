#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::lowering {

/// The dimension of a mesh of cores that a loop runs on.
struct MeshLoop {
  std::string dimension;   ///< "row" or "column"
  std::int64_t parts = 0;  ///< how many of its cores; 0: all
};

/// A mesh of cores; core c stands in row c / columns and column c % columns.
struct Mesh {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// Makes one parallel loop over the cores of each nest of loops on rows and columns, which become
/// what one core runs of them. Where a nest has one of the two only, the first core of each row or
/// column runs it.
///
///   before: for i in [0, 64) parallel { for j in [0, 32) parallel { C[i, j] = 0.0f32 } }
///   after:  for i_core in [0, 64) parallel {
///             for i in [min(((i_core // 8) * 8), 64), min((...) + 8, 64)) {
///               for j in [min(((i_core % 8) * 4), 32), min((...) + 4, 32)) { C[i, j] = 0.0f32 } }
///               }
///
/// Where a loop uses some cores of each line only, and these pass on what they read together, the
/// other cores of the line take it too, and do nothing else (lowering/idle_cores.h).
///
/// `loops` are those on the mesh, by the name of the variable. Throws UnsupportedError when one of
/// a pair of loops is not directly inside the other.
///
/// Needs: names defined once around their uses. Keeps: everything else, by identity.
ir::Stmt map_to_mesh(const ir::Stmt& s, const std::map<std::string, MeshLoop>& loops,
                     const Mesh& mesh);

/// Whether map_to_mesh() takes it: of each pair of `loops` one stands directly inside the other.
bool are_mesh_pairs(const ir::Stmt& s, const std::map<std::string, MeshLoop>& loops);

}  // namespace solway::lowering
