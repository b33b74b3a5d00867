#include "emulator/clang_command.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace solway::emulator {

namespace fs = std::filesystem;

namespace {

/// Macros and folders, as every command of the compiler takes them.
void add_preprocessing(std::vector<std::string>& words, const KernelSources& sources,
                       const SourceFile& source) {
  if (sources.target != "generic") {
    words.push_back(source.is_mpe ? "-D__sw_host__=1" : "-D__sw_slave__=1");
  }
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
    return {"-std=gnu99",
            // An inline function is there even where a call of it is not inlined.
            "-fgnu89-inline", "-Wno-implicit-int", "-Wno-implicit-function-declaration",
            "-Wno-deprecated-non-prototype",
            // Public programs give pthread_create functions that return int.
            "-Wno-incompatible-function-pointer-types"};
  }
  return {"-std=gnu++17", "-fno-exceptions", "-fno-threadsafe-statics",
          "-fno-c++-static-destructors"};
}

std::vector<std::string> preprocess_command(const KernelSources& sources,
                                            const Toolchain& toolchain, const SourceFile& source,
                                            const fs::path& output) {
  std::vector<std::string> words = {toolchain.clang.string(), "-E", "-x", "assembler-with-cpp",
                                    "-fno-color-diagnostics"};
  add_preprocessing(words, sources, source);
  words.push_back(source.path.string());
  words.push_back("-o");
  words.push_back(output.string());
  return words;
}

/// What reading a source takes: macros, folders, the language.
std::vector<std::string> reading_options(const KernelSources& sources, const Toolchain& toolchain,
                                         const SourceFile& source) {
  std::vector<std::string> words = {"-fno-color-diagnostics", "-isystem",
                                    (toolchain.headers / sources.target).string(), "-isystem",
                                    toolchain.headers.string()};
  for (std::string& option : language_options(source.path)) words.push_back(std::move(option));
  add_preprocessing(words, sources, source);
  return words;
}

bool mentions(const fs::path& file, const char* word) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str().find(word) != std::string::npos;
}

/// Whether the kernel may have variables that all cores see: its source or a header of its folders
/// mentions them.
bool may_share(const KernelSources& sources, const fs::path& source) {
  constexpr const char* kShared = "SCRATCHPAD_SHARED";
  if (sources.target != "generic") return false;
  if (mentions(source, kShared)) return true;
  std::vector<fs::path> folders = sources.include;
  folders.push_back(source.parent_path());
  for (const fs::path& folder : folders) {
    std::error_code none;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, none)) {
      if (file.path().extension() == ".h" && mentions(file.path(), kShared)) return true;
    }
  }
  return false;
}

std::vector<std::string> compile_command(const KernelSources& sources, const Toolchain& toolchain,
                                         const SourceFile& source, const fs::path& output) {
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
                                    "-Wno-psabi"};
  // A load that the program does not make, of LDM that a transfer writes, would be reported. Of
  // the means against data races this leaves only that no load is made ahead of its condition.
  words.push_back("-fsanitize=thread");
  for (const char* const what :
       {"memory-accesses", "func-entry-exit", "atomics", "memintrinsics"}) {
    words.push_back("-mllvm");
    words.push_back("-tsan-instrument-" + std::string(what) + "=0");
  }
  // A loop that waits for a counter and copies what has arrived would become one copy, before all
  // of its waits: what is not volatile may be moved past what is.
  words.push_back("-mllvm");
  words.push_back("-disable-loop-idiom-all");
  // A variable that a loop changes on some cores would be loaded before the loop, by all of them.
  if (may_share(sources, source.path)) {
    words.push_back("-mllvm");
    words.push_back("-disable-licm-promotion");
  }
  for (std::string& option : reading_options(sources, toolchain, source)) {
    words.push_back(std::move(option));
  }
  words.push_back(source.path.string());
  words.push_back("-o");
  words.push_back(output.string());
  return words;
}

/// The compiler's name of the language of `source` without macros.
const char* expanded_language(const fs::path& source) {
  return is_cplusplus(source) ? "c++-cpp-output" : "cpp-output";
}

}  // namespace

bool is_assembly(const fs::path& source) {
  return source.extension() == ".S" || source.extension() == ".s";
}

std::vector<std::string> clang_command(const KernelSources& sources, const Toolchain& toolchain,
                                       const SourceFile& source, const fs::path& output) {
  return source.path.extension() == ".S" ? preprocess_command(sources, toolchain, source, output)
                                         : compile_command(sources, toolchain, source, output);
}

std::vector<std::string> expand_command(const KernelSources& sources, const Toolchain& toolchain,
                                        const SourceFile& source, const fs::path& output) {
  std::vector<std::string> words = {toolchain.clang.string(), "-E"};
  for (std::string& option : reading_options(sources, toolchain, source)) {
    words.push_back(std::move(option));
  }
  words.push_back(source.path.string());
  words.push_back("-o");
  words.push_back(output.string());
  return words;
}

std::vector<std::string> check_command(const Toolchain& toolchain, const fs::path& source,
                                       const fs::path& text) {
  std::vector<std::string> words = {toolchain.clang.string(),
                                    "-fsyntax-only",
                                    "-w",
                                    "-ferror-limit=0",
                                    "-fdiagnostics-print-source-range-info",
                                    "-fno-caret-diagnostics",
                                    "-fno-color-diagnostics"};
  for (std::string& option : language_options(source)) words.push_back(std::move(option));
  words.push_back("-x");
  words.push_back(expanded_language(source));
  words.push_back(text.string());
  return words;
}

std::vector<std::string> compile_expanded_command(const KernelSources& sources,
                                                  const Toolchain& toolchain,
                                                  const SourceFile& source,
                                                  const fs::path& expanded,
                                                  const fs::path& output) {
  std::vector<std::string> words = compile_command(sources, toolchain, source, output);
  const auto place = std::find(words.begin(), words.end(), source.path.string());
  *place = expanded.string();
  words.insert(place, {"-x", expanded_language(source.path)});
  return words;
}

}  // namespace solway::emulator
