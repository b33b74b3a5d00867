#include "emulator/clang_command.h"

namespace solway::emulator {

namespace fs = std::filesystem;

namespace {

/// Macros and folders, as every command of the compiler takes them.
void add_preprocessing(std::vector<std::string>& words, const KernelSources& sources) {
  for (const auto& [macro, text] : sources.defines) words.push_back("-D" + macro + "=" + text);
  for (const auto& [size, value] : sources.sizes) {
    words.push_back("-D" + size + "=" + std::to_string(value));
  }
  for (const fs::path& folder : sources.include) words.push_back("-I" + folder.string());
}

bool is_cplusplus(const fs::path& source) {
  const std::string ending = source.extension().string();
  return ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C";
}

/// Of the language. C++ without exceptions, which no CPE has, and without the destructors of static
/// objects: the machine's processes end without them.
std::vector<std::string> language_options(const fs::path& source) {
  if (!is_cplusplus(source)) {
    return {"-std=gnu99", "-Wno-implicit-int", "-Wno-implicit-function-declaration",
            "-Wno-deprecated-non-prototype",
            // Public programs give pthread_create functions that return int.
            "-Wno-incompatible-function-pointer-types"};
  }
  return {"-std=gnu++17", "-fno-exceptions", "-fno-threadsafe-statics",
          "-fno-c++-static-destructors"};
}

std::vector<std::string> preprocess_command(const KernelSources& sources,
                                            const Toolchain& toolchain, const fs::path& source,
                                            const fs::path& output) {
  std::vector<std::string> words = {toolchain.clang.string(), "-E", "-x", "assembler-with-cpp",
                                    "-fno-color-diagnostics"};
  add_preprocessing(words, sources);
  words.push_back(source.string());
  words.push_back("-o");
  words.push_back(output.string());
  return words;
}

std::vector<std::string> compile_command(const KernelSources& sources, const Toolchain& toolchain,
                                         const fs::path& source, const fs::path& output) {
  std::vector<std::string> words = {toolchain.clang.string(),
                                    "-c",
                                    "-emit-llvm",
                                    "-O2",
                                    "-g",
                                    "-fPIC",
                                    "-ffp-contract=fast",
                                    "-fno-vectorize",
                                    "-fno-slp-vectorize",
                                    "-fno-strict-aliasing",
                                    "-fno-stack-protector",
                                    "-fno-common",
                                    "-mlong-double-64",
                                    "-fno-math-errno",
                                    "-Wno-psabi",
                                    "-fno-color-diagnostics",
                                    "-isystem",
                                    (toolchain.headers / sources.target).string(),
                                    "-isystem",
                                    toolchain.headers.string()};
  for (std::string& option : language_options(source)) words.push_back(std::move(option));
  // A load that the program does not make, of LDM that a transfer writes, would be reported. Of
  // the means against data races this leaves only that no load is made ahead of its condition.
  words.push_back("-fsanitize=thread");
  for (const char* const what :
       {"memory-accesses", "func-entry-exit", "atomics", "memintrinsics"}) {
    words.push_back("-mllvm");
    words.push_back("-tsan-instrument-" + std::string(what) + "=0");
  }
  add_preprocessing(words, sources);
  // A loop that waits for a counter and copies what has arrived would become one copy, before all
  // of its waits: what is not volatile may be moved past what is.
  words.push_back("-mllvm");
  words.push_back("-disable-loop-idiom-all");
  words.push_back(source.string());
  words.push_back("-o");
  words.push_back(output.string());
  return words;
}

}  // namespace

bool is_assembly(const fs::path& source) {
  return source.extension() == ".S" || source.extension() == ".s";
}

std::vector<std::string> clang_command(const KernelSources& sources, const Toolchain& toolchain,
                                       const fs::path& source, const fs::path& output) {
  return source.extension() == ".S" ? preprocess_command(sources, toolchain, source, output)
                                    : compile_command(sources, toolchain, source, output);
}

}  // namespace solway::emulator
