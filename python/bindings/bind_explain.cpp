#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "driver/figures.h"
#include "python/bindings/bind.h"
#include "schedule/suggest_fix.h"
#include "support/isl_ext.h"

namespace py = pybind11;

namespace solway::python {

namespace {

using schedule::LoopId;
using schedule::State;

/// (loops, primitive or "", number or None, without the region) of a schedule::Change.
py::tuple tuple_of(const schedule::Change& change) {
  return py::make_tuple(change.axes, change.primitive, change.number, change.without_region);
}

/// (number, text, state) of the first legal candidate; `apply` takes a state and a changed call,
/// and returns a state, or None when it is refused; `text` gives the changed call as text.
std::optional<std::tuple<std::size_t, std::string, State>> suggest_fix(
    const State& state, const std::string& primitive, const std::string& stage,
    const std::vector<LoopId>& axes, std::optional<int> given, bool has_region,
    const std::string& tensor, const py::object& apply, const py::object& text,
    const SourceLoc& where, std::size_t first) {
  schedule::Attempt attempt{primitive, stage, axes, {}};
  attempt.number = given;
  attempt.has_region = has_region;
  attempt.tensor = tensor;
  attempt.apply = [&apply](const State& before, const schedule::Change& change) {
    return apply(before, tuple_of(change)).cast<std::optional<State>>();
  };
  attempt.text = [&text](const schedule::Change& change) {
    return text(tuple_of(change)).cast<std::string>();
  };
  std::optional<schedule::Fix> fix = schedule::suggest_fix(state, attempt, where, first);
  if (!fix) return std::nullopt;
  return std::make_tuple(fix->number, std::move(fix->text), std::move(fix->state));
}

/// What each statement is: name, stage, kind, domain, and (reads or writes, relation) of each
/// access, as isl's text.
using StatementRow = std::tuple<std::string, std::string, std::string, std::string,
                                std::vector<std::pair<std::string, std::string>>>;

const char* word_of(schedule::StatementKind kind) {
  switch (kind) {
    case schedule::StatementKind::Compute:
      return "compute";
    case schedule::StatementKind::Init:
      return "initialise";
    case schedule::StatementKind::Update:
      return "update";
    case schedule::StatementKind::Issue:
      return "issue";
    case schedule::StatementKind::Complete:
      return "wait";
  }
  return "";
}

std::vector<StatementRow> statements_of(const State& state) {
  std::vector<StatementRow> out;
  for (const schedule::Placement& p : state.order.placements) {
    const schedule::Statement& s = state.program->statement(p.statement);
    std::vector<std::pair<std::string, std::string>> accesses;
    for (const schedule::Write& write : s.writes) {
      accesses.emplace_back("writes", isl_ext::to_string(write.relation));
    }
    for (const schedule::Operand& operand : s.reads) {
      accesses.emplace_back("reads", isl_ext::to_string(operand.relation));
    }
    out.emplace_back(s.name, s.stage, word_of(s.kind), isl_ext::to_string(s.domain),
                     std::move(accesses));
  }
  return out;
}

py::dict dict_of(const driver::Count& count) {
  py::dict out;
  out["value"] = count.value;
  out["exact"] = count.exact;
  return out;
}

const char* word_of(schedule::LoopMark mark) {
  switch (mark) {
    case schedule::LoopMark::Serial:
      return "serial";
    case schedule::LoopMark::Parallel:
      return "parallel";
    case schedule::LoopMark::Unrolled:
      return "unrolled";
    case schedule::LoopMark::Vectorized:
      return "vectorized";
    case schedule::LoopMark::Tensorized:
      return "tensorized";
  }
  return "";
}

py::dict dict_of(const driver::StatementFigures& s) {
  py::dict out;
  out["name"] = s.name;
  out["stage"] = s.stage;
  out["is_init"] = s.is_init;
  out["instances"] = dict_of(s.instances);
  py::list loops, accesses;
  for (const driver::LoopFigures& loop : s.loops) {
    py::dict one;
    one["id"] = loop.id;
    one["name"] = loop.name;
    one["extent"] = loop.extent;
    one["mark"] = word_of(loop.mark);
    one["hardware"] = loop.hardware;
    one["parts"] = loop.parts;
    loops.append(one);
  }
  for (const driver::AccessFigures& access : s.accesses) {
    py::dict one;
    one["array"] = access.array;
    one["is_write"] = access.is_write;
    one["is_near"] = access.is_near;
    one["element_bytes"] = access.element_bytes;
    one["strides"] = access.strides_elems;
    accesses.append(one);
  }
  out["loops"] = loops;
  out["accesses"] = accesses;
  out["transfer"] = py::none();
  if (s.transfer) {
    py::dict moved;
    moved["buffer"] = s.transfer->buffer;
    moved["tensor"] = s.transfer->tensor;
    moved["is_get"] = s.transfer->is_get;
    moved["element_bytes"] = s.transfer->element_bytes;
    moved["elements"] = dict_of(s.transfer->elements);
    moved["block_bytes"] = s.transfer->block_bytes;
    moved["buffer_bytes"] = s.transfer->buffer_bytes;
    moved["depth"] = s.transfer->depth;
    moved["distance"] = s.transfer->distance;
    moved["shared_by"] = s.transfer->shared_by;
    moved["is_shared"] = s.transfer->is_shared;
    out["transfer"] = moved;
  }
  return out;
}

py::object figures_of(const State& state) {
  py::list out;
  for (const driver::StatementFigures& s : driver::figures_of(state)) out.append(dict_of(s));
  return out;
}

}  // namespace

void bind_explain(py::module_& m) {
  m.def("suggest_fix", &suggest_fix, py::arg("state"), py::arg("primitive"), py::arg("stage"),
        py::arg("axes"), py::arg("given"), py::arg("has_region"), py::arg("tensor"),
        py::arg("apply"), py::arg("text"), py::arg("where"), py::arg("first"),
        "What makes a refused primitive legal: (number, text, state), or None.");
  m.def("statements_of", &statements_of, py::arg("state"),
        "(name, stage, kind, domain, accesses) of each statement, in textual order.");
  m.def("figures_of", &figures_of, py::arg("state"),
        "How often each statement runs, the strides of its accesses, what transfers move.");
}

}  // namespace solway::python
