#pragma once

#include <string>
#include <vector>

namespace solway::codegen {

/// The identifiers and files of one kernel.
struct FileNames {
  std::string kernel;
  std::string core_suffix;   ///< "_cpe"
  bool has_kernels = false;  ///< whether there are micro-kernels
  std::string args_type() const { return kernel + "_args"; }
  std::string core_function() const { return kernel + core_suffix; }
  std::string header() const { return kernel + ".h"; }
  std::string manager() const { return kernel + ".c"; }
  std::string kernels() const { return kernel + "_kernels.s"; }  ///< assembly of computing cores
  std::string core() const { return kernel + core_suffix + ".c"; }
  /// All files of the computing cores.
  std::vector<std::string> cores() const {
    std::vector<std::string> out{core()};
    if (has_kernels) out.push_back(kernels());
    return out;
  }
};

}  // namespace solway::codegen
