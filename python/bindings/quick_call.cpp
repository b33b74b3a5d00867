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

/// In place of a size that no shape has told yet.
constexpr std::int64_t kUnknown = -1;

/// An array of a derived type may mean more than its elements, as a mask.
bool is_plain_array(py::handle object) {
  return reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) ==
         reinterpret_cast<PyObject*>(py::detail::npy_api::get().PyArray_Type_);
}

/// Type, layout and rank.
bool fits(const py::array& array, const ExpectedArray& expected) {
  constexpr int kNeeds =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  const bool is_same_type = py::detail::array_proxy(array.ptr())->descr == expected.type.ptr();
  if (!is_same_type || (array.flags() & kNeeds) != kNeeds) return false;
  if (expected.is_written && !array.writeable()) return false;
  return static_cast<std::size_t>(array.ndim()) == expected.shape.size();
}

/// Requires that all sizes of the extent are known.
std::int64_t value_of(const std::vector<std::int64_t>& extent,
                      const std::vector<std::int64_t>& sizes) {
  return std::inner_product(sizes.begin(), sizes.end(), extent.begin() + 1, extent.front());
}

}  // namespace

QuickCall::QuickCall(driver::CompiledKernel kernel, std::vector<ExpectedArray> expected,
                     std::vector<std::pair<std::int64_t, std::int64_t>> sizes)
    : kernel_(std::move(kernel)), expected_(std::move(expected)), sizes_(std::move(sizes)) {}

/// Sizes that stand alone in an extent; false where one is out of its bounds.
bool QuickCall::learn_sizes(const py::array& array, const ExpectedArray& expected,
                            std::vector<std::int64_t>& sizes) const {
  for (std::size_t d = 0; d < expected.shape.size(); ++d) {
    const std::vector<std::int64_t>& extent = expected.shape[d];
    int alone = -1;
    int count = 0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (extent[k + 1] == 0) continue;
      alone = static_cast<int>(k);
      ++count;
    }
    if (count != 1 || sizes[static_cast<std::size_t>(alone)] != kUnknown) continue;
    const auto k = static_cast<std::size_t>(alone);
    const std::int64_t rest = static_cast<std::int64_t>(array.shape()[d]) - extent[0];
    if (rest % extent[k + 1] != 0) return false;
    sizes[k] = rest / extent[k + 1];
    if (sizes[k] < sizes_[k].first || sizes[k] > sizes_[k].second) return false;
  }
  return true;
}

std::optional<QuickCall::Given> QuickCall::given(py::handle arrays) const {
  if (PyTuple_GET_SIZE(arrays.ptr()) != static_cast<py::ssize_t>(expected_.size())) {
    return std::nullopt;
  }
  const auto array_at = [&](std::size_t n) {
    return py::handle(PyTuple_GET_ITEM(arrays.ptr(), static_cast<py::ssize_t>(n)));
  };
  Given out;
  out.sizes.assign(sizes_.size(), kUnknown);
  for (std::size_t n = 0; n < expected_.size(); ++n) {
    if (!is_plain_array(array_at(n))) return std::nullopt;
    const auto array = py::reinterpret_borrow<py::array>(array_at(n));
    if (!fits(array, expected_[n])) return std::nullopt;
    if (!sizes_.empty() && !learn_sizes(array, expected_[n], out.sizes)) return std::nullopt;
  }
  const auto is_unknown = [](std::int64_t size) { return size == kUnknown; };
  if (std::any_of(out.sizes.begin(), out.sizes.end(), is_unknown)) return std::nullopt;
  out.addresses.reserve(expected_.size() + 1);
  for (std::size_t n = 0; n < expected_.size(); ++n) {
    const auto array = py::reinterpret_borrow<py::array>(array_at(n));
    const auto& shape = expected_[n].shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (array.shape()[d] != value_of(shape[d], out.sizes)) return std::nullopt;
    }
    out.addresses.push_back(const_cast<void*>(array.data()));
    out.bytes.push_back(static_cast<std::size_t>(array.nbytes()));
  }
  if (!is_apart(out)) return std::nullopt;
  return out;
}

/// Whether no output shares a byte with another argument, but those that may be one array.
bool QuickCall::is_apart(const Given& given) const {
  const std::vector<void*>& addresses = given.addresses;
  const auto end = [&](std::size_t n) {
    return static_cast<const std::byte*>(addresses[n]) + given.bytes[n];
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
  std::optional<Given> call = given(arrays);
  if (!call) return std::nullopt;
  if (!sizes_.empty()) call->addresses.push_back(call->sizes.data());
  driver::RunOptions options;
  try {
    options.threads = driver::threads_of_call(threads, kernel_.has_threads(), {});
  } catch (const Error&) {
    return std::nullopt;
  }
  driver::RunReport report;
  {
    const py::gil_scoped_release release;
    report = kernel_.run(call->addresses, options);
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

/// dtype, extents, whether it is written.
using ArrayRow = std::tuple<py::dtype, std::vector<std::vector<std::int64_t>>, bool>;

py::object quick_call(const driver::CompiledKernel& kernel, const std::vector<ArrayRow>& rows,
                      std::vector<std::pair<std::int64_t, std::int64_t>> sizes) {
  static PyMethodDef method = {
      "run_quickly", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(run_quickly)),
      METH_FASTCALL, "Runs a kernel on arrays that need nothing."};
  std::vector<ExpectedArray> expected;
  for (const auto& [type, shape, is_written] : rows) expected.push_back({type, shape, is_written});
  auto quick = std::make_unique<QuickCall>(kernel, std::move(expected), std::move(sizes));
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
  m.def("quick_call", &quick_call, py::arg("kernel"), py::arg("expected"), py::arg("sizes"),
        "A function of (arrays, threads of the call or None, threads of the build) that runs a "
        "kernel with (dtype, extents, is written) of each argument, where an extent is a constant "
        "and a multiple of each size, and (least, most) of each size, and gives (seconds, "
        "threads); None when something does not fit or failed.");
}

}  // namespace solway::python
