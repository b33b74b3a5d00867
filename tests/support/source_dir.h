#pragma once

#include <string>

namespace solway {

/// The root of the source tree that the tests were built from, without a slash at the end.
const std::string& source_dir();

}  // namespace solway
