#pragma once

#include <cstdint>
#include <vector>

#include "lowering/lower_transfer.h"
#include "lowering/map_to_mesh.h"
#include "schedule/state.h"

/// Transfers that the cores of a line of the mesh make together, each a part of the region.
namespace solway::lowering {

/// The cores of one line that share a region: how many there are, and which one this is.
struct LineOfCores {
  ir::MeshLine line = ir::MeshLine::Row;
  ir::Expr place;  ///< int64: 0 <= place < cores
  std::int64_t cores = 1;
};

/// What a loop runs on one core: its iterations are shared out as map_to_mesh says.
struct OpenLoop {
  schedule::LoopId id = -1;
  ir::Expr begin;
  ir::Expr end;
  ir::Expr value;  ///< its variable
};

/// The lines along which a buffer is shared, those of a row first; `open` are the parallel loops
/// around its transfers. Throws ScheduleArgumentError where cores have unequal shares of a loop.
std::vector<LineOfCores> lines_of(const schedule::State& state, const schedule::Buffer& buffer,
                                  const std::vector<OpenLoop>& open, const Mesh& mesh);

/// The part of a transfer that one core of `lines` makes: some rows of the buffer's outermost
/// dimension that has several, as many for each core; where that has fewer than there are cores, of
/// the next dimension, if each of its rows is divided among as many cores evenly. A part has 32
/// bytes at least, what a register message carries, so that some cores may have nothing.
///
///   before: issue AA_get get A[i, k] -> AA[0, 0] (64, 1024, 128) (128, 1, 1)
///   after:  issue AA_get get A[(i + (j * 8)), k] -> AA[(j * 8), 0] (8, 1024, 128) (128, 1, 1)
TransferPlace part_of(const TransferPlace& place, const schedule::Buffer& buffer,
                      const std::vector<LineOfCores>& lines);

/// What passes the parts on, once each core's own is there: along rows, then along columns.
///
///   exchange AA[0, 0] row part j of 8 (1024, 8192)
ir::Stmt exchanges_of(const ir::Buffer& near, const schedule::Buffer& buffer, const ir::Expr& slot,
                      const std::vector<LineOfCores>& lines);

}  // namespace solway::lowering
