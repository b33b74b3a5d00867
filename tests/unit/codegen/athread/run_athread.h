#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "tests/support/source_dir.h"
#include <dlfcn.h>
#include <unistd.h>

namespace solway::codegen {

/// A kernel's files compiled with the host's compiler and the stand-in for athread, loaded.
class HostKernel {
 public:
  HostKernel(const std::string& name, const std::map<std::string, std::string>& files) {
    char pattern[] = "/tmp/solway_athread_XXXXXX";
    folder_ = mkdtemp(pattern);
    for (const auto& [file, text] : files) std::ofstream(folder_ / file) << text;
    const std::string fake = source_dir() + "/tests/support/fake_athread";
    const std::string cc = "cc -std=gnu99 -Wall -Werror -O2 -fPIC -ffp-contract=off -pthread -I" +
                           fake + " -I" + folder_.string() + " ";
    const std::string base = (folder_ / name).string();
    run(cc + "-c " + base + ".c -o " + base + ".o");
    run(cc + "-D" + name + "_cpe=slave_" + name + "_cpe -c " + base + "_cpe.c -o " + base +
        "_cpe.o");
    run(cc + "-shared " + base + ".o " + base + "_cpe.o " + fake + "/fake_athread.c -lm -o " +
        base + ".so");
    library_ = dlopen((base + ".so").c_str(), RTLD_NOW);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    entry_ = dlsym(library_, name.c_str());
  }
  HostKernel(const HostKernel&) = delete;
  HostKernel& operator=(const HostKernel&) = delete;
  ~HostKernel() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }

  template <class... Pointers>
  int operator()(Pointers... arguments) const {
    return reinterpret_cast<int (*)(Pointers...)>(entry_)(arguments...);
  }

 private:
  static void run(const std::string& command) {
    if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
  }

  std::filesystem::path folder_;
  void* library_ = nullptr;
  void* entry_ = nullptr;
};

}  // namespace solway::codegen
