#pragma once

#include <cstdint>

#include "lowering/ir/stmt.h"

/// Exchanges along a line of the mesh of which a loop uses some cores only. A message to a whole
/// line reaches all of it at once; one to each of its cores takes as many sends, and a barrier
/// between parts. So the others take part: they run the exchanges, and nothing else.
namespace solway::lowering {

/// Whether `s` passes anything on along `line`.
bool has_exchanges(const ir::Stmt& s, ir::MeshLine line);

/// The exchanges of `s` along `line`, in as many parts as the line has cores; those behind the ones
/// that read have nothing.
///
///   before: exchange BB[k, 0] column part i of 7 (40, 256)
///   after:  exchange BB[k, 0] column part i of 8 (40, 256)
ir::Stmt along_all_cores(const ir::Stmt& s, ir::MeshLine line, std::int64_t cores);

/// What a core runs that only takes what the others of its line pass on: the exchanges of `s` along
/// `line`, of which it is part `part`, with the loops, conditions and buffers around them.
///
///   before: for k in [0, 4) { wait BB_get; exchange BB[k, 0] column part i of 8 (40, 256)
///             C[i, j] = (C[i, j] + BB[k, 0]) }
///   after:  for k in [0, 4) { exchange BB[k, 0] column part 7 of 8 (40, 256) }
///
/// Needs: has_exchanges(s, line).
ir::Stmt exchanges_alone(const ir::Stmt& s, ir::MeshLine line, std::int64_t part);

}  // namespace solway::lowering
