#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <pybind11/stl.h>

#include "emulator/emulator.h"
#include "python/bindings/bind.h"

namespace py = pybind11;

namespace solway::python {
namespace {

using emulator::TimedResult;

using Numbers = std::map<std::string, std::int64_t>;

constexpr const char* kStallWords[emulator::kStalls] = {"transfer", "channel",     "barrier",
                                                        "message",  "main_memory", "instructions"};

std::string word_of(emulator::Stall stall) { return kStallWords[static_cast<std::size_t>(stall)]; }

Numbers stalls_of(const emulator::CoreTimes& core) {
  Numbers out;
  for (std::size_t i = 0; i < emulator::kStalls; ++i) out[kStallWords[i]] = core.stalled[i];
  return out;
}

/// One row per record.
template <typename Record, typename MakeRow>
auto rows(const std::vector<Record>& records, MakeRow row) {
  std::vector<decltype(row(records.front()))> out;
  out.reserve(records.size());
  for (const Record& record : records) out.push_back(row(record));
  return out;
}

}  // namespace

void bind_timeline(py::module_& m) {
  py::class_<TimedResult>(m, "TimedResult", "A run in timed mode, in cycles.")
      .def_readonly("cycles", &TimedResult::cycles, "From the call of the entry to its return.")
      .def_readonly("cpe_cycles", &TimedResult::cpe_cycles,
                    "From the first start of a core to the last end.")
      .def_property_readonly(
          "resolution", [](const TimedResult& r) { return r.timeline.resolution; },
          "Nearer waits of a core are joined and shorter ones left out; 0: all are there.")
      .def_property_readonly(
          "stalls",
          [](const TimedResult& r) {
            Numbers out;
            for (std::size_t i = 0; i < emulator::kStalls; ++i) {
              out[kStallWords[i]] = r.timeline.stalled(static_cast<emulator::Stall>(i));
            }
            return out;
          },
          "Of all cores together.")
      .def_property_readonly(
          "cores",
          [](const TimedResult& r) {
            return rows(r.timeline.cores, [](const emulator::CoreTimes& core) {
              return std::make_tuple(core.running, stalls_of(core), core.in_flight, core.get_bytes,
                                     core.put_bytes, core.ldm_peak_bytes);
            });
          },
          "(running, stalls, in_flight, get_bytes, put_bytes, ldm_peak_bytes) of each.")
      .def_property_readonly(
          "runs",
          [](const TimedResult& r) {
            return rows(r.timeline.runs, [&](const emulator::TimelineRun& run) {
              return std::make_tuple(run.core, r.timeline.names[static_cast<std::size_t>(run.name)],
                                     run.begin, run.end);
            });
          },
          "(core, function, begin, end)")
      .def_property_readonly(
          "waits",
          [](const TimedResult& r) {
            return rows(r.timeline.waits, [](const emulator::TimelineWait& wait) {
              return std::make_tuple(wait.core, word_of(wait.stall), wait.begin, wait.end,
                                     wait.waited);
            });
          },
          "(core, kind, begin, end, waited)")
      .def_property_readonly(
          "transfers",
          [](const TimedResult& r) {
            return rows(r.timeline.transfers, [&](const emulator::TimelineTransfer& t) {
              return std::make_tuple(t.core, std::string(t.is_put ? "put" : "get"),
                                     r.timeline.names[static_cast<std::size_t>(t.name)], t.requests,
                                     t.bytes, t.issued, t.completed);
            });
          },
          "(core, direction, \"file:line\", requests, bytes, issued, completed)")
      .def_property_readonly(
          "levels",
          [](const TimedResult& r) {
            return rows(r.timeline.levels, [](const emulator::LdmLevel& level) {
              return std::make_tuple(level.core, level.cycle, level.bytes);
            });
          },
          "(core, cycle, bytes): the LDM in use from then on.");
}

}  // namespace solway::python
