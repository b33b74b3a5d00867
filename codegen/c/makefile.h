#pragma once

#include <string>

namespace solway::codegen {

/// Lines of a Makefile that choose NEC's compiler, its options and its archiver, unless whoever
/// calls make names another compiler: `make CC=cc` builds for this machine.
std::string nec_tools();

/// A Makefile that builds lib`kernel`.a of `kernel`.c with these tools.
std::string nec_makefile(const std::string& kernel);

}  // namespace solway::codegen
