#pragma once

#include <map>
#include <set>
#include <string>

#include "lowering/ir/stmt.h"

namespace solway::codegen::c99 {

/// Names of the loop IR as C identifiers: a name that C or the emitted helpers use gets '_' behind
/// it until it is free; all others stay as they are.
class CNames {
 public:
  explicit CNames(const ir::Kernel& kernel);
  const std::string& of(const std::string& name) const { return names_.at(name); }

 private:
  std::map<std::string, std::string> names_;
};

/// True for the functions of <math.h> that emitted expressions call, of double and of float.
bool is_math_function(std::string name);
/// True for words that a C program may not use freely: keywords, macros and functions of the
/// headers that emitted code includes, and names that start with "sw_".
bool is_reserved_in_c(const std::string& name);

}  // namespace solway::codegen::c99
