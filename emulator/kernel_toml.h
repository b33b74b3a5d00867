#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace solway::emulator {

/// What happens to an argument.
enum class Role { In, Out, InOut };

/// Where the stack of the CPEs lies.
enum class StackPlace { Ldm, Main };

/// One parameter of the entry, in order.
struct Parameter {
  std::string name;
  std::string dtype;                ///< of a DType: "float64"
  std::vector<std::int64_t> shape;  ///< empty: a scalar, passed by value
  Role role = Role::In;
  bool is_upper_bound = false;  ///< a call may pass fewer elements than the shape has

  std::int64_t size_bytes() const;
};

/// MPE and CPE sources of one kernel, and how to call it.
struct KernelSources {
  std::string name;
  std::string target = "sw26010";
  std::string entry;  ///< the MPE function that is called
  std::vector<std::filesystem::path> mpe;
  std::vector<std::filesystem::path> cpe;
  std::vector<std::filesystem::path> include;
  std::vector<std::pair<std::string, std::string>> defines;  ///< macro, text
  std::map<std::string, std::int64_t> sizes;                 ///< macros that a caller may choose
  StackPlace stack = StackPlace::Ldm;
  std::vector<Parameter> parameters;
};

/// What a caller says about the sizes of a kernel.
struct ChosenSizes {
  std::map<std::string, std::int64_t> sizes;
  /// Extents of the arguments, in order; sizes that are not in `sizes` are read off these. Shapes
  /// of another rank than the argument's, and arguments without a shape, say nothing.
  std::vector<std::vector<std::int64_t>> shapes;
  SourceLoc where;  ///< of the caller
};

/// Reads `folder`/kernel.toml. Throws DslError that names the key and the line for unknown keys,
/// missing ones and values that do not fit, ArgumentMismatchError for a chosen size that the
/// kernel does not have.
KernelSources load_hand_kernel(const std::filesystem::path& folder, const ChosenSizes& chosen = {});

/// The text of a kernel.toml with the values of [sizes] replaced by those of `sizes`.
std::string with_sizes(const std::string& toml, const std::map<std::string, std::int64_t>& sizes);

}  // namespace solway::emulator
