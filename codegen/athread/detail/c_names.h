#pragma once

#include <map>
#include <set>
#include <string>

namespace solway::codegen {

/// True for words that C99, the interface of a machine or its headers take.
bool is_reserved_in_c(const std::string& name);

/// C identifiers for the names of one kernel: the same name where C allows it, else with
/// an underscore or a number appended. Each name of the kernel has one identifier, and no two share
/// one.
class CNames {
 public:
  /// All names of the kernel, which fresh() avoids, and those of the file that it may not use.
  CNames(const std::set<std::string>& kernel_names, const std::set<std::string>& file_names);

  /// The identifier of a buffer, a loop or a let of the kernel.
  std::string of(const std::string& ir_name);
  /// A new identifier like `wish`.
  std::string fresh(const std::string& wish);
  /// Ends the scope of a fresh name.
  void release(const std::string& fresh_name);

 private:
  std::set<std::string> used_;
  std::set<std::string> file_names_;
  std::map<std::string, std::string> name_of_;
};

}  // namespace solway::codegen
