#include "driver/native_library.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "driver/temporary_folder.h"
#include "support/error.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace solway::driver {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::stringstream out;
  out << std::ifstream(file).rdbuf();
  return out.str();
}

/// Runs a program found on PATH with its output in a file; its exit status, 127 when not found.
int run(const std::vector<std::string>& command, const fs::path& output) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) return 127;
  int status = 0;
  if (waitpid(child, &status, 0) != child) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

}  // namespace

NativeLibrary::NativeLibrary(const std::map<std::string, std::string>& sources,
                             const SourceLoc& where) {
  const TemporaryFolder folder(where);
  const fs::path library = folder.path() / "kernel.so";
  const fs::path log = folder.path() / "log.txt";
  const char* chosen = std::getenv("CC");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "cc";
  // -Bsymbolic: a kernel named like a function of the C library calls itself, not that function.
  std::vector<std::string> command{compiler,  "-std=c99",       "-O2", "-fPIC",
                                   "-shared", "-Wl,-Bsymbolic", "-o",  library.string()};
  for (const auto& [name, text] : sources) {
    const fs::path file = folder.write(name, text, where);
    if (name.ends_with(".c")) command.push_back(file.string());
  }
  command.emplace_back("-lm");
  const int status = run(command, log);
  if (status == 127) {
    throw UnsupportedError({where, "target 'c' needs a C compiler to run a kernel",
                            "'" + compiler + "' was not found",
                            "install gcc or clang, or set CC; k.source holds the C code"});
  }
  if (status != 0) {
    folder.require_room(where);
    throw InternalError({where, "'" + compiler + "' refused the generated C", text_of(log), ""});
  }
  handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    throw InternalError({where, "the compiled kernel could not be loaded", dlerror(), ""});
  }
}

NativeLibrary::~NativeLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* NativeLibrary::symbol(const std::string& name) const {
  void* out = dlsym(handle_, name.c_str());
  if (out == nullptr) throw InternalError({{}, "the compiled kernel lacks '" + name + "'", "", ""});
  return out;
}

}  // namespace solway::driver
