#include "emulator/vector_casts.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "emulator/clang_command.h"
#include "emulator/subprocess.h"

namespace solway::emulator {

namespace fs = std::filesystem;

namespace {

constexpr double kSeconds = 300;
constexpr int kRounds = 32;  ///< casts inside casts

/// From one character of a text to another, which is excluded.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_refusal(const std::string& message) {
  return message.find("error: invalid conversion between vector type") != std::string::npos &&
         message.find("of different size") != std::string::npos;
}

std::vector<std::size_t> line_starts(const std::string& text) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

/// The range in "file:12:39:{12:39-12:50}: error: ...", whose columns count from 1.
bool read_range(const std::string& message, const std::vector<std::size_t>& starts, Range& range) {
  const auto at = message.find(":{");
  std::size_t line = 0, column = 0, last_line = 0, last_column = 0;
  if (at == std::string::npos || std::sscanf(message.c_str() + at, ":{%zu:%zu-%zu:%zu}", &line,
                                             &column, &last_line, &last_column) != 4) {
    return false;
  }
  if (line < 1 || last_line < line || last_line > starts.size()) return false;
  range = {starts[line - 1] + column - 1, starts[last_line - 1] + last_column - 1};
  return range.begin < range.end;
}

bool is_line_marker(const std::string& line) {
  return line.size() > 2 && line[0] == '#' && line[1] == ' ' &&
         std::isdigit(static_cast<unsigned char>(line[2])) != 0;
}

/// With an empty line for each marker, so that the compiler counts the lines of the text itself.
std::string without_markers(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!is_line_marker(line)) result += line;
    result += '\n';
  }
  return result;
}

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

bool is_vector_cast_refused(const std::string& messages) { return is_refusal(messages); }

bool rewrite_refused_casts(std::string& text, const std::string& messages) {
  const std::vector<std::size_t> starts = line_starts(text);
  std::vector<Range> casts;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    Range range;
    if (is_refusal(line) && read_range(line, starts, range)) casts.push_back(range);
  }
  // From the last one, so that those before keep their places.
  std::sort(casts.begin(), casts.end(), [](auto& a, auto& b) { return a.begin > b.begin; });
  std::size_t done = text.size();
  bool found = false;
  for (const Range& cast : casts) {
    if (cast.end > done) continue;  // its operand has just been rewritten
    const std::string whole = text.substr(cast.begin, cast.end - cast.begin);
    const auto close = whole.find(')');
    if (whole[0] != '(' || close == std::string::npos) continue;
    const std::string type = whole.substr(1, close - 1);
    text.replace(cast.begin, whole.size(),
                 "__builtin_convertvector((" + whole.substr(close + 1) + "), " + type + ")");
    done = cast.begin;
    found = true;
  }
  return found;
}

bool convert_vector_casts(const KernelSources& sources, const Toolchain& toolchain,
                          const fs::path& source, const fs::path& expanded) {
  const auto expand = expand_command(sources, toolchain, source, expanded);
  if (run_child(expand, {.seconds = kSeconds}).exit_code != 0) return false;
  std::string text = content(expanded);
  const fs::path plain = expanded.string() + ".plain";
  for (int round = 0; round < kRounds; ++round) {
    std::ofstream(plain) << without_markers(text);
    const ChildResult checked =
        run_child(check_command(toolchain, source, plain), {.seconds = kSeconds});
    if (!rewrite_refused_casts(text, checked.messages)) break;
  }
  std::ofstream(expanded) << text;
  return true;
}

}  // namespace solway::emulator
