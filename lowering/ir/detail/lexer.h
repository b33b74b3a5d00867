#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace solway::ir::detail {

enum class TokenKind : std::uint8_t { Word, Number, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;
};

/// Splits the text form into words, unsigned numbers with their suffix ("1.5f32") and symbols.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { advance(); }

  const Token& current() const { return current_; }
  /// Gives the current token and moves to the next one.
  Token take();
  /// The character that follows the current token and blanks; '\0' at the end.
  char following() const;
  /// The current token is this word or symbol.
  bool at(std::string_view text) const;
  /// Takes the current token if it is `text`.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// Takes a word.
  std::string word();
  /// Throws InternalError "expected `what`", with the line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void advance();
  std::size_t skip_blanks(std::size_t pos) const;

  std::string_view text_;
  std::size_t pos_ = 0;    ///< behind the current token
  std::size_t start_ = 0;  ///< of the current token
  Token current_;
};

}  // namespace solway::ir::detail
