#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace solway::codegen {

/// Collects lines of C, two blanks of indent for each open brace.
class CText {
 public:
  void line(const std::string& text) {
    if (!text.empty()) text_ += std::string(2 * depth_, ' ') + text;
    text_ += "\n";
  }
  /// A statement that continues on a second line, `indent` columns in, where it is too long.
  void call(const std::string& head, const std::string& tail, std::size_t indent) {
    constexpr std::size_t kMaxColumns = 100;
    if (2 * depth_ + head.size() + 1 + tail.size() <= kMaxColumns) return line(head + " " + tail);
    line(head);
    line(std::string(indent, ' ') + tail);
  }
  void comment(const std::string& text) { line("/* " + without_end(text) + " */"); }
  void open(const std::string& head) {
    line(head.empty() ? "{" : head + " {");
    ++depth_;
  }
  void close(const std::string& tail = "") {
    --depth_;
    line("}" + tail);
  }
  /// "} else {".
  void reopen(const std::string& between) {
    --depth_;
    line("} " + between + " {");
    ++depth_;
  }
  std::string take() { return std::move(text_); }

 private:
  /// Text that cannot end a comment or the line.
  static std::string without_end(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' || text[i] == '\\') text[i] = ' ';
      if (i + 1 < text.size() &&
          ((text[i] == '*' && text[i + 1] == '/') || (text[i] == '/' && text[i + 1] == '*'))) {
        text.insert(i + 1, " ");
      }
    }
    return text;
  }

  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace solway::codegen
