#include <map>
#include <memory>
#include <string>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "python/bindings/region_item.h"
#include "schedule/assume.h"
#include "schedule/compute_at.h"
#include "schedule/compute_inline.h"
#include "schedule/compute_root.h"
#include "schedule/intrinsic.h"
#include "schedule/micro_kernel.h"
#include "schedule/pad.h"
#include "schedule/rfactor.h"
#include "schedule/specialize.h"
#include "schedule/tensorize.h"
#include "schedule/transform_layout.h"

namespace py = pybind11;

namespace solway::python {

namespace {

schedule::State compute_at(const schedule::State& s, const std::string& stage,
                           const std::string& consumer, schedule::LoopId axis,
                           const SourceLoc& where, const std::string& region,
                           const std::string& scope) {
  static const std::map<std::string, schedule::TileRegion> kRegions = {
      {"exact", schedule::TileRegion::Exact},
      {"box", schedule::TileRegion::Box},
      {"whole", schedule::TileRegion::Whole}};
  return schedule::compute_at(s, stage, consumer, axis, where, kRegions.at(region), scope);
}

void bind_pad(py::module_& m) {
  m.def(
      "pad",
      [](const schedule::State& s, const std::string& stage, const std::vector<std::int64_t>& shape,
         const SourceLoc& where) {
        schedule::PadResult out = schedule::pad(s, stage, shape, where);
        return std::make_pair(std::move(out.state), PyTensor{out.padded});
      },
      py::arg("state"), py::arg("stage"), py::arg("shape"), py::arg("where"),
      "Computes more elements than a tensor has; returns (state, the padded tensor).");
}

}  // namespace

void bind_stages(py::module_& m) {
  m.def("compute_at", &compute_at, py::arg("state"), py::arg("stage"), py::arg("consumer"),
        py::arg("axis"), py::arg("where"), py::arg("region"), py::arg("scope"),
        "Computes inside a loop of another stage what one of its iterations needs.");
  m.def("compute_root", &schedule::compute_root, py::arg("state"), py::arg("stage"),
        py::arg("where"), "Takes a stage out of the loops in which compute_at placed it.");
  m.def(
      "rfactor",
      [](const schedule::State& s, const std::string& stage, schedule::LoopId axis,
         const SourceLoc& where) {
        schedule::RfactorResult out = schedule::rfactor(s, stage, axis, where);
        std::vector<PyTensor> partials;
        for (const dsl::Tensor& partial : out.partials) partials.push_back({partial});
        return std::make_pair(std::move(out.state), std::move(partials));
      },
      py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("where"),
      "Splits a reduction up along one of its loops; returns (state, the partial results).");
  bind_pad(m);
  m.def(
      "specialize",
      [](const schedule::State& s, const std::string& stage, const std::vector<PyExpr>& conditions,
         const AxisLoops& loops, const SourceLoc& where) {
        schedule::Region items;
        for (const PyExpr& one : conditions) items.push_back(region_item(one, loops, where));
        schedule::SpecializeResult out = schedule::specialize(s, stage, items, where);
        return std::make_pair(std::move(out.state), PyTensor{out.rest});
      },
      py::arg("state"), py::arg("stage"), py::arg("conditions"), py::arg("loops"), py::arg("where"),
      "Makes two versions of a stage's loops; returns (state, the second one).");
  const py::class_<PyIntrinsic> intrinsic(m, "Intrinsic", "A computation with code for it.");
  m.def(
      "make_intrinsic",
      [](const std::string& name, const PyTensor& tensor,
         const std::map<std::string, std::string>& code, const SourceLoc& where) {
        return PyIntrinsic{schedule::make_intrinsic(name, tensor.node, code, where)};
      },
      py::arg("name"), py::arg("tensor"), py::arg("code"), py::arg("where"),
      "A computation and the code that a person wrote for it, by target.");
  m.def(
      "assume",
      [](const schedule::State& s, const std::vector<PyExpr>& conditions, const SourceLoc& where) {
        std::vector<dsl::Expr> nodes;
        for (const PyExpr& one : conditions) nodes.push_back(one.node);
        return schedule::assume(s, nodes, where);
      },
      py::arg("state"), py::arg("conditions"), py::arg("where"),
      "States conditions on sizes that every call checks.");
  m.def(
      "tensorize",
      [](const schedule::State& s, const std::string& stage, schedule::LoopId axis,
         const PyIntrinsic& intrinsic, const SourceLoc& where) {
        return schedule::tensorize(s, stage, axis, intrinsic.node, where);
      },
      py::arg("state"), py::arg("stage"), py::arg("axis"), py::arg("intrinsic"), py::arg("where"),
      "Runs code that a person wrote in place of the loops from one inward.");
  m.def("tensorize_micro_kernel", &schedule::tensorize_micro_kernel, py::arg("state"),
        py::arg("stage"), py::arg("axis"), py::arg("where"),
        "Runs code of the code generator in place of a product of matrices.");
  m.def(
      "transform_layout",
      [](const schedule::State& s, const PyTensor& tensor, const std::vector<PyAxis>& axes,
         const std::vector<PyExpr>& index, const SourceLoc& where) {
        schedule::LayoutRequest request{tensor.node, {}, {}};
        for (const PyAxis& axis : axes) request.axes.push_back(axis.node);
        for (const PyExpr& one : index) request.index.push_back(one.node);
        return schedule::transform_layout(s, request, where);
      },
      py::arg("state"), py::arg("tensor"), py::arg("axes"), py::arg("index"), py::arg("where"),
      "Stores a tensor in another layout.");
  m.def("legal_levels", &schedule::legal_levels, py::arg("state"), py::arg("stage"),
        py::arg("consumer"), py::arg("where"),
        "The loops of a stage inside which another may be placed, outermost first.");
  m.def("compute_inline", &schedule::compute_inline, py::arg("state"), py::arg("stage"),
        py::arg("where"), "Computes a stage inside the expressions of all that read it.");
}

}  // namespace solway::python
