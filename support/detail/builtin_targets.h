#pragma once

#include <span>
#include <string_view>

namespace solway {

/// A target file that is compiled into the library.
struct BuiltinTarget {
  std::string_view name;
  std::string_view toml;
};

/// Sorted by name. Made from targets/*.toml by support/CMakeLists.txt.
std::span<const BuiltinTarget> builtin_targets();

}  // namespace solway
