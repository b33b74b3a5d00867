#include "emulator/worker/assembly_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>

namespace solway::emulator {
namespace {

constexpr const char* kBlanks = " \t\r";

/// Directives that change nothing that is executed.
constexpr std::array kSkipped = {".set",  ".arch",  ".file", ".loc",      ".align",
                                 ".type", ".size",  ".weak", ".prologue", ".frame",
                                 ".mask", ".fmask", ".end",  ".ident",    ".text"};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  const auto end = text.find_last_not_of(kBlanks);
  return std::string(text.substr(begin, end - begin + 1));
}

/// Operands end at commas outside of parentheses; blanks are dropped.
std::vector<std::string> operands_of(std::string_view text) {
  std::vector<std::string> out;
  std::string operand;
  for (const char c : text) {
    if (c == '!') break;  // a mark of the linker
    if (c == ',') {
      out.push_back(operand);
      operand.clear();
    } else if (std::string_view(kBlanks).find(c) == std::string_view::npos) {
      operand += c;
    }
  }
  if (!operand.empty()) out.push_back(operand);
  return out;
}

class Reader {
 public:
  explicit Reader(std::string file) : where_{std::move(file), 0} {}

  /// False at a problem.
  bool read(const std::string& whole) {
    ++where_.line;
    if (is_mark_of_preprocessor(whole)) return true;
    std::istringstream statements(whole.substr(0, whole.find('#')));
    for (std::string one; std::getline(statements, one, ';');) {
      if (!read_statement(trimmed(one))) return false;
    }
    return true;
  }

  AssemblyText take() { return std::move(out_); }

 private:
  bool read_statement(std::string line) {
    for (auto colon = label_end(line); colon != std::string::npos; colon = label_end(line)) {
      if (!note_label(trimmed(line.substr(0, colon)))) return false;
      line = trimmed(line.substr(colon + 1));
    }
    if (line.empty()) return true;
    const auto end = std::min(line.find_first_of(kBlanks), line.size());
    const std::string name = line.substr(0, end);
    const std::vector<std::string> operands = operands_of(line.substr(end));
    return name.front() == '.' ? note_directive(name, operands) : note_instruction(name, operands);
  }

  /// `# 12 "kernel.S"`: the next line is that one.
  bool is_mark_of_preprocessor(const std::string& line) {
    std::istringstream in(line);
    char hash = 0;
    int number = 0;
    std::string file;
    if (!(in >> hash >> number >> file) || hash != '#') return false;
    if (file.size() < 2 || file.front() != '"') return false;
    where_ = {file.substr(1, file.rfind('"') - 1), number - 1};
    return true;
  }

  static std::size_t label_end(const std::string& line) {
    const auto colon = line.find(':');
    return line.find_first_of(" \t,(") < colon ? std::string::npos : colon;
  }

  bool fail(bool is_unsupported, std::string what, std::string why, std::string fix) {
    out_.problem = {where_, is_unsupported, std::move(what), std::move(why), std::move(fix)};
    return false;
  }

  bool note_label(const std::string& name) {
    if (functions_.contains(name)) {
      out_.functions.push_back({name, where_, {}, {}});
      return true;
    }
    if (out_.functions.empty()) return true;  // of a section before the code
    AssemblyFunction& function = out_.functions.back();
    const bool is_new = function.labels.emplace(name, function.instructions.size()).second;
    return is_new || fail(false, "label '" + name + "' stands twice in '" + function.name + "'",
                          "a branch to it could go to either", "rename one of them");
  }

  bool note_directive(const std::string& name, const std::vector<std::string>& operands) {
    if (name == ".globl" || name == ".global" || name == ".ent") {
      if (!operands.empty()) functions_.insert(operands.front());
      return true;
    }
    if (name == ".section") {
      const std::string section = operands.empty() ? "" : operands.front();
      is_code_ = section.starts_with(".text");
      return true;
    }
    if (name == ".text") is_code_ = true;
    const bool is_known = std::find(kSkipped.begin(), kSkipped.end(), name) != kSkipped.end();
    if (is_known || !is_code_) return true;
    return fail(true, "directive '" + name + "' cannot be emulated",
                "assembly brings functions; data come from C sources",
                "declare the data __thread_local in a C source, and pass their address");
  }

  bool note_instruction(const std::string& name, const std::vector<std::string>& operands) {
    if (out_.functions.empty()) {
      return fail(false, "instruction '" + name + "' belongs to no function",
                  "a function begins at a label that .globl names",
                  "write .globl and the label before it");
    }
    out_.functions.back().instructions.push_back({name, operands, where_});
    return true;
  }

  AssemblyText out_;
  SourceLine where_;
  std::set<std::string> functions_;
  bool is_code_ = true;
};

}  // namespace

AssemblyText read_assembly(const std::string& text, const std::string& file) {
  Reader reader(file);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!reader.read(line)) break;
  }
  return reader.take();
}

}  // namespace solway::emulator
