#include "python/bindings/quick_call.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <tuple>

#include <pybind11/stl.h>

#include "driver/thread_count.h"
#include "runtime/pool.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway::python {
namespace {

bool fits(const py::array& array, const ExpectedArray& expected) {
  constexpr int kNeeds =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  const bool is_same_type = py::detail::array_proxy(array.ptr())->descr == expected.type.ptr();
  if (!is_same_type || (array.flags() & kNeeds) != kNeeds) return false;
  if (expected.is_written && !array.writeable()) return false;
  const auto rank = static_cast<std::size_t>(array.ndim());
  return rank == expected.shape.size() &&
         std::equal(expected.shape.begin(), expected.shape.end(), array.shape());
}

}  // namespace

QuickCall::QuickCall(driver::CompiledKernel kernel, std::vector<ExpectedArray> expected)
    : kernel_(std::move(kernel)), expected_(std::move(expected)) {
  for (const ExpectedArray& one : expected_) {
    const auto size = static_cast<std::size_t>(one.type.itemsize());
    bytes_.push_back(std::accumulate(one.shape.begin(), one.shape.end(), size,
                                     [](std::size_t product, py::ssize_t extent) {
                                       return product * static_cast<std::size_t>(extent);
                                     }));
  }
}

std::optional<std::vector<void*>> QuickCall::addresses_of(py::handle arrays) const {
  if (PyTuple_GET_SIZE(arrays.ptr()) != static_cast<py::ssize_t>(expected_.size())) {
    return std::nullopt;
  }
  std::vector<void*> out;
  out.reserve(expected_.size());
  for (std::size_t n = 0; n < expected_.size(); ++n) {
    const py::handle given = PyTuple_GET_ITEM(arrays.ptr(), static_cast<py::ssize_t>(n));
    if (!py::isinstance<py::array>(given)) return std::nullopt;
    const auto array = py::reinterpret_borrow<py::array>(given);
    if (!fits(array, expected_[n])) return std::nullopt;
    out.push_back(const_cast<void*>(array.data()));
  }
  if (!is_apart(out)) return std::nullopt;
  return out;
}

/// Whether no output shares a byte with another argument, but those that may be one array.
bool QuickCall::is_apart(const std::vector<void*>& addresses) const {
  const auto end = [&](std::size_t n) {
    return static_cast<const std::byte*>(addresses[n]) + bytes_[n];
  };
  const auto may_be_one = [&](std::size_t out, std::size_t other) {
    const auto& pairs = kernel_.shareable();
    return addresses[out] == addresses[other] &&
           std::find(pairs.begin(), pairs.end(), std::pair(out, other)) != pairs.end();
  };
  const std::less<const void*> lies_before;
  for (std::size_t out = 0; out < addresses.size(); ++out) {
    if (!expected_[out].is_written) continue;
    for (std::size_t other = 0; other < addresses.size(); ++other) {
      const bool touches = other != out && lies_before(addresses[out], end(other)) &&
                           lies_before(addresses[other], end(out));
      if (touches && !may_be_one(out, other)) return false;
    }
  }
  return true;
}

std::optional<std::pair<double, int>> QuickCall::call(py::handle arrays, int threads) const {
  const std::optional<std::vector<void*>> addresses = addresses_of(arrays);
  if (!addresses) return std::nullopt;
  driver::RunOptions options;
  try {
    options.threads = driver::threads_of_call(threads, kernel_.has_threads(), {});
  } catch (const Error&) {
    return std::nullopt;
  }
  driver::RunReport report;
  {
    const py::gil_scoped_release release;
    report = kernel_.run(*addresses, options);
  }
  if (report.status != 0) return std::nullopt;
  return std::pair(report.seconds, report.threads);
}

namespace {

constexpr const char* kCapsule = "solway.QuickCall";

/// A number of threads that a call gave; nullopt for what is none.
std::optional<int> threads_of(PyObject* given) {
  if (PyLong_CheckExact(given) == 0) return std::nullopt;
  int overflow = 0;
  const std::int64_t threads = PyLong_AsLongLongAndOverflow(given, &overflow);
  if (threads < 1 || threads > runtime::kMaxThreads) return std::nullopt;
  return static_cast<int>(threads);
}

/// (arrays, threads of the call or None, threads of the build) -> (seconds, threads) or None.
/// Nothing may be thrown through Python's own code.
PyObject* run_quickly(PyObject* self, PyObject* const* given, py::ssize_t count) {
  if (count != 3 || PyTuple_Check(given[0]) == 0 || PyLong_Check(given[2]) == 0) {
    PyErr_SetString(PyExc_TypeError, "a tuple of arrays and numbers of threads are expected");
    return nullptr;
  }
  try {
    const auto* const quick = static_cast<const QuickCall*>(PyCapsule_GetPointer(self, kCapsule));
    const std::optional<int> threads =
        given[1] == Py_None ? static_cast<int>(PyLong_AsLong(given[2])) : threads_of(given[1]);
    if (!threads) Py_RETURN_NONE;
    const auto done = quick->call(given[0], *threads);
    if (!done) Py_RETURN_NONE;
    return Py_BuildValue("(di)", done->first, done->second);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
    return nullptr;
  }
}

/// dtype, shape, whether it is written.
using ArrayRow = std::tuple<py::dtype, std::vector<py::ssize_t>, bool>;

py::object quick_call(const driver::CompiledKernel& kernel, const std::vector<ArrayRow>& rows) {
  static PyMethodDef method = {
      "run_quickly", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(run_quickly)),
      METH_FASTCALL, "Runs a kernel on arrays that need nothing."};
  std::vector<ExpectedArray> expected;
  for (const auto& [type, shape, is_written] : rows) expected.push_back({type, shape, is_written});
  auto quick = std::make_unique<QuickCall>(kernel, std::move(expected));
  const py::capsule self(quick.get(), kCapsule, [](PyObject* capsule) {
    delete static_cast<QuickCall*>(PyCapsule_GetPointer(capsule, kCapsule));
  });
  static_cast<void>(quick.release());
  PyObject* const function = PyCFunction_New(&method, self.ptr());
  if (function == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(function);
}

}  // namespace

void bind_quick_call(py::module_& m) {
  m.def("quick_call", &quick_call, py::arg("kernel"), py::arg("expected"),
        "A function of (arrays, threads of the call or None, threads of the build) that runs a "
        "kernel without sizes, with (dtype, shape, is written) of each argument, and gives "
        "(seconds, threads); None when something does not fit or failed.");
}

}  // namespace solway::python
