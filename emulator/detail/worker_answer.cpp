#include "emulator/detail/worker_answer.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "support/error.h"

namespace solway::emulator::detail {
namespace {

std::string line_text(const std::string& file, int line) {
  std::ifstream stream(file);
  std::string text;
  for (int i = 0; i < line; ++i) {
    if (!std::getline(stream, text)) return "";
  }
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

SourceLoc answered_location(Answer& answer, const std::string& prefix) {
  if (!answer.contains(prefix + "_file")) return {};
  return location(answer[prefix + "_file"], std::atoi(answer[prefix + "_line"].c_str()));
}

}  // namespace

SourceLoc location(const std::string& file, int line) {
  return {file, line, line_text(file, line)};
}

Answer parse_answer(const std::string& text) {
  Answer answer;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) answer[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return answer;
}

void throw_failure(Answer& answer) {
  Error::Report report{answered_location(answer, "where"), answer["what"], answer["why"],
                       answer["fix"]};
  const std::string kind = answer["kind"];
  if (kind == "unsupported") throw UnsupportedError(std::move(report));
  if (kind == "program") throw DslError(std::move(report));
  if (kind == "internal") throw InternalError(std::move(report));
  throw EmulatorError(std::move(report), kind, answered_location(answer, "cause"),
                      std::atoi(answer["cpe"].c_str()), std::atoi(answer["group"].c_str()));
}

Answer require_answer(const ChildResult& child, const KernelSources& sources, double seconds) {
  Answer answer = parse_answer(child.output);
  if (answer["end"] == "done") return answer;
  if (answer["end"] == "failure") throw_failure(answer);
  const SourceLoc entry{sources.mpe.empty() ? "" : sources.mpe.front().string(), 0, ""};
  if (child.timed_out || child.signal == SIGXCPU) {
    std::ostringstream text;
    text << "it ran for " << seconds << " s";
    throw EmulatorError({entry, "'" + sources.name + "' did not end", text.str(),
                         "make the problem smaller, or allow more seconds"},
                        "deadlock", {}, -1);
  }
  if (child.exit_code >= 0) {
    throw DslError({entry, "'" + sources.name + "' ended its process",
                    "exit code " + std::to_string(child.exit_code) + " before the entry returned",
                    "return from the entry instead of calling exit()"});
  }
  throw EmulatorError({entry, "'" + sources.name + "' crashed",
                       "signal " + std::to_string(child.signal) + " ended the process" +
                           (child.messages.empty() ? "" : "; " + child.messages.substr(0, 300)),
                       "check the calls to the C library"},
                      "crash", {}, -1);
}

}  // namespace solway::emulator::detail
