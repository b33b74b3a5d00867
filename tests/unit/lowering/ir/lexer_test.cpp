#include "lowering/ir/detail/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::ir::detail {
namespace {

TEST(Lexer, SplitsWordsNumbersAndSymbols) {
  Lexer lex("a_1 1e-05f32->//  # note\n x");
  for (const char* expected : {"a_1", "1e-05f32", "->", "//", "x"}) {
    EXPECT_EQ(lex.take().text, expected);
  }
  EXPECT_EQ(lex.current().kind, TokenKind::End);
}

TEST(Lexer, QuotesTheLine) {
  Lexer lex("first\nsecond here\n");
  lex.take();
  lex.take();
  try {
    lex.expect(";");
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().what, ::testing::HasSubstr("line 2: 'second here'"));
    EXPECT_EQ(e.report().why, "expected ';', got 'here'");
  }
}

}  // namespace
}  // namespace solway::ir::detail
