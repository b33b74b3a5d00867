#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "schedule/fuse.h"
#include "schedule/mark_loop.h"
#include "schedule/reorder.h"
#include "schedule/reverse.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/split.h"

namespace py = pybind11;

namespace solway::python {

using schedule::LoopId;

void bind_order(py::module_& m) {
  m.def(
      "split",
      [](const schedule::State& s, const std::string& stage, LoopId axis, std::int64_t factor,
         const SourceLoc& where) {
        schedule::SplitResult out = schedule::split(s, stage, axis, factor, where);
        return std::make_tuple(std::move(out.state), out.outer, out.inner);
      },
      py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("factor"), py::arg("where"),
      "Strip-mines a loop; returns (state, outer, inner).");
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
  m.def("vectorize", &schedule::vectorize, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Runs a loop's iterations in vector lanes.");
  m.def("unroll", &schedule::unroll, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Writes out a loop's iterations.");
  m.def("skew", &schedule::skew, py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("by"),
        py::arg("factor"), py::arg("where"), "Slants a loop along another one.");
  m.def("shift", &schedule::shift, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("distance"), py::arg("where"), "Runs everything in a loop later.");
  m.def("reverse", &schedule::reverse, py::arg("state"), py::arg("stage"), py::arg("axis"),
        py::arg("where"), "Runs a loop from the last iteration to the first.");
}

}  // namespace solway::python
