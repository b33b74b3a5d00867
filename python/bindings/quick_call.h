#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "driver/build.h"

namespace solway::python {

/// What a kernel takes at one place: an array of exactly this type and shape.
struct ExpectedArray {
  pybind11::dtype type;
  std::vector<pybind11::ssize_t> shape;
  bool is_written = false;
};

/// Calls of machine code of this machine with arrays that need nothing: NumPy's, of exactly the
/// types and shapes of the arguments, contiguous, aligned, writable where they are written, and
/// without an overlap. Small kernels take less time than the checks of anything else.
class QuickCall {
 public:
  /// Requires a kernel without sizes, and one expected array per argument.
  QuickCall(driver::CompiledKernel kernel, std::vector<ExpectedArray> expected);

  /// (seconds, threads) of a run on at most `threads`, 0 for as many as the environment says;
  /// nullopt when anything does not fit or failed, so that the caller looks again and says what.
  /// Then nothing was run, or only what can run once more: code that found no memory.
  std::optional<std::pair<double, int>> call(pybind11::handle arrays, int threads) const;

 private:
  std::optional<std::vector<void*>> addresses_of(pybind11::handle arrays) const;
  bool is_apart(const std::vector<void*>& addresses) const;

  driver::CompiledKernel kernel_;
  std::vector<ExpectedArray> expected_;
  std::vector<std::size_t> bytes_;
};

/// `quick_call` for Python: a function of a kernel's arrays, as a built-in one, which costs less to
/// call than a method.
void bind_quick_call(pybind11::module_& m);

}  // namespace solway::python
