#include "driver/options.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <utility>

#include "support/error.h"

namespace solway::driver {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else if (c != ' ') {
      out.back() += c;
    }
  }
  std::erase(out, "");
  return out;
}

}  // namespace

PassOptions PassOptions::from_environment() {
  const std::string timings = variable("SOLWAY_TIMINGS");
  return {split_at_commas(variable("SOLWAY_PRINT_AFTER")), variable("SOLWAY_STOP_AFTER"),
          !timings.empty() && timings != "0"};
}

lowering::PipelineForm require_pipelines(const std::string& name, const SourceLoc& where) {
  if (const auto form = lowering::try_pipeline_form(name)) return *form;
  throw ScheduleArgumentError({where, "pipelines have no form '" + name + "'",
                               "the forms are 'auto', 'guarded' and 'peeled'",
                               "name one of these in Options(pipelines=) or SOLWAY_PIPELINES"});
}

lowering::PipelineForm pipelines_from_environment() {
  const std::string name = variable("SOLWAY_PIPELINES");
  return name.empty() ? lowering::PipelineForm::ByCost : require_pipelines(name, {});
}

bool PassOptions::prints_after(std::string_view pass) const {
  return std::any_of(print_after.begin(), print_after.end(),
                     [&](const std::string& name) { return name == pass || name == "all"; });
}

PhaseTimer::PhaseTimer(const PassOptions& options, std::string phase, std::ostream& out)
    : prints_(options.timings),
      phase_(std::move(phase)),
      out_(out),
      start_(std::chrono::steady_clock::now()) {}

PhaseTimer::~PhaseTimer() {
  if (!prints_) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start_;
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%.3f", took.count());
  out_ << "solway: " << phase_ << ": " << number.data() << " ms\n";
}

}  // namespace solway::driver
