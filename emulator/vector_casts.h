#pragma once

#include <filesystem>
#include <string>

#include "emulator/kernel_toml.h"
#include "emulator/toolchain.h"

namespace solway::emulator {

/// Whether these messages of the compiler are about a cast between vectors of floats and of
/// doubles. The machine's compilers convert by it each lane; clang refuses it, as the two differ in
/// size.
bool is_vector_cast_refused(const std::string& messages);

/// Writes `source` without macros and with these casts as what clang has for them:
///
///   before: y = (floatv4)(a * b);
///   after:  y = __builtin_convertvector((a * b), floatv4);
///
/// Lines are still known as those of `source`. False where the compiler stops before.
bool convert_vector_casts(const KernelSources& sources, const Toolchain& toolchain,
                          const std::filesystem::path& source,
                          const std::filesystem::path& expanded);

/// One round of it: rewrites the casts of `text` that `messages` refuse, which clang has made with
/// `check_command` for the text without its line markers. True if there were any.
///
/// A cast inside another one is refused first; the outer one follows in the next round.
bool rewrite_refused_casts(std::string& text, const std::string& messages);

}  // namespace solway::emulator
