#pragma once

#include <optional>
#include <string>

namespace solway::driver {

/// The path of a program: `name` itself when it has a '/', else the first one on PATH that may be
/// executed. nullopt when there is none.
std::optional<std::string> find_program(const std::string& name);

}  // namespace solway::driver
