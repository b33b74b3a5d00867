#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

namespace solway::codegen {

/// A C file compiled as strict C99, warnings as errors, and loaded; unloaded with the object.
class CompiledC {
 public:
  explicit CompiledC(const std::string& source) {
    std::string pattern = (std::filesystem::temp_directory_path() / "solway_c_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    std::ofstream(folder_ / "kernel.c") << source;
    const std::string command =
        "cc -std=c99 -O1 -Wall -Wextra -Werror -pedantic -fPIC -shared -o '" +
        (folder_ / "kernel.so").string() + "' '" + (folder_ / "kernel.c").string() + "' -lm";
    if (std::system(command.c_str()) != 0) {
      throw std::runtime_error("the C compiler refused:\n" + source);
    }
    handle_ = dlopen((folder_ / "kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  ~CompiledC() {
    if (handle_ != nullptr) dlclose(handle_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  /// The function of that name; `F` is its type.
  template <class F>
  F* function(const std::string& name) const {
    void* const symbol = dlsym(handle_, name.c_str());
    if (symbol == nullptr) throw std::runtime_error("no function " + name);
    return reinterpret_cast<F*>(symbol);
  }

 private:
  std::filesystem::path folder_;
  void* handle_ = nullptr;
};

}  // namespace solway::codegen
