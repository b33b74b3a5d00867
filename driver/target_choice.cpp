#include "driver/target_choice.h"

#include <algorithm>

#include "support/error.h"

namespace solway::driver {

std::vector<std::string> target_names() {
  std::vector<std::string> out = {"host"};
  for (std::string& name : builtin_target_names()) out.push_back(std::move(name));
  return out;
}

Target require_target(const std::string& name, const SourceLoc& where) {
  const std::vector<std::string> names = target_names();
  const bool is_there = std::find(names.begin(), names.end(), name) != names.end();
  if (is_there || name.ends_with(".toml")) return load_target(name, where);
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "'" : ", '") + each + "'";
  throw UnsupportedError({where, "target '" + name + "' is not there",
                          "the targets are " + list + ", or the path of a .toml file",
                          "pass target=\"host\" or another of these"});
}

}  // namespace solway::driver
