#include "codegen/llvm/libraries.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/llvm/object_code.h"
#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Libraries : public testing::Test {
 protected:
  Libraries() {
    std::string pattern = (std::filesystem::temp_directory_path() / "libraries-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Libraries() override { std::filesystem::remove_all(folder_); }

  static std::string object(const std::string& value, const LlvmOptions& options = {}) {
    return compile_object(ir::parse_kernel("kernel k(in A: float32[8], out C: float32[8]) {\n"
                                           "  for i in [0, 8) {\n    C[i] = " +
                                           value + "\n  }\n}\n"),
                          options)
        .bytes;
  }

  std::filesystem::path folder_;
};

TEST_F(Libraries, StaticOnesHaveTheObjectAsMember) {
  const std::string bytes = object("(A[i] * 2.0f32)");
  const std::string library = static_library(bytes, "k.o");
  EXPECT_THAT(library, StartsWith("!<arch>\n"));
  EXPECT_THAT(library, HasSubstr("k.o/"));
  EXPECT_THAT(library, HasSubstr(bytes));
}

TEST_F(Libraries, SharedOnesAskForWhatTheObjectCalls) {
  const std::string plain = shared_library(object("(A[i] * 2.0f32)"), "libk.so", {}, folder_);
  EXPECT_THAT(plain, StartsWith("\x7f"
                                "ELF"));
  EXPECT_THAT(plain, HasSubstr("libk.so"));
  EXPECT_THAT(plain, Not(HasSubstr("libm.so.6")));
  const std::string calls =
      shared_library(object("float32(arctan(float64(A[i])))"), "libk.so", {}, folder_);
  EXPECT_THAT(calls, HasSubstr("libm.so.6"));
  EXPECT_THAT(calls, Not(HasSubstr("libc.so.6")));
}

TEST_F(Libraries, MachinesWithoutALinkerAreRefused) {
  LlvmOptions options;
  options.cpu = "generic";
  options.triple = "ve-linux-gnu";
  EXPECT_FALSE(can_link_shared(options));
  EXPECT_TRUE(can_link_shared({}));
  try {
    shared_library("", "libk.so", options, folder_);
    FAIL() << "no error";
  } catch (const UnsupportedError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("LLVM's linker has no code"));
  }
}

}  // namespace
}  // namespace solway::codegen
