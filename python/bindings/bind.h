#pragma once

#include <pybind11/pybind11.h>

/// One function per layer; each adds its classes and functions to `_core`.
namespace solway::python {

/// Everything that `_core` holds.
void bind_all(pybind11::module_& m);
/// SourceLoc, and the translation of solway::Error to solway.errors.
void bind_support(pybind11::module_& m);
/// Axis, Expr, Tensor and what makes them.
void bind_dsl(pybind11::module_& m);
/// The schedule: what it holds, and its log.
void bind_schedule(pybind11::module_& m);
/// The primitives that change the order.
void bind_order(pybind11::module_& m);
/// The primitives that place whole stages.
void bind_stages(pybind11::module_& m);
/// buffer_read and buffer_write.
void bind_buffer(pybind11::module_& m);
/// auto_buffer and ldm_report.
void bind_algorithms(pybind11::module_& m);
void bind_planner(pybind11::module_& m);
/// Suggestions for refused primitives.
void bind_explain(pybind11::module_& m);
/// What a run in timed mode tells.
void bind_timeline(pybind11::module_& m);
/// build and what it gives.
void bind_driver(pybind11::module_& m);
/// build_network and what it gives.
void bind_network(pybind11::module_& m);

}  // namespace solway::python
