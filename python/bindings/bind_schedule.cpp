#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "schedule/draft.h"
#include "schedule/isl_tree.h"
#include "schedule/loops_named.h"
#include "schedule/state.h"
#include "support/isl_ext.h"

namespace py = pybind11;

namespace solway::python {

namespace {

using schedule::LoopId;

schedule::State make_state(const std::vector<PyTensor>& outputs, const SourceLoc& where,
                           const std::vector<PyTensor>& inputs) {
  std::vector<dsl::Tensor> tensors;
  std::vector<dsl::Tensor> given;
  for (const PyTensor& output : outputs) tensors.push_back(output.node);
  for (const PyTensor& input : inputs) given.push_back(input.node);
  return schedule::make_state(tensors, where, given);
}

/// The loop that an axis of the user's expression became first; -1 when it is not one of `stage`.
LoopId loop_of_axis(const schedule::State& state, const std::string& stage, const PyAxis& axis) {
  const auto at = state.axis_loops.find(stage);
  if (at == state.axis_loops.end()) return -1;
  for (const auto& [own, id] : at->second) {
    if (own == axis.node) return id;
  }
  return -1;
}

/// (id, name, is a reduction, begin, end) of each present loop of a stage, outermost first.
using LoopRow = std::tuple<LoopId, std::string, bool, std::int64_t, std::int64_t>;
std::vector<LoopRow> loops_of(const schedule::State& state, const std::string& stage) {
  std::vector<LoopRow> out;
  for (const LoopId id : state.stage_loops.at(stage)) {
    const schedule::Loop& loop = state.order.loop(id);
    out.emplace_back(id, loop.name, loop.kind == dsl::AxisKind::Reduce, loop.begin, loop.end);
  }
  return out;
}

/// One argument of a step: name, what the value is ("loop": an id; "number", "word"; "text": Python
/// text with loops as {id}, tensors as {name} and sizes as {sizes.name}), value.
using ArgumentRow = std::tuple<std::string, std::string, std::variant<std::int64_t, std::string>>;
/// One step of the log: primitive, stage, arguments, results, the line as (file, line, text), and
/// the buffer that it made.
using StepRow = std::tuple<std::string, std::string, std::vector<ArgumentRow>, std::vector<LoopId>,
                           std::tuple<std::string, int, std::string>, std::string>;

std::vector<StepRow> log_of(const schedule::State& state) {
  std::vector<StepRow> out;
  for (const schedule::Step& step : state.log) {
    std::vector<ArgumentRow> arguments;
    for (const auto& [name, value] : step.arguments) {
      if (const auto* id = std::get_if<LoopId>(&value)) {
        arguments.emplace_back(name, "loop", std::int64_t{*id});
      } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
        arguments.emplace_back(name, "number", *number);
      } else if (const auto* text = std::get_if<schedule::StepText>(&value)) {
        arguments.emplace_back(name, "text", text->text);
      } else {
        arguments.emplace_back(name, "word", std::get<std::string>(value));
      }
    }
    out.emplace_back(step.primitive, step.stage, std::move(arguments), step.results,
                     std::make_tuple(step.where.file, step.where.line, step.where.text),
                     step.buffer);
  }
  return out;
}

std::string tree_of(const schedule::State& state) {
  return isl_ext::to_string(
      schedule::isl_tree_of(state.program->ctx(), state.order, state.program->domains()));
}

std::vector<PyTensor> py_tensors(const std::vector<dsl::Tensor>& tensors) {
  std::vector<PyTensor> out;
  for (const dsl::Tensor& tensor : tensors) out.push_back({tensor});
  return out;
}

/// What the caller brings in an array: a placeholder, or a tensor that is not computed here.
std::optional<dsl::Tensor> input_in(const schedule::Program& program,
                                    const schedule::Array& array) {
  if (!program.is_input(array)) return std::nullopt;
  for (const dsl::Tensor& given : program.given) {
    if (given->storage_name() == array.name) return given;
  }
  return array.tensor;
}

/// The inputs in the order in which the stages read them first.
std::vector<PyTensor> inputs_of(const schedule::State& state) {
  const schedule::Program& program = *state.original;
  std::vector<PyTensor> out;
  std::set<std::string> seen;
  for (const dsl::Tensor& stage : program.stages) {
    for (const auto& [name, statement] : program.statements) {
      if (statement.stage != stage->name) continue;
      for (const schedule::Operand& operand : statement.reads) {
        const schedule::Array& array = program.array(isl_ext::tuple_name(operand.relation.range()));
        const std::optional<dsl::Tensor> input = input_in(program, array);
        if (input && seen.insert(array.name).second) out.push_back({*input});
      }
    }
  }
  return out;
}

}  // namespace

void bind_schedule(py::module_& m) {
  py::class_<schedule::State>(m, "ScheduleState", "An immutable schedule: program, order, log.")
      .def("loops", &loops_of, py::arg("stage"), "Present loops of a stage, outermost first.")
      .def("loops_named", &schedule::loops_named, py::arg("stage"), py::arg("name"),
           "Ids of the loops of a stage that have a name; else of the last one that was replaced.")
      .def("loop_of_axis", &loop_of_axis, py::arg("stage"), py::arg("axis"),
           "The loop that an axis of the expression became first; -1 when it is another stage's.")
      .def(
          "loop_name",
          [](const schedule::State& s, LoopId id) { return schedule::loop_name(s, id); },
          py::arg("loop"), "The name of a loop, present or replaced.")
      .def(
          "has_constant_extent",
          [](const schedule::State& s, LoopId id) {
            const auto at = s.order.loops.find(id);
            return at == s.order.loops.end() || !at->second.depends_on_sizes;
          },
          py::arg("loop"), "False for a loop whose extent depends on sizes.")
      .def("log", &log_of, "The primitives that made it.")
      .def(
          "step_count", [](const schedule::State& s) { return s.log.size(); },
          "The number of primitives that made it.")
      .def(
          "draft", [](const schedule::State& s) { return schedule::begin_draft(s); },
          "The same schedule, on which primitives apply without their proofs.")
      .def(
          "settled",
          [](const schedule::State& s, const SourceLoc& where) {
            return schedule::try_settle(s, {"load_schedule", where});
          },
          py::arg("where"),
          "Of a draft: proved as a whole, no draft any more; None when it is not shown to be "
          "legal.")
      .def("inputs", &inputs_of,
           "Placeholders and what else is not computed, in the order in which they are read first.")
      .def(
          "nested",
          [](const schedule::State& s) {
            std::vector<PyTensor> out;
            for (const auto& [name, array] : s.original->arrays) {
              if (array.kind == schedule::ArrayKind::Temporary) out.push_back({array.tensor});
            }
            return out;
          },
          "The values of reductions that are nested in expressions.")
      .def(
          "given", [](const schedule::State& s) { return py_tensors(s.program->given); },
          "Computed tensors that it reads as they are.")
      .def(
          "outputs", [](const schedule::State& s) { return py_tensors(s.program->outputs); },
          "The outputs, in the order in which they were given.")
      .def(
          "sizes",
          [](const schedule::State& s) {
            std::vector<PySize> out;
            for (const dsl::Size& size : s.program->sizes) out.push_back({size});
            return out;
          },
          "The sizes of its tensors.")
      .def("tree", &tree_of, "The isl schedule tree as text.")
      .def(
          "stages",
          [](const schedule::State& s) {
            std::vector<PyTensor> out;
            for (const dsl::Tensor& stage : s.program->stages) out.push_back({stage});
            for (const dsl::Tensor& stage : s.original->stages) {
              if (!s.program->has_stage(stage)) out.push_back({stage});
            }
            return out;
          },
          "The computed tensors, each after what it reads; then those that are inlined.");
  m.def("make_state", &make_state, py::arg("outputs"), py::arg("where"),
        py::arg("inputs") = std::vector<PyTensor>(),
        "The schedule in which every stage runs as it was written; computed tensors among "
        "`inputs` are read as they are.");
}

}  // namespace solway::python
