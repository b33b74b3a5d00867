#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "schedule/affine.h"
#include "schedule/bind.h"
#include "schedule/fission.h"
#include "schedule/fuse.h"
#include "schedule/fuse_with.h"
#include "schedule/parallel.h"
#include "schedule/prefetch_lines.h"
#include "schedule/reorder.h"
#include "schedule/reverse.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/split.h"
#include "schedule/tile.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

namespace py = pybind11;

namespace solway::python {

using schedule::LoopId;

void bind_order(py::module_& m) {
  m.def(
      "split",
      [](const schedule::State& s, const std::string& stage, LoopId axis, std::int64_t factor,
         const SourceLoc& where, const std::string& tail) {
        schedule::SplitResult out =
            schedule::split(s, stage, axis, factor, where, schedule::tail_named(tail, where));
        return std::make_tuple(std::move(out.state), out.outer, out.inner);
      },
      py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("factor"), py::arg("where"),
      py::arg("tail"), "Strip-mines a loop; returns (state, outer, inner).");
  m.def("factor_of_parts", &schedule::factor_of_parts, py::arg("state"), py::arg("axis"),
        py::arg("parts"), py::arg("where"), "The factor that makes so many blocks of a loop.");
  m.def(
      "tile",
      [](const schedule::State& s, const std::string& stage, LoopId i, LoopId j, std::int64_t ti,
         std::int64_t tj, const SourceLoc& where) {
        schedule::TileResult out = schedule::tile(s, stage, i, j, ti, tj, where);
        return std::make_tuple(std::move(out.state), out.io, out.jo, out.ii, out.ji);
      },
      py::arg("state"), py::arg("stage"), py::arg("i"), py::arg("j"), py::arg("ti"), py::arg("tj"),
      py::arg("where"), "Splits two loops and brings the outer halves outside.");
  m.def(
      "fuse",
      [](const schedule::State& s, const std::string& stage, const std::vector<LoopId>& axes,
         const SourceLoc& where) {
        schedule::FuseResult out = schedule::fuse(s, stage, axes, where);
        return std::make_tuple(std::move(out.state), out.fused);
      },
      py::arg("state"), py::arg("stage"), py::arg("axes"), py::arg("where"),
      "Merges neighbouring loops; returns (state, fused).");
  m.def("reorder", &schedule::reorder, py::arg("state"), py::arg("stage"), py::arg("axes"),
        py::arg("where"), "Permutes loops of one stage.");
  m.def("parallel", &schedule::parallel, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Runs a loop's iterations on different cores.");
  m.def(
      "parallel_grid",
      [](const schedule::State& s, const std::string& stage, LoopId rows, LoopId columns,
         std::pair<std::int64_t, std::int64_t> grid, const SourceLoc& where) {
        return schedule::parallel_grid(s, stage, rows, columns, {grid.first, grid.second}, where);
      },
      py::arg("state"), py::arg("stage"), py::arg("rows"), py::arg("columns"), py::arg("grid"),
      py::arg("where"), "Runs two loops on the rows and columns of a mesh of cores.");
  m.def("bind", &schedule::bind, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("hardware"), py::arg("where"), "Runs a loop's iterations on a hardware dimension.");
  m.def("vectorize", &schedule::vectorize, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Runs a loop's iterations in vector lanes.");
  m.def("unroll", &schedule::unroll, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Writes out a loop's iterations.");
  m.def("prefetch_lines", &schedule::prefetch_lines, py::arg("state"), py::arg("stage"),
        py::arg("tensor"), py::arg("at"), py::arg("distance"), py::arg("inside"), py::arg("where"),
        "Asks the caches for what a loop reads of a tensor some iterations later.");
  m.def("skew", &schedule::skew, py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("by"),
        py::arg("factor"), py::arg("where"), "Slants a loop along another one.");
  m.def("shift", &schedule::shift, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("distance"), py::arg("where"), "Runs everything in a loop later.");
  m.def("reverse", &schedule::reverse, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Runs a loop from the last iteration to the first.");
  m.def(
      "affine",
      [](const schedule::State& s, const std::string& stage, const std::string& map,
         const std::vector<std::string>& names, const SourceLoc& where) {
        schedule::AffineResult out = schedule::affine(s, stage, map, names, where);
        return std::make_tuple(std::move(out.state), std::move(out.loops));
      },
      py::arg("state"), py::arg("stage"), py::arg("map"), py::arg("names"), py::arg("where"),
      "Replaces loops by affine functions of them; returns (state, loops).");
  m.def(
      "fission",
      [](const schedule::State& s, const std::string& stage, LoopId axis, const SourceLoc& where) {
        schedule::FissionResult out = schedule::fission(s, stage, axis, where);
        return std::make_tuple(std::move(out.state), std::move(out.loops));
      },
      py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("where"),
      "Gives each statement inside a loop a loop of its own; returns (state, loops).");
  m.def("fuse_with", &schedule::fuse_with, py::arg("state"), py::arg("stage"), py::arg("other"),
        py::arg("axis"), py::arg("where"), "Runs a stage in the loops of another one.");
}

}  // namespace solway::python
