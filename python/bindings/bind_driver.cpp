#include <string>
#include <tuple>
#include <vector>

#include <pybind11/stl.h>

#include "driver/build.h"
#include "lowering/ir/printer.h"
#include "python/bindings/bind.h"
#include "python/bindings/handles.h"

namespace py = pybind11;

namespace solway::python {

namespace {

driver::CompiledKernel build(const schedule::State& state, const std::vector<PyTensor>& args,
                             const std::string& target, const std::string& name,
                             bool poison_transfers, const SourceLoc& where) {
  std::vector<dsl::Tensor> tensors;
  for (const PyTensor& arg : args) tensors.push_back(arg.node);
  return driver::build(state, tensors, {target, name, poison_transfers}, where);
}

std::int32_t call(const driver::CompiledKernel& kernel, std::vector<std::uintptr_t> addresses) {
  std::vector<void*> pointers;
  for (const std::uintptr_t address : addresses)
    pointers.push_back(reinterpret_cast<void*>(address));
  const driver::CompiledKernel::Entry entry = kernel.entry();
  const py::gil_scoped_release release;
  return entry(pointers.data());
}

}  // namespace

void bind_driver(py::module_& m) {
  py::class_<driver::CompiledKernel>(m, "CompiledKernel", "A schedule compiled for one target.")
      .def_property_readonly("source", &driver::CompiledKernel::sources, "Generated files by name.")
      .def_property_readonly("target", &driver::CompiledKernel::target, "Name of the target.")
      .def_property_readonly(
          "ir", [](const driver::CompiledKernel& k) { return ir::to_string(k.kernel()); },
          "The loop IR as text.")
      .def_property_readonly(
          "name", [](const driver::CompiledKernel& k) { return k.kernel().name; },
          "Name of the kernel.")
      .def_property_readonly(
          "remarks",
          [](const driver::CompiledKernel& k) {
            std::vector<std::tuple<std::string, std::string, std::string>> out;
            for (const Remark& r : k.remarks()) out.emplace_back(r.step, r.verdict, r.why);
            return out;
          },
          "(step, verdict, why) of what was done otherwise than asked.")
      .def(
          "compile", [](const driver::CompiledKernel& k) { k.entry(); },
          "Compiles now what a call would compile.")
      .def("call", &call, py::arg("addresses"),
           "Runs it on one address per argument, which the caller has checked; 0 when done.");
  m.def("build", &build, py::arg("state"), py::arg("args"), py::arg("target"), py::arg("name"),
        py::arg("poison_transfers"), py::arg("where"), "Compiles a schedule.");
  m.def("target_names", &driver::target_names, "The targets that build takes.");
  m.def("print_schedule", &driver::print_schedule, py::arg("state"),
        "The loops in the form of Figure 2 of the swTVM paper.");
}

}  // namespace solway::python
