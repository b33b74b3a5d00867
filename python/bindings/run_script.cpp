#include "python/bindings/run_script.h"

#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include <pybind11/embed.h>
#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway {
namespace {

/// Starts Python once; later calls find it. The interpreter is never ended: arrays and modules of
/// other libraries do not survive that.
void require_interpreter() {
  static std::once_flag started;
  std::call_once(started, [] {
    if (Py_IsInitialized() != 0) return;
    py::initialize_interpreter(/*init_signal_handlers=*/false);
    PyEval_SaveThread();
  });
}

/// Makes this program's own bindings the module solway._core.
void provide_bindings() {
  const py::dict modules = py::module_::import("sys").attr("modules");
  if (modules.contains("solway._core")) return;
  static PyModuleDef definition;
  py::module_ core = py::module_::create_extension_module("solway._core", nullptr, &definition);
  python::bind_all(core);
  modules["solway._core"] = core;
}

Instance instance_of(const py::object& pair) {
  const auto [stage, iteration] =
      pair.cast<std::pair<std::string, std::vector<std::pair<std::string, std::int64_t>>>>();
  return {stage, iteration};
}

/// Throws the C++ error of a Python one of the same class.
[[noreturn]] void rethrow(const py::error_already_set& raised) {
  const py::object& error = raised.value();
  const auto text = [&](const char* name) { return error.attr(name).cast<std::string>(); };
  if (!py::isinstance(error, py::module_::import("solway.errors").attr("Error"))) throw raised;
  const py::object where = error.attr("where");
  Error::Report report{{where.attr("file").cast<std::string>(), where.attr("line").cast<int>(),
                        where.attr("text").cast<std::string>()},
                       text("what"),
                       text("why"),
                       text("fix")};
  const std::string name = py::type::of(error).attr("__name__").cast<std::string>();
  if (name == "IllegalScheduleError") {
    throw IllegalScheduleError(
        std::move(report),
        {instance_of(error.attr("source")), instance_of(error.attr("sink")), text("tensor"),
         error.attr("element").cast<std::vector<std::int64_t>>(), text("primitive")});
  }
  if (name == "CapacityError") {
    std::vector<CapacityError::Buffer> buffers;
    for (const py::handle row : error.attr("buffers")) {
      const auto [buffer, bytes, primitive] =
          row.cast<std::tuple<std::string, std::int64_t, std::string>>();
      buffers.push_back({buffer, bytes, primitive});
    }
    throw CapacityError(std::move(report), error.attr("needed_bytes").cast<std::int64_t>(),
                        error.attr("available_bytes").cast<std::int64_t>(), std::move(buffers));
  }
  if (name == "DslError") throw DslError(std::move(report));
  if (name == "AnalysisBudgetError") throw AnalysisBudgetError(std::move(report));
  if (name == "UnsupportedError") throw UnsupportedError(std::move(report));
  if (name == "ArgumentMismatchError") throw ArgumentMismatchError(std::move(report));
  if (name == "InternalError") throw InternalError(std::move(report));
  throw ScheduleArgumentError(std::move(report));
}

schedule::State run(const std::string& path, const std::vector<Tensor>& outputs) {
  std::vector<python::PyTensor> nodes;
  for (const Tensor& output : outputs) nodes.push_back({output.node()});
  try {
    provide_bindings();
    const py::object state =
        py::module_::import("solway._embed").attr("run_script")(path, std::move(nodes));
    return state.cast<schedule::State>();
  } catch (const py::error_already_set& raised) {
    rethrow(raised);
  }
}

}  // namespace

Schedule run_script(const std::string& path, const std::vector<Tensor>& outputs) {
  require_interpreter();
  const py::gil_scoped_acquire lock;
  return Schedule(run(path, outputs));
}

}  // namespace solway
