#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>

#include "driver/build.h"

namespace solway::python {

/// What a kernel takes at one place: an array of exactly this type and shape. An extent is a
/// constant, and multiples of the sizes that calls give, in their order.
struct ExpectedArray {
  pybind11::dtype type;
  std::vector<std::vector<std::int64_t>> shape;
  bool is_written = false;
};

/// Calls of machine code of this machine with arrays that need nothing: NumPy's, of exactly the
/// types and shapes of the arguments, contiguous, aligned, writable where they are written, and
/// without an overlap. Small kernels take less time than the checks of anything else.
class QuickCall {
 public:
  /// Requires one expected array per argument, and the least and the most of each size.
  QuickCall(driver::CompiledKernel kernel, std::vector<ExpectedArray> expected,
            std::vector<std::pair<std::int64_t, std::int64_t>> sizes);

  /// (seconds, threads) of a run on at most `threads`, 0 for as many as the environment says;
  /// nullopt when anything does not fit or failed, so that the caller looks again and says what.
  /// Then nothing was run, or only what can run once more: code that found no memory.
  std::optional<std::pair<double, int>> call(pybind11::handle arrays, int threads) const;

 private:
  /// Arrays of a call, and the values of its sizes.
  struct Given {
    std::vector<void*> addresses;
    std::vector<std::size_t> bytes;
    std::vector<std::int64_t> sizes;
  };

  std::optional<Given> given(pybind11::handle arrays) const;
  bool learn_sizes(const pybind11::array& array, const ExpectedArray& expected,
                   std::vector<std::int64_t>& sizes) const;
  bool is_apart(const Given& given) const;

  driver::CompiledKernel kernel_;
  std::vector<ExpectedArray> expected_;
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes_;  ///< bounds of each
};

/// `quick_call` for Python: a function of a kernel's arrays, as a built-in one, which costs less to
/// call than a method.
void bind_quick_call(pybind11::module_& m);

}  // namespace solway::python
