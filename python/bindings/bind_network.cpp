#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "driver/network.h"
#include "python/bindings/bind.h"
#include "python/bindings/build_options.h"
#include "python/bindings/handles.h"
#include "python/bindings/kernel_calls.h"

namespace py = pybind11;

namespace solway::python {
namespace {

driver::CompiledNetwork build_network(
    const std::vector<std::pair<schedule::State, std::vector<PyTensor>>>& layers,
    const std::vector<PyTensor>& outputs, const TargetChoice& target, const std::string& name,
    const SourceLoc& where, const PassRow& passes, bool fast_math) {
  std::vector<driver::NetworkLayer> parts;
  for (const auto& [state, args] : layers) {
    driver::NetworkLayer layer{state, {}};
    for (const PyTensor& arg : args) layer.args.push_back(arg.node);
    parts.push_back(std::move(layer));
  }
  std::vector<dsl::Tensor> kept;
  for (const PyTensor& output : outputs) kept.push_back(output.node);
  driver::BuildOptions options = build_options(target, name, passes, where);
  options.fast_math = fast_math;
  return driver::build_network(parts, kept, options, where);
}

/// (name, bytes, offset, first layer, last layer)
using ArrayRow = std::tuple<std::string, std::int64_t, std::int64_t, int, int>;

std::vector<ArrayRow> arrays_of(const driver::CompiledNetwork& network) {
  std::vector<ArrayRow> out;
  for (const driver::NetworkArray& a : network.joined().arrays) {
    out.emplace_back(a.name, a.size_bytes, a.offset_bytes, a.first, a.last);
  }
  return out;
}

}  // namespace

void bind_network(py::module_& m) {
  py::class_<driver::CompiledNetwork> network(m, "CompiledNetwork",
                                              "Several kernels as one program.");
  network.def_property_readonly("name", &driver::CompiledNetwork::name, "Name of the entry.")
      .def_property_readonly("target", &driver::CompiledNetwork::target, "Name of the target.")
      .def_property_readonly(
          "layers",
          [](const driver::CompiledNetwork& n) {
            std::vector<std::string> out;
            for (const auto& layer : n.joined().network.layers) out.push_back(layer.name);
            return out;
          },
          "The functions of the layers, in order.")
      .def_property_readonly(
          "params",
          [](const driver::CompiledNetwork& n) {
            std::vector<std::tuple<PyTensor, std::string, bool>> out;
            const auto& params = n.joined().network.params;
            for (std::size_t k = 0; k < params.size(); ++k) {
              out.emplace_back(PyTensor{n.joined().params[k]}, role_name(params[k].role),
                               n.joined().network.brought[k]);
            }
            return out;
          },
          "(tensor, role, whether a caller brings its values) of each argument.")
      .def_property_readonly("arrays", &arrays_of,
                             "(name, bytes, offset, first layer, last layer) of what lies in the "
                             "area.")
      .def_property_readonly(
          "area_bytes",
          [](const driver::CompiledNetwork& n) {
            const driver::JoinedLayers& joined = n.joined();
            return std::make_tuple(joined.network.area_bytes, joined.least_bytes,
                                   joined.apart_bytes);
          },
          "Of the area, of the smallest that any could be, of all arrays without sharing.")
      .def_property_readonly(
          "remarks", [](const driver::CompiledNetwork& n) { return remark_rows(n.remarks()); },
          "(step, verdict, why) of what was done otherwise than asked.");
  bind_calls(network);
  m.def("build_network", &build_network, py::arg("layers"), py::arg("outputs"), py::arg("target"),
        py::arg("name"), py::arg("where"), py::arg("passes") = PassRow(),
        py::arg("fast_math") = false,
        "Compiles (schedule, arguments) of each layer into one program.");
}

}  // namespace solway::python
