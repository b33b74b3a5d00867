#pragma once

#include <string>

namespace solway::codegen {

/// The identifiers and files of one kernel.
struct FileNames {
  std::string kernel;
  std::string args_type() const { return kernel + "_args"; }
  std::string cpe_function() const { return kernel + "_cpe"; }
  std::string header() const { return kernel + ".h"; }
  std::string mpe() const { return kernel + ".c"; }
  std::string cpe() const { return kernel + "_cpe.c"; }
};

}  // namespace solway::codegen
