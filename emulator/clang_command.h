#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emulator/kernel_toml.h"
#include "emulator/toolchain.h"

namespace solway::emulator {

/// A source, and for which side it is compiled; one may be of both.
struct SourceFile {
  std::filesystem::path path;
  bool is_mpe = false;
};

/// Whether it is written in the instructions of a CPE. It goes through the preprocessor if its name
/// ends with a capital S, as usual.
bool is_assembly(const std::filesystem::path& source);

/// The words of the command that makes bitcode of C or C++, by the ending of its name, and text
/// without macros of assembly.
std::vector<std::string> clang_command(const KernelSources& sources, const Toolchain& toolchain,
                                       const SourceFile& source,
                                       const std::filesystem::path& output);

/// The words of the command that writes C or C++ without macros.
std::vector<std::string> expand_command(const KernelSources& sources, const Toolchain& toolchain,
                                        const SourceFile& source,
                                        const std::filesystem::path& output);

/// Of the command that only says what is wrong with `text`, which is `source` without macros, each
/// error with the range of what it is about.
std::vector<std::string> check_command(const Toolchain& toolchain,
                                       const std::filesystem::path& source,
                                       const std::filesystem::path& text);

/// Of the command that makes bitcode of `expanded`, which is `source` without macros.
std::vector<std::string> compile_expanded_command(const KernelSources& sources,
                                                  const Toolchain& toolchain,
                                                  const SourceFile& source,
                                                  const std::filesystem::path& expanded,
                                                  const std::filesystem::path& output);

}  // namespace solway::emulator
