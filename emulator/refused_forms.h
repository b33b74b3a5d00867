#pragma once

#include <filesystem>
#include <string>

#include "emulator/clang_command.h"
#include "emulator/kernel_toml.h"
#include "emulator/toolchain.h"

namespace solway::emulator {

/// What the machine's compilers take and clang refuses:
///
///   y = (floatv4)(a * b);         of doublev4: a cast that converts each lane
///   doublev4 sum = 0.0;           a number that goes into each lane; assigned, passed, returned,
///   cast asm(... ::: "$1");            a register of a CPE that the statement changes
///
/// Whether one of these is among the errors in `messages`.
bool is_form_refused(const std::string& messages);

/// Writes `source` without macros and with these forms as what clang has for them. Lines are still
/// known as those of `source`. False where the compiler stops before.
bool accept_refused_forms(const KernelSources& sources, const Toolchain& toolchain,
                          const SourceFile& source, const std::filesystem::path& expanded);

/// One round of it: rewrites the forms of `text` that `messages` refuse, which clang has made with
/// `check_command` for the text without its line markers. True if there were any.
///
/// A form inside another one is refused first; the outer one follows in the next round.
bool rewrite_refused_forms(std::string& text, const std::string& messages);

}  // namespace solway::emulator
