#pragma once

#include <filesystem>
#include <string>

#include "codegen/llvm/options.h"

namespace solway::codegen {

/// The bytes of a static library with one member. No program is run for it.
std::string static_library(const std::string& object, const std::string& member);

/// Whether shared_library() can link for the options' machine.
bool can_link_shared(const LlvmOptions& options);

/// The bytes of a shared library of that name, linked from an object of compile_object() by LLVM's
/// linker within this process: neither a linker nor a C library of the options' machine has to be
/// installed. It asks its loader for libm.so.6 and libc.so.6, as far as the object calls them, and
/// for nothing else. `folder` is for files on the way.
///
/// Throws UnsupportedError for a machine for which that linker has no code.
std::string shared_library(const std::string& object, const std::string& name,
                           const LlvmOptions& options, const std::filesystem::path& folder);

}  // namespace solway::codegen
