#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "driver/build.h"

namespace solway::python {

/// (print_after, stop_after, timings, pipelines); None leaves what the environment says.
using PassRow = std::tuple<std::optional<std::vector<std::string>>, std::optional<std::string>,
                           std::optional<bool>, std::optional<std::string>>;
/// The name of a target, or a machine.
using TargetChoice = std::variant<std::string, Target>;

inline driver::BuildOptions build_options(const TargetChoice& target, const std::string& name,
                                          const PassRow& passes, const SourceLoc& where) {
  driver::BuildOptions options;
  options.name = name;
  const auto& [print_after, stop_after, timings, pipelines] = passes;
  if (print_after) options.passes.print_after = *print_after;
  if (stop_after) options.passes.stop_after = *stop_after;
  if (timings) options.passes.timings = *timings;
  if (pipelines) options.pipelines = driver::require_pipelines(*pipelines, where);
  if (const Target* machine = std::get_if<Target>(&target)) {
    options.machine = *machine;
  } else {
    options.target = std::get<std::string>(target);
  }
  return options;
}

}  // namespace solway::python
