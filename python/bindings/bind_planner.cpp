#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include "driver/auto_buffer.h"
#include "driver/auto_schedule.h"
#include "driver/ldm_report.h"
#include "driver/peeling_decisions.h"
#include "driver/target_choice.h"
#include "python/bindings/bind.h"
#include "support/fast_dots.h"

namespace py = pybind11;

namespace solway::python {

namespace {

/// dict[str, object]
using Data = py::typing::Dict<py::str, py::object>;
using TargetArgument = std::variant<std::string, Target>;

Target machine_of(const TargetArgument& target, const SourceLoc& where) {
  if (const Target* machine = std::get_if<Target>(&target)) return *machine;
  return driver::require_target(std::get<std::string>(target), where);
}

/// (what, chosen, cycles, instead, its cycles or None, why not).
using DecisionRow =
    std::tuple<std::string, std::string, double, std::string, std::optional<double>, std::string>;

std::vector<DecisionRow> rows_of(const std::vector<memory_planner::Decision>& decisions) {
  std::vector<DecisionRow> out;
  for (const memory_planner::Decision& d : decisions) {
    const auto instead = d.instead_cycles < 0 ? std::nullopt : std::optional(d.instead_cycles);
    out.emplace_back(d.what, d.chosen, d.cycles, d.instead, instead, d.why_not);
  }
  return out;
}

Data dict_of(const driver::StageChoice& choice) {
  py::dict tiles;
  for (const driver::StageChoice::Tile& tile : choice.tiles) {
    tiles[py::str(tile.loop)] = py::make_tuple(tile.tile, tile.extent);
  }
  Data out;
  out["stage"] = choice.stage;
  out["tiles"] = tiles;
  out["order"] = py::tuple(py::cast(choice.order));
  out["parallel"] = choice.parallel.empty() ? py::object(py::none()) : py::str(choice.parallel);
  out["buffers"] = py::tuple(py::cast(choice.buffers));
  out["buffer_bytes"] = choice.buffer_bytes;
  out["room_bytes"] = choice.room_bytes;
  out["planner"] = choice.planner;
  out["cycles"] = choice.cycles < 0 ? py::object(py::none()) : py::float_(choice.cycles);
  out["decisions"] = py::cast(rows_of(choice.decisions));
  return out;
}

using RemarkRow = std::tuple<std::string, std::string, std::string>;
/// (state, what was chosen per stage, (step, verdict, why) of what was not staged).
using AutoBufferRow = std::tuple<schedule::State, std::vector<Data>, std::vector<RemarkRow>>;

AutoBufferRow auto_buffer(const schedule::State& state, const TargetArgument& target,
                          const std::string& planner, const std::string& inner,
                          const SourceLoc& where) {
  driver::AutoBufferResult result =
      driver::auto_buffer(state, machine_of(target, where), planner, where, inner);
  std::vector<Data> choices;
  for (const driver::StageChoice& choice : result.choices) choices.push_back(dict_of(choice));
  std::vector<RemarkRow> remarks;
  for (const Remark& r : result.remarks) remarks.emplace_back(r.step, r.verdict, r.why);
  return {std::move(result.state), std::move(choices), std::move(remarks)};
}

/// What a plan is, cycles of it, and the number of the one of which it is a variant, or -1.
using AlternativeRow = std::tuple<std::string, double, int>;
/// Per stage: its name, and the plans that may be picked.
using AlternativesRow = std::vector<std::pair<std::string, std::vector<AlternativeRow>>>;
using AutoScheduleRow =
    std::tuple<schedule::State, std::vector<Data>, std::vector<RemarkRow>, AlternativesRow>;

AutoScheduleRow auto_schedule(const schedule::State& state, const TargetArgument& target,
                              const std::map<std::string, int>& picks, const SourceLoc& where,
                              bool fast_math) {
  Target machine = machine_of(target, where);
  const auto* const name = std::get_if<std::string>(&target);
  const bool is_this = name != nullptr && *name == "host";
  if (fast_math) allow_fast_dots(machine, is_this ? MachineKind::This : MachineKind::Level);
  driver::AutoScheduleResult result = driver::auto_schedule(state, machine, picks, where);
  std::vector<Data> choices;
  for (const driver::StageChoice& choice : result.choices) choices.push_back(dict_of(choice));
  std::vector<RemarkRow> remarks;
  for (const Remark& r : result.remarks) remarks.emplace_back(r.step, r.verdict, r.why);
  AlternativesRow alternatives;
  for (const auto& [stage, plans] : result.alternatives) {
    auto& listed =
        alternatives.emplace_back(stage, AlternativesRow::value_type::second_type()).second;
    for (const driver::Alternative& plan : plans) {
      listed.emplace_back(plan.text, plan.cycles, plan.of);
    }
  }
  return {std::move(result.state), std::move(choices), std::move(remarks), std::move(alternatives)};
}

Data dict_of(const memory_planner::PlacedBuffer& buffer) {
  Data out;
  out["name"] = buffer.name;
  out["tensor"] = buffer.tensor;
  out["stage"] = buffer.stage;
  out["shape"] = py::tuple(py::cast(buffer.shape));
  out["dtype"] = std::string(to_string(buffer.type));
  out["bytes"] = buffer.size_bytes;
  out["offset"] = buffer.offset_bytes;
  out["lifetime"] = buffer.lifetime;
  out["primitive"] = buffer.primitive;
  out["file"] = buffer.where.file;
  out["line"] = buffer.where.line;
  return out;
}

Data dict_of(const driver::LdmReport::Section& section) {
  const memory_planner::ScratchpadLayout& layout = section.layout;
  py::list buffers;
  for (const memory_planner::PlacedBuffer& b : layout.buffers) buffers.append(dict_of(b));
  py::list loops;
  for (const memory_planner::LoopRoom& room : section.rooms) {
    py::dict loop;
    loop["stage"] = room.stage;
    loop["loop"] = room.loop;
    loop["factor"] = room.factor;
    loop["largest"] = room.largest;
    loop["range"] = room.range;
    loops.append(loop);
  }
  Data out;
  out["target"] = layout.target;
  out["scope"] = layout.scope;
  out["capacity_bytes"] = layout.capacity_bytes;
  out["reserved_bytes"] = layout.reserved_bytes;
  out["available_bytes"] = layout.available_bytes();
  out["alignment_bytes"] = layout.alignment_bytes;
  out["total_bytes"] = layout.total_bytes;
  out["live_bytes"] = layout.live_bytes;
  out["has_hard_limit"] = layout.has_hard_limit();
  out["fits"] = layout.fits();
  out["buffers"] = buffers;
  out["loops"] = loops;
  return out;
}

/// (text for a terminal, the same as data).
std::tuple<std::string, std::vector<Data>> ldm_report(const schedule::State& state,
                                                      const TargetArgument& target,
                                                      const SourceLoc& where) {
  const driver::LdmReport report = driver::ldm_report(state, machine_of(target, where), where);
  std::vector<Data> sections;
  for (const driver::LdmReport::Section& section : report.sections) {
    sections.push_back(dict_of(section));
  }
  return {driver::to_string(report), sections};
}

}  // namespace

void bind_planner(py::module_& m) {
  m.def("auto_buffer", &auto_buffer, py::arg("state"), py::arg("target"), py::arg("planner"),
        py::arg("inner"), py::arg("where"),
        "Plans and applies buffers; returns (state, choice per stage, remarks).");
  m.def("auto_schedule", &auto_schedule, py::arg("state"), py::arg("target"), py::arg("picks"),
        py::arg("where"), py::arg("fast_math") = false,
        "Plans and applies a schedule; returns (state, choice per stage, remarks, plans that each "
        "stage may have).");
  m.def(
      "peeling_decisions",
      [](const schedule::State& state, const TargetArgument& target, const SourceLoc& where) {
        return rows_of(driver::peeling_decisions(state, machine_of(target, where), where));
      },
      py::arg("state"), py::arg("target"), py::arg("where"),
      "Whether loops in which transfers run ahead are peeled: (what, chosen, cycles, instead, its "
      "cycles or None, why not) of each.");
  m.def("ldm_report", &ldm_report, py::arg("state"), py::arg("target"), py::arg("where"),
        "The buffers in near memory; returns (text, one dictionary per memory).");
}

}  // namespace solway::python
