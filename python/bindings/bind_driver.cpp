#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "driver/build.h"
#include "driver/emulated_kernel.h"
#include "driver/program_memory.h"
#include "driver/require_assumptions.h"
#include "driver/require_cores.h"
#include "driver/target_choice.h"
#include "driver/thread_count.h"
#include "lowering/ir/printer.h"
#include "python/bindings/bind.h"
#include "python/bindings/build_options.h"
#include "python/bindings/handles.h"
#include "python/bindings/kernel_calls.h"
#include "python/bindings/quick_call.h"
#include "runtime/measure.h"
#include "runtime/pool.h"

namespace py = pybind11;

namespace solway::python {

namespace {

driver::CompiledKernel build(const schedule::State& state, const std::vector<PyTensor>& args,
                             const TargetChoice& target, const std::string& name,
                             bool poison_transfers, const SourceLoc& where, const PassRow& passes,
                             bool fast_math) {
  std::vector<dsl::Tensor> tensors;
  for (const PyTensor& arg : args) tensors.push_back(arg.node);
  driver::BuildOptions options = build_options(target, name, passes, where);
  options.poison_transfers = poison_transfers;
  options.fast_math = fast_math;
  return driver::build(state, tensors, options, where);
}

/// (name, NumPy's name of the type, shape, "in", "out" or "inout") of each parameter.
using ParameterRow = std::tuple<std::string, std::string, std::vector<std::int64_t>, std::string>;
std::vector<ParameterRow> parameters_of(const driver::EmulatedKernel& kernel) {
  std::vector<ParameterRow> out;
  for (const emulator::Parameter& p : kernel.parameters()) {
    const char* role = p.role == emulator::Role::In    ? "in"
                       : p.role == emulator::Role::Out ? "out"
                                                       : "inout";
    out.emplace_back(p.name, p.dtype, p.shape, role);
  }
  return out;
}

std::unique_ptr<driver::EmulatedKernel> hand_kernel(
    const std::string& folder, const std::variant<std::monostate, std::string, Target>& target,
    const std::map<std::string, std::int64_t>& sizes,
    const std::vector<std::vector<std::int64_t>>& shapes, const SourceLoc& where) {
  std::optional<Target> machine;
  if (const auto* const given = std::get_if<Target>(&target)) machine = *given;
  if (const auto* const name = std::get_if<std::string>(&target)) {
    machine = driver::require_target(*name, where);
  }
  return driver::EmulatedKernel::from_folder(folder, machine, {sizes, shapes, where});
}

void bind_kernels(py::module_& m) {
  py::class_<driver::CompiledKernel> compiled(m, "CompiledKernel",
                                              "A schedule compiled for one target.");
  compiled
      .def_property_readonly(
          "sizes",
          [](const driver::CompiledKernel& k) {
            std::vector<PySize> out;
            for (const dsl::Size& size : k.sizes()) out.push_back({size});
            return out;
          },
          "The sizes that a call gives, in order; their values are the last address, as int64.")
      .def("require_assumptions", &driver::require_assumptions, py::arg("sizes"), py::arg("where"),
           "Raises ArgumentMismatchError for sizes, by name, that the schedule leaves out.")
      .def_property_readonly("target", &driver::CompiledKernel::target, "Name of the target.")
      .def_property_readonly(
          "ir", [](const driver::CompiledKernel& k) { return ir::to_string(k.kernel()); },
          "The loop IR as text.")
      .def_property_readonly(
          "name", [](const driver::CompiledKernel& k) { return k.kernel().name; },
          "Name of the kernel.")
      .def_property_readonly(
          "roles",
          [](const driver::CompiledKernel& k) {
            std::vector<std::string> out;
            for (const ir::Param& p : k.kernel().params) out.push_back(role_name(p.role));
            return out;
          },
          "What the code does with each argument.")
      .def(
          "libraries",
          [](const driver::CompiledKernel& k, bool threads, const SourceLoc& where) {
            std::map<std::string, py::bytes> out;
            const auto parallel =
                threads ? codegen::ParallelForm::Team : codegen::ParallelForm::OneThread;
            for (const auto& [name, bytes] : k.libraries(parallel, where)) out.emplace(name, bytes);
            return out;
          },
          py::arg("threads"), py::arg("where"),
          "What a C program links and includes to call it, by name, as bytes; {} of kernels that "
          "are sources.")
      .def_property_readonly("shareable", &driver::CompiledKernel::shareable,
                             "(output, input): positions of arguments that may be one array.")
      .def_property_readonly(
          "remarks", [](const driver::CompiledKernel& k) { return remark_rows(k.remarks()); },
          "(step, verdict, why) of what was done otherwise than asked.");
  bind_calls(compiled);
  bind_quick_call(m);
  py::class_<driver::EmulatedKernel> hand(m, "EmulatedKernel",
                                          "A folder of MPE and CPE sources that is emulated.");
  hand.def_property_readonly("name", &driver::EmulatedKernel::name, "Name of the kernel.")
      .def_property_readonly("parameters", &parameters_of,
                             "(name, dtype, shape, role) of each argument.")
      .def_property_readonly("target", &driver::EmulatedKernel::target, "What it runs on.")
      .def_property_readonly("sizes", &driver::EmulatedKernel::sizes,
                             "The sizes that it is compiled for.");
  bind_calls(hand);
}

}  // namespace

void bind_driver(py::module_& m) {
  bind_kernels(m);
  m.def("build", &build, py::arg("state"), py::arg("args"), py::arg("target"), py::arg("name"),
        py::arg("poison_transfers"), py::arg("where"), py::arg("passes") = PassRow(),
        py::arg("fast_math") = false,
        "Compiles a schedule. `passes` is (print_after, stop_after, timings, pipelines), None for "
        "what the environment says.");
  m.def(
      "hand_kernel", &hand_kernel, py::arg("folder"), py::arg("target"), py::arg("sizes"),
      py::arg("shapes"), py::arg("where"),
      "Reads a folder of C with a kernel.toml; sizes that are not given are read off the shapes of "
      "the arguments.");
  m.def("require_target", &driver::require_target, py::arg("name"), py::arg("where"),
        "The target of a name or of the path of a .toml file.");
  m.def("threads_of_call", &driver::threads_of_call, py::arg("asked"), py::arg("has_threads"),
        py::arg("where"),
        "The threads of a call that asks for so many; 0: it does not say. Raises UnsupportedError "
        "where several are asked of code that has none, ScheduleArgumentError for a "
        "SOLWAY_THREADS that is no number.");
  m.def("require_threads", &driver::require_threads, py::arg("asked"), py::arg("where"),
        "The number; raises ScheduleArgumentError for what is no number of threads.");
  const auto pair_of = [](const runtime::Times& times) {
    return std::pair(times.least, times.median);
  };
  m.def(
      "fork_join_seconds",
      [pair_of](int threads, int repeats) {
        return pair_of(runtime::fork_join_times(threads, repeats));
      },
      py::arg("threads"), py::arg("repeats"),
      "Least and median time to run nothing on so many threads.");
  m.def(
      "barrier_seconds",
      [pair_of](int threads, int repeats) {
        return pair_of(runtime::barrier_times(threads, repeats));
      },
      py::arg("threads"), py::arg("repeats"), "Least and median time of a barrier.");
  m.def("resident_workers", &runtime::resident_workers,
        "Threads of this process that wait for kernels to run.");
  m.def("target_names", &driver::target_names, "The targets that build takes.");
  m.def("print_schedule", &driver::print_schedule, py::arg("state"), py::arg("cores") = 0,
        "The loops in the form of Figures 2 and 4 of the swTVM paper; 0 cores: not known.");
  m.def("require_memory", &driver::require_memory, py::arg("state"), py::arg("target"),
        py::arg("where"), "Holds the buffers of a schedule against the memories of a target.");
  m.def(
      "require_cores",
      [](const schedule::State& state, const Target& target) {
        driver::require_cores(state.order, target);
      },
      py::arg("state"), py::arg("target"),
      "Holds the loops on dimensions of the hardware against the cores of a target.");
}

}  // namespace solway::python
