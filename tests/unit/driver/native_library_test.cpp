#include "driver/native_library.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;

/// Sets $CC for a scope.
class Compiler {
 public:
  explicit Compiler(const std::string& command) {
    const char* before = std::getenv("CC");
    if (before != nullptr) before_ = before;
    setenv("CC", command.c_str(), 1);
  }
  ~Compiler() {
    if (before_.empty()) {
      unsetenv("CC");
    } else {
      setenv("CC", before_.c_str(), 1);
    }
  }
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

 private:
  std::string before_;
};

TEST(NativeLibrary, RunsWhatItCompiled) {
  const NativeLibrary library("int twice(int x) { return 2 * x; }\n", {"user.py", 3, ""});
  const auto twice = reinterpret_cast<int (*)(int)>(library.symbol("twice"));
  EXPECT_EQ(twice(21), 42);
}

TEST(NativeLibrary, CallsItsOwnFunctionUnderANameOfTheCLibrary) {
  const NativeLibrary library(
      "int pipe(int* x) { return *x + 1; }\n"
      "int call(int* x) { return pipe(x); }\n",
      {"user.py", 3, ""});
  int value = 4;
  EXPECT_EQ(reinterpret_cast<int (*)(int*)>(library.symbol("call"))(&value), 5);
}

TEST(NativeLibrary, SaysWhichSymbolIsMissing) {
  const NativeLibrary library("int one(void) { return 1; }\n", {"user.py", 3, ""});
  EXPECT_THROW(library.symbol("two"), InternalError);
}

TEST(NativeLibrary, RefusesSourceThatIsNotC) {
  try {
    const NativeLibrary library("int broken( {\n", {"user.py", 3, ""});
    FAIL() << "expected InternalError";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.report().what, HasSubstr("refused the generated C"));
    EXPECT_THAT(e.report().why, HasSubstr("kernel.c:1"));
  }
}

TEST(NativeLibrary, SaysThatNoCompilerIsThere) {
  const Compiler none("no-such-compiler");
  try {
    const NativeLibrary library("int one(void) { return 1; }\n", {"user.py", 3, ""});
    FAIL() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 3);
    EXPECT_THAT(e.report().why, HasSubstr("'no-such-compiler' was not found"));
  }
}

}  // namespace
}  // namespace solway::driver
