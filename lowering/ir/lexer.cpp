#include "lowering/ir/detail/lexer.h"

#include <algorithm>
#include <cctype>

#include "lowering/ir/detail/invariant.h"

namespace solway::ir::detail {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::size_t Lexer::skip_blanks(std::size_t pos) const {
  while (pos < text_.size()) {
    if (text_[pos] == '#') {
      pos = std::min(text_.find('\n', pos), text_.size());
    } else if (std::isspace(static_cast<unsigned char>(text_[pos])) != 0) {
      ++pos;
    } else {
      break;
    }
  }
  return pos;
}

void Lexer::advance() {
  start_ = skip_blanks(pos_);
  pos_ = start_;
  if (start_ == text_.size()) {
    current_ = {TokenKind::End, ""};
    return;
  }
  const char first = text_[start_];
  if (is_digit(first)) {
    const auto in_number = [&](std::size_t p) {
      if (is_word_char(text_[p]) || text_[p] == '.') return true;
      const bool is_sign = text_[p] == '-' || text_[p] == '+';
      return is_sign && text_[p - 1] == 'e';
    };
    while (pos_ < text_.size() && in_number(pos_)) ++pos_;
    current_ = {TokenKind::Number, std::string(text_.substr(start_, pos_ - start_))};
    return;
  }
  if (is_word_char(first)) {
    while (pos_ < text_.size() && is_word_char(text_[pos_])) ++pos_;
    current_ = {TokenKind::Word, std::string(text_.substr(start_, pos_ - start_))};
    return;
  }
  static constexpr std::string_view kPairs[] = {"//", "<=", ">=", "==", "!=", "->", "<<", ">>"};
  const std::string_view pair = text_.substr(start_, 2);
  const bool is_pair = std::find(std::begin(kPairs), std::end(kPairs), pair) != std::end(kPairs);
  pos_ = start_ + (is_pair ? 2 : 1);
  current_ = {TokenKind::Symbol, std::string(text_.substr(start_, pos_ - start_))};
}

Token Lexer::take() {
  Token token = current_;
  advance();
  return token;
}

char Lexer::following() const {
  const std::size_t next = skip_blanks(pos_);
  return next < text_.size() ? text_[next] : '\0';
}

bool Lexer::at(std::string_view text) const {
  return current_.kind != TokenKind::End && current_.text == text;
}

bool Lexer::accept(std::string_view text) {
  if (!at(text)) return false;
  advance();
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail("'" + std::string(text) + "'");
}

std::string Lexer::word() {
  if (current_.kind != TokenKind::Word) fail("a name");
  return take().text;
}

void Lexer::fail(const std::string& what) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(start_), '\n');
  const std::string found = current_.kind == TokenKind::End ? "the end" : "'" + current_.text + "'";
  const std::size_t begin = text_.rfind('\n', start_ == 0 ? 0 : start_ - 1);
  const std::size_t from = begin == std::string_view::npos ? 0 : begin + 1;
  const std::string_view rest = text_.substr(std::min(from, text_.size()));
  detail::fail("loop IR text, line " + std::to_string(line) + ": '" +
                   std::string(rest.substr(0, rest.find('\n'))) + "'",
               "expected " + what + ", got " + found);
}

}  // namespace solway::ir::detail
