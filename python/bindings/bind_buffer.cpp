#include <algorithm>
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
#include "schedule/buffer_depth.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway::python {

namespace {

using schedule::LoopId;
/// A loop, or an index expression.
using RegionArgument = std::variant<LoopId, PyExpr>;

std::pair<schedule::State, std::string> place_buffer(
    const schedule::State& state, bool is_read, const std::string& stage, const std::string& tensor,
    const std::optional<std::vector<RegionArgument>>& region, const AxisLoops& loops,
    std::optional<LoopId> at, const std::string& scope, const std::vector<int>& layout,
    const std::vector<LoopId>& loop_layout, int depth, const SourceLoc& where) {
  driver::PlacedBuffer request;
  request.stage = stage;
  request.tensor = tensor;
  request.at = at;
  request.scope = scope;
  request.layout = layout;
  request.loop_layout = loop_layout;
  request.depth = depth;
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
  const auto kind = is_read ? schedule::AccessKind::Reads : schedule::AccessKind::Writes;
  schedule::BufferResult out = driver::place_buffer(state, kind, request, where);
  return {std::move(out.state), out.buffer};
}

/// The stages that read a tensor, or those that write it, in program order.
std::vector<std::string> users_of(const schedule::State& state, const std::string& tensor,
                                  bool is_read) {
  std::vector<std::string> out;
  for (const dsl::Tensor& stage : state.program->stages) {
    const std::vector<std::string> statements = schedule::statements_of(state, stage->name);
    if (!is_read) {
      const std::vector<dsl::Tensor> members = dsl::members_of(stage);
      const bool stores =
          std::any_of(members.begin(), members.end(),
                      [&](const dsl::Tensor& member) { return member->storage_name() == tensor; });
      const auto writes = [&](const std::string& name) {
        return state.program->statement(name).writes_to(tensor);
      };
      if (stores || std::any_of(statements.begin(), statements.end(), writes)) {
        out.push_back(stage->name);
      }
      continue;
    }
    const auto reads = [&](const std::string& name) {
      const auto& operands = state.program->statement(name).reads;
      return std::any_of(operands.begin(), operands.end(), [&](const schedule::Operand& operand) {
        if (!operand.read) return false;
        const dsl::Tensor& source = operand.read->tensor;
        return (source == stage->self ? stage->name : source->storage_name()) == tensor;
      });
    };
    if (std::any_of(statements.begin(), statements.end(), reads)) out.push_back(stage->name);
  }
  return out;
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
        py::arg("layout"), py::arg("loop_layout"), py::arg("depth"), py::arg("where"),
        "Adds a buffer of a tensor's region; returns (state, its name).");
  m.def("double_buffer", &schedule::double_buffer, py::arg("state"), py::arg("buffer"),
        py::arg("where"), "Lets a buffer hold two regions that take turns.");
  m.def("prefetch", &schedule::prefetch, py::arg("state"), py::arg("buffer"), py::arg("distance"),
        py::arg("where"), "Loads a buffer some iterations early.");
  m.def("users_of", &users_of, py::arg("state"), py::arg("tensor"), py::arg("is_read"),
        "Names of the stages that read the memory of that name, or of those that store there.");
  m.def("axis_of_loop", &axis_of_loop, py::arg("state"), py::arg("loop"),
        "A new axis that stands for a loop, present or replaced, in expressions.");
}

}  // namespace solway::python
