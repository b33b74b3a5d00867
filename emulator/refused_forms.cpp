#include "emulator/refused_forms.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "emulator/clang_command.h"
#include "emulator/subprocess.h"

namespace solway::emulator {

namespace fs = std::filesystem;

namespace {

constexpr double kSeconds = 300;
constexpr int kRounds = 32;  ///< forms inside forms

/// From one character of a text to another, which is excluded.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A message: which form it refuses, and of a number the vector that it was to become.
struct Refusal {
  enum class Form { None, VectorCast, Number, NumberCast, Register } form = Form::None;
  std::string vector;
};

/// A type that a message names between quotes.
struct NamedType {
  std::string name;
  bool is_vector = false;
};

/// A type without what only says how it is accessed.
std::string unqualified(std::string name) {
  for (const char* const qualifier : {"const ", "volatile "}) {
    if (name.rfind(qualifier, 0) == 0) name.erase(0, std::string(qualifier).size());
  }
  return name;
}

bool is_vector_of_the_machine(const std::string& name) {
  static const std::set<std::string> kVectors = {"floatv4", "doublev4", "intv8",   "uintv8",
                                                 "int256",  "uint256",  "floatv8", "doublev8",
                                                 "intv16",  "uintv16",  "int512",  "uint512"};
  return kVectors.count(unqualified(name)) != 0;
}

bool is_number(const std::string& name) {
  static const std::set<std::string> kNumbers = {
      "char",  "signed char",  "unsigned char", "short",         "unsigned short",
      "int",   "unsigned int", "long",          "unsigned long", "long long",
      "float", "double",       "_Bool",         "bool",          "unsigned long long"};
  return kNumbers.count(unqualified(name)) != 0;
}

/// The types of "... 'a' (vector of 4 'float' values) ... 'b' (aka 'doublev4') ... 'double'".
std::vector<NamedType> types_in(const std::string& message) {
  std::vector<NamedType> types;
  for (std::size_t at = message.find('\''); at != std::string::npos;) {
    const std::size_t end = message.find('\'', at + 1);
    if (end == std::string::npos) break;
    NamedType type{message.substr(at + 1, end - at - 1)};
    std::size_t next = end + 1;
    if (message.compare(next, 12, " (vector of ") == 0) {
      type.is_vector = true;
      next = message.find(')', next);
    } else if (message.compare(next, 7, " (aka '") == 0) {
      const std::size_t close = message.find('\'', next + 7);
      if (close == std::string::npos) break;
      const std::string known = message.substr(next + 7, close - next - 7);
      type.is_vector = is_vector_of_the_machine(known);
      if (is_number(known)) type.name = known;
      next = close + 1;
    }
    types.push_back(std::move(type));
    at = message.find('\'', next);
  }
  return types;
}

bool has(const std::string& message, const char* words) {
  return message.find(words) != std::string::npos;
}

Refusal refusal_of(const std::string& message) {
  using Form = Refusal::Form;
  if (!has(message, "error: ")) return {};
  if (has(message, "unknown register name '$") && has(message, "in asm"))
    return {Form::Register, ""};
  const bool is_cast =
      has(message, "invalid conversion between vector type") || has(message, "C-style cast from");
  if (is_cast && has(message, "of different size")) return {Form::VectorCast, ""};
  if (!is_cast && !has(message, "incompatible type") && !has(message, "incompatible result type") &&
      !has(message, "cannot initialize")) {
    return {};
  }
  const std::vector<NamedType> types = types_in(message.substr(message.find("error: ")));
  if (types.size() != 2 || types[0].is_vector == types[1].is_vector) return {};
  const NamedType& vector = types[types[0].is_vector ? 0 : 1];
  if (!is_number(types[types[0].is_vector ? 1 : 0].name)) return {};
  return {is_cast ? Form::NumberCast : Form::Number, vector.name};
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

/// The string at the place in "file:12:39: error: ...".
bool read_string_at(const std::string& message, const std::vector<std::size_t>& starts,
                    const std::string& text, Range& range) {
  const auto end = message.find(": error: ");
  const auto column_at = message.rfind(':', end - 1);
  const auto line_at =
      column_at == std::string::npos ? column_at : message.rfind(':', column_at - 1);
  if (end == std::string::npos || line_at == std::string::npos) return false;
  const auto line = static_cast<std::size_t>(std::atoll(message.c_str() + line_at + 1));
  const auto column = static_cast<std::size_t>(std::atoll(message.c_str() + column_at + 1));
  if (line < 1 || column < 1 || line > starts.size()) return false;
  range.begin = starts[line - 1] + column - 1;
  if (range.begin >= text.size() || text[range.begin] != '"') return false;
  range.end = text.find('"', range.begin + 1);
  if (range.end == std::string::npos) return false;
  ++range.end;
  return true;
}

/// `number` in every lane of `vector`, a constant where the number is one.
std::string in_every_lane(const std::string& number, const std::string& vector) {
  const std::string lane = "(((" + vector + "){})[0])";
  return "((" + vector + ")(__typeof__" + lane + " __attribute__((ext_vector_type(sizeof(" +
         vector + ") / sizeof" + lane + "))))(" + number + "))";
}

/// What stands for `whole`; empty where it is not understood.
std::string accepted(const std::string& whole, const Refusal& refusal) {
  using Form = Refusal::Form;
  if (refusal.form == Form::Register) return "\"memory\"";
  if (refusal.form == Form::Number) return in_every_lane(whole, refusal.vector);
  const auto close = whole.find(')');
  if (whole[0] != '(' || close == std::string::npos) return "";
  const std::string type = whole.substr(1, close - 1), operand = whole.substr(close + 1);
  if (refusal.form == Form::NumberCast) return in_every_lane(operand, type);
  return "__builtin_convertvector((" + operand + "), " + type + ")";
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

bool is_form_refused(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (refusal_of(line).form != Refusal::Form::None) return true;
  }
  return false;
}

bool rewrite_refused_forms(std::string& text, const std::string& messages) {
  struct Place {
    Range range;
    Refusal refusal;
  };
  const std::vector<std::size_t> starts = line_starts(text);
  std::vector<Place> places;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    Place place{{}, refusal_of(line)};
    if (place.refusal.form == Refusal::Form::None) continue;
    const bool is_found = place.refusal.form == Refusal::Form::Register
                              ? read_string_at(line, starts, text, place.range)
                              : read_range(line, starts, place.range);
    if (is_found) places.push_back(std::move(place));
  }
  // From the last one, so that those before keep their places.
  std::sort(places.begin(), places.end(),
            [](auto& a, auto& b) { return a.range.begin > b.range.begin; });
  std::size_t done = text.size();
  bool found = false;
  for (const auto& [range, refusal] : places) {
    if (range.end > done) continue;  // what is inside has just been rewritten
    const std::string instead =
        accepted(text.substr(range.begin, range.end - range.begin), refusal);
    if (instead.empty()) continue;
    text.replace(range.begin, range.end - range.begin, instead);
    done = range.begin;
    found = true;
  }
  return found;
}

bool accept_refused_forms(const KernelSources& sources, const Toolchain& toolchain,
                          const SourceFile& source, const fs::path& expanded) {
  const auto expand = expand_command(sources, toolchain, source, expanded);
  if (run_child(expand, {.seconds = kSeconds}).exit_code != 0) return false;
  std::string text = content(expanded);
  const fs::path plain = expanded.string() + ".plain";
  for (int round = 0; round < kRounds; ++round) {
    std::ofstream(plain) << without_markers(text);
    const ChildResult checked =
        run_child(check_command(toolchain, source.path, plain), {.seconds = kSeconds});
    if (!rewrite_refused_forms(text, checked.messages)) break;
  }
  std::ofstream(expanded) << text;
  return true;
}

}  // namespace solway::emulator
