#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "driver/fast_math.h"
#include "driver/target_choice.h"
#include "dsl/winograd.h"
#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "support/target.h"

namespace py = pybind11;

namespace solway::python {
namespace {

using RemarkRow = std::tuple<std::string, std::string, std::string>;
/// (outputs, (a tensor, what took its place) of each exchanged one, remarks).
using ExchangedRow = std::tuple<std::vector<PyTensor>, std::vector<std::pair<PyTensor, PyTensor>>,
                                std::vector<RemarkRow>>;

ExchangedRow exchange_algorithms(const std::vector<PyTensor>& outputs, const Target& target,
                                 const std::set<std::string>& given, const SourceLoc& where) {
  std::vector<dsl::Tensor> nodes;
  for (const PyTensor& tensor : outputs) nodes.push_back(tensor.node);
  const driver::ExchangedAlgorithms made = driver::exchange_algorithms(nodes, target, given, where);
  ExchangedRow out;
  for (const dsl::Tensor& tensor : made.outputs) std::get<0>(out).push_back({tensor});
  for (const auto& [old, other] : made.by) {
    std::get<1>(out).emplace_back(PyTensor{old}, PyTensor{other});
  }
  for (const Remark& r : made.remarks) std::get<2>(out).emplace_back(r.step, r.verdict, r.why);
  return out;
}

}  // namespace

void bind_algorithms(py::module_& m) {
  m.def(
      "winograd",
      [](const PyTensor& tensor, int outputs, const SourceLoc& where) {
        return PyTensor{dsl::winograd(tensor.node, outputs, where)};
      },
      py::arg("tensor"), py::arg("outputs"), py::arg("where"),
      "A convolution by minimal filtering, tiles of `outputs` x `outputs`.");
  m.def("exchange_algorithms", &exchange_algorithms, py::arg("outputs"), py::arg("target"),
        py::arg("given"), py::arg("where"),
        "What fast_math allows; returns (outputs, [(tensor, what took its place)], remarks).");
}

}  // namespace solway::python
