#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "driver/place_buffer.h"
#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "python/bindings/region_item.h"
#include "schedule/broadcast.h"
#include "schedule/double_buffer.h"
#include "schedule/prefetch.h"
#include "schedule/single_buffer.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway::python {

namespace {

using schedule::LoopId;
/// A loop, or an index expression.
using RegionArgument = std::variant<LoopId, PyExpr>;

schedule::AccessKind kind_of(bool is_read) {
  return is_read ? schedule::AccessKind::Reads : schedule::AccessKind::Writes;
}

std::pair<schedule::State, std::string> place_buffer(
    const schedule::State& state, bool is_read, const std::string& stage, const std::string& tensor,
    const std::optional<std::vector<RegionArgument>>& region, const AxisLoops& loops,
    std::optional<LoopId> at, const std::string& scope, const std::vector<int>& layout,
    const std::vector<LoopId>& loop_layout, int depth, bool fill_padding,
    std::optional<LoopId> slide, const std::vector<std::string>& also,
    const schedule::ReferenceNumbers& references, std::int64_t align_bytes,
    const SourceLoc& where) {
  driver::PlacedBuffer request;
  request.also = also;
  request.references = references;
  request.stage = stage;
  request.tensor = tensor;
  request.at = at;
  request.scope = scope;
  request.layout = layout;
  request.loop_layout = loop_layout;
  request.depth = depth;
  request.slide = slide;
  request.align_bytes = align_bytes;
  if (fill_padding) request.padding = schedule::Padding::Filled;
  if (region) {
    request.region.emplace();
    for (const RegionArgument& item : *region) {
      schedule::RegionItem one;
      if (const auto* loop = std::get_if<LoopId>(&item)) {
        one.loop = *loop;
      } else {
        one = region_item(std::get<PyExpr>(item), loops, where);
      }
      request.region->push_back(std::move(one));
    }
  }
  schedule::BufferResult out = driver::place_buffer(state, kind_of(is_read), request, where);
  return {std::move(out.state), out.buffer};
}

/// An axis that stands for a loop, present or replaced, in expressions. Its name may hold dots.
PyAxis axis_of_loop(const schedule::State& state, LoopId id) {
  const auto at = state.order.loops.find(id);
  const schedule::Loop& loop = at != state.order.loops.end() ? at->second : state.removed.at(id);
  auto out = std::make_shared<dsl::AxisNode>();
  out->name = loop.name;
  out->kind = loop.kind;
  out->begin = loop.begin;
  out->end = loop.end;
  out->where = loop.where;
  return PyAxis{std::move(out)};
}

}  // namespace

void bind_buffer(py::module_& m) {
  m.def("place_buffer", &place_buffer, py::arg("state"), py::arg("is_read"), py::arg("stage"),
        py::arg("tensor"), py::arg("region"), py::arg("loops"), py::arg("at"), py::arg("scope"),
        py::arg("layout"), py::arg("loop_layout"), py::arg("depth"), py::arg("fill_padding"),
        py::arg("slide"), py::arg("also"), py::arg("references"), py::arg("align_bytes"),
        py::arg("where"), "Adds a buffer of a tensor's region; returns (state, its name).");
  m.def(
      "stage_of_buffer",
      [](const schedule::State& state, const std::string& buffer) {
        const auto at = state.program->buffers.find(buffer);
        return at == state.program->buffers.end() ? std::string() : at->second.stage;
      },
      py::arg("state"), py::arg("buffer"), "The stage that a buffer serves; '' of none.");
  m.def(
      "references_of",
      [](const schedule::State& state, const std::string& stage, const std::string& tensor) {
        std::vector<std::string> out;
        for (const auto& one : driver::references_of(state, stage, tensor)) {
          out.push_back(one.text);
        }
        return out;
      },
      py::arg("state"), py::arg("stage"), py::arg("tensor"),
      "The reads of a tensor in a stage's expression, as they are written.");
  m.def("double_buffer", &schedule::double_buffer, py::arg("state"), py::arg("buffer"),
        py::arg("where"), py::arg("across") = py::none(),
        "Lets a buffer hold two regions that take turns.");
  m.def("prefetch", &schedule::prefetch, py::arg("state"), py::arg("buffer"), py::arg("distance"),
        py::arg("where"), py::arg("across") = py::none(), "Loads a buffer some iterations early.");
  m.def("single_buffer", &schedule::single_buffer, py::arg("state"), py::arg("buffer"),
        py::arg("where"), py::arg("across") = py::none(),
        "Lets the one region of a buffer be on its way while nothing uses it.");
  m.def(
      "broadcast",
      [](const schedule::State& state, const std::string& buffer, const std::string& over,
         const SourceLoc& where) {
        const auto shared = over == "row"      ? schedule::SharedBy::Row
                            : over == "column" ? schedule::SharedBy::Column
                                               : schedule::SharedBy::All;
        return schedule::broadcast(state, buffer, shared, where);
      },
      py::arg("state"), py::arg("buffer"), py::arg("over"), py::arg("where"),
      "Lets the cores of a \"row\", a \"column\" or \"all\" read a buffer together.");
  m.def(
      "users_of",
      [](const schedule::State& s, const std::string& tensor, bool is_read) {
        return driver::users_of(s, tensor, kind_of(is_read));
      },
      py::arg("state"), py::arg("tensor"), py::arg("is_read"),
      "Names of the stages that read the memory of that name, or of those that store there.");
  m.def(
      "serving_stage",
      [](const schedule::State& s, bool is_read, const PyTensor& tensor, const std::string& named,
         const SourceLoc& where) {
        return driver::serving_stage(s, kind_of(is_read), tensor.node, named, where);
      },
      py::arg("state"), py::arg("is_read"), py::arg("tensor"), py::arg("named"), py::arg("where"),
      "Name of the stage that a buffer serves; `named`: whose loops the request names, or ''.");
  m.def("axis_of_loop", &axis_of_loop, py::arg("state"), py::arg("loop"),
        "A new axis that stands for a loop, present or replaced, in expressions.");
}

}  // namespace solway::python
