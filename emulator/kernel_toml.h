#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

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
  StackPlace stack = StackPlace::Ldm;
  std::vector<Parameter> parameters;
};

/// Reads `folder`/kernel.toml. Throws DslError that names the key and the line for unknown keys,
/// missing ones and values that do not fit.
KernelSources load_hand_kernel(const std::filesystem::path& folder);

}  // namespace solway::emulator
