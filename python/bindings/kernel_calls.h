#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "driver/executable.h"
#include "lowering/ir/stmt.h"
#include "support/remark.h"

/// What all kinds of kernels give Python: their sources, and calls.
namespace solway::python {

inline emulator::Landing landing_of(const std::string& word) {
  return word == "at_issue" ? emulator::Landing::AtIssue
         : word == "random" ? emulator::Landing::Random
                            : emulator::Landing::AtWait;
}

inline emulator::Mode mode_of(const std::string& word) {
  return word == "hazard"  ? emulator::Mode::Hazard
         : word == "timed" ? emulator::Mode::Timed
                           : emulator::Mode::Functional;
}

using Numbers = std::map<std::string, std::int64_t>;

/// (status, seconds, bytes by kind, fullest LDM, timed, threads): the two before `timed` of
/// emulated kernels only, `timed` of timed mode, threads of machine code of this machine.
using RunRow = std::tuple<std::int32_t, double, std::optional<Numbers>, std::optional<std::int64_t>,
                          std::optional<emulator::TimedResult>, std::optional<int>>;

template <typename Kernel>
RunRow run(Kernel& kernel, const std::vector<std::pair<std::uintptr_t, std::int64_t>>& arrays,
           std::uint64_t seed, const std::string& landing, double seconds, const std::string& mode,
           int threads) {
  std::vector<void*> pointers;
  driver::RunOptions options{seed, landing_of(landing), seconds, mode_of(mode), {}, threads};
  for (const auto& [address, bytes] : arrays) {
    pointers.push_back(reinterpret_cast<void*>(address));
    options.argument_bytes.push_back(bytes);
  }
  driver::RunReport report;
  {
    const pybind11::gil_scoped_release release;
    report = kernel.run(pointers, options);
  }
  RunRow row{report.status, report.seconds, std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  if (kernel.has_threads()) std::get<5>(row) = report.threads;
  if (report.emulated) {
    std::get<2>(row) = {{"get", report.emulated->get_bytes},
                        {"put", report.emulated->put_bytes},
                        {"gld", report.emulated->gld_bytes},
                        {"gst", report.emulated->gst_bytes}};
    if (report.emulated->rma_bytes) std::get<2>(row)->emplace("rma", *report.emulated->rma_bytes);
    std::get<3>(row) = report.emulated->ldm_peak_bytes;
    std::get<4>(row) = std::move(report.emulated->timed);
  }
  return row;
}

template <typename Kernel>
void compile(Kernel& kernel) {
  const pybind11::gil_scoped_release release;
  kernel.prepare();
}

template <typename Kernel>
void bind_calls(pybind11::class_<Kernel>& cls) {
  cls.def_property_readonly("source", &Kernel::sources, "The source files by name.")
      .def("compile", &compile<Kernel>, "Compiles now what a call would compile.")
      .def("run", &run<Kernel>, pybind11::arg("arrays"), pybind11::arg("seed"),
           pybind11::arg("landing"), pybind11::arg("seconds"), pybind11::arg("mode"),
           pybind11::arg("threads"),
           "Runs it on one (address, bytes) per argument, which the caller has checked; returns "
           "(status, seconds, bytes by kind, fullest LDM, timed, threads): the two before `timed` "
           "of emulated kernels only, `timed` of timed mode, threads of machine code of this "
           "machine.")
      .def_property_readonly("has_threads", &Kernel::has_threads,
                             "Whether calls may ask for threads.");
}

inline std::string role_name(ir::Role role) {
  return role == ir::Role::In ? "in" : role == ir::Role::Out ? "out" : "inout";
}

inline std::vector<std::tuple<std::string, std::string, std::string>> remark_rows(
    const Remarks& remarks) {
  std::vector<std::tuple<std::string, std::string, std::string>> out;
  for (const Remark& r : remarks) out.emplace_back(r.step, r.verdict, r.why);
  return out;
}

}  // namespace solway::python
