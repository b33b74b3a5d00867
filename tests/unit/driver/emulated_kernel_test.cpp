#include "driver/emulated_kernel.h"

#include <cstdlib>
#include <fstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/athread/emit_athread.h"
#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::driver {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const SourceLoc kWhere{"user.py", 6, "k(a, c)"};

Target sunway() { return load_target("sw26010", kWhere); }

std::unique_ptr<EmulatedKernel> emulated(const std::string& text) {
  const ir::Kernel kernel = ir::parse_kernel(text);
  return EmulatedKernel::from_files(kernel.name, codegen::emit_athread(kernel), sunway(), kWhere);
}

constexpr const char* kTwice =
    "kernel twice(in A: int32[3], out C: int32[3]) {\n"
    "  for i in [0, 3) parallel {\n    C[i] = (A[i] * 2i32)\n  }\n}\n";

/// A folder with one hand-written kernel.
class HandKernel {
 public:
  explicit HandKernel(const std::string& cpe) : folder_(kWhere), path_(folder_.path() / "hand") {
    fs::create_directory(path_);
    std::ofstream(path_ / "kernel.toml")
        << "[kernel]\nname = \"hand\"\ntarget = \"sw26010\"\nentry = \"hand\"\n"
           "[sources]\nmpe = [\"mpe.c\"]\ncpe = [\"cpe.c\"]\n"
           "[[argument]]\nname = \"alpha\"\ndtype = \"int32\"\nshape = []\nrole = \"in\"\n"
           "[[argument]]\nname = \"y\"\ndtype = \"int32\"\nshape = [4]\nrole = \"inout\"\n";
    std::ofstream(path_ / "args.h") << "typedef struct { int alpha; int *y; } Args;\n";
    std::ofstream(path_ / "mpe.c")
        << "#include <athread.h>\n#include \"args.h\"\n"
           "extern void SLAVE_FUN(scale)(void *);\n"
           "int hand(int alpha, int *y) {\n  Args args = {alpha, y};\n  athread_init();\n"
           "  athread_spawn(scale, &args);\n  return athread_join();\n}\n";
    std::ofstream(path_ / "cpe.c") << "#include <slave.h>\n#include \"args.h\"\n" << cpe;
  }
  const fs::path& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  fs::path path_;
};

constexpr const char* kScale =
    "void scale(void *p) {\n  Args *args = (Args *)p;\n"
    "  const int id = athread_get_id(-1);\n  if (id < 4) args->y[id] *= args->alpha;\n}\n";

TEST(EmulatedKernel, RunsGeneratedFiles) {
  const auto kernel = emulated(kTwice);
  std::vector<std::int32_t> a = {1, 2, 3}, c(3);
  void* args[] = {a.data(), c.data()};
  for (int call = 0; call < 2; ++call) {
    const RunReport report = kernel->run(args, {});
    EXPECT_THAT(c, ElementsAre(2, 4, 6));
    ASSERT_TRUE(report.emulated);
    EXPECT_EQ(report.emulated->gst_bytes, 12);
    EXPECT_EQ(report.seconds, report.emulated->seconds);
    c.assign(3, 0);
  }
}

TEST(EmulatedKernel, NamesGeneratedFilesAsTheSourcesDo) {
  auto files = codegen::emit_athread(ir::parse_kernel(kTwice));
  std::string& cpe = files.at("twice_cpe.c");
  cpe.replace(cpe.find("A[i]"), 4, "A[i + 3]");
  const auto kernel = EmulatedKernel::from_files("twice", files, sunway(), kWhere);
  std::vector<std::int32_t> a = {1, 2, 3}, c(3, 7);
  void* args[] = {a.data(), c.data()};
  try {
    kernel->run(args, {});
    FAIL() << "expected EmulatorError";
  } catch (const EmulatorError& e) {
    EXPECT_EQ(e.kind(), "out_of_bounds_main");
    EXPECT_EQ(e.report().where.file, "twice_cpe.c");
    EXPECT_THAT(e.report().where.text, HasSubstr("A[i + 3]"));
    EXPECT_EQ(e.cpe(), 0);
  }
  EXPECT_THAT(c, ElementsAre(7, 7, 7));
}

TEST(EmulatedKernel, NamesTheUsersLineThatAFaultStandsFor) {
  auto files = codegen::emit_athread(ir::parse_kernel(kTwice));
  std::string& cpe = files.at("twice_cpe.c");
  cpe.replace(cpe.find("A[i]"), 4, "A[i + 3]");
  const std::string comments =
      "/* user.py:2: C = sw.compute((3,), ...) */\n/* get A[i] -> AA[0]: 3 int32 */\n";
  cpe.insert(cpe.rfind('\n', cpe.find("A[i + 3]")) + 1, comments);
  const auto kernel = EmulatedKernel::from_files("twice", files, sunway(), kWhere);
  std::vector<std::int32_t> a = {1, 2, 3}, c(3, 7);
  void* args[] = {a.data(), c.data()};
  try {
    kernel->run(args, {});
    FAIL() << "expected EmulatorError";
  } catch (const EmulatorError& e) {
    EXPECT_THAT(e.report().why, HasSubstr("the C stands for user.py:2: C = sw.compute((3,), ...)"));
  }
}

TEST(EmulatedKernel, EndsARunThatTakesTooLong) {
  const HandKernel hand("void scale(void *p) { volatile int x = 0; for (;;) ++x; }\n");
  const auto kernel = EmulatedKernel::from_folder(hand.path(), sunway(), {{}, {}, kWhere});
  std::int32_t alpha = 3;
  std::vector<std::int32_t> y = {1, 2, 3, 4};
  void* args[] = {&alpha, y.data()};
  RunOptions options;
  options.seconds = 0.5;
  EXPECT_THROW(kernel->run(args, options), EmulatorError);
}

TEST(EmulatedKernel, RunsAFolderWrittenByHand) {
  const HandKernel hand(kScale);
  const auto kernel = EmulatedKernel::from_folder(hand.path(), sunway(), {{}, {}, kWhere});
  EXPECT_EQ(kernel->name(), "hand");
  EXPECT_THAT(kernel->sources(), testing::SizeIs(4));
  EXPECT_EQ(kernel->sources().count("args.h"), 1U);
  std::int32_t alpha = 3;
  std::vector<std::int32_t> y = {1, 2, 3, 4};
  void* args[] = {&alpha, y.data()};
  kernel->run(args, {});
  EXPECT_THAT(y, ElementsAre(3, 6, 9, 12));
}

TEST(EmulatedKernel, GivesTheCompilersWordsForHandWrittenC) {
  const HandKernel hand("void scale(void *p) { nothing; }\n");
  const auto kernel = EmulatedKernel::from_folder(hand.path(), sunway(), {{}, {}, kWhere});
  try {
    kernel->prepare();
    FAIL() << "expected DslError";
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, 3);
    EXPECT_THAT(e.report().where.file, HasSubstr("cpe.c"));
    EXPECT_THAT(e.report().why, HasSubstr("nothing"));
  }
}

TEST(EmulatedKernel, TakesGeneratedCThatDoesNotCompileForABug) {
  auto files = codegen::emit_athread(ir::parse_kernel(kTwice));
  files.at("twice_cpe.c") += "nothing(;\n";
  const auto kernel = EmulatedKernel::from_files("twice", files, sunway(), kWhere);
  EXPECT_THROW(kernel->prepare(), InternalError);
}

TEST(EmulatedKernel, SaysThatClangIsNotThereAtTheUsersLine) {
  const auto kernel = emulated(kTwice);
  setenv("SOLWAY_CLANG", "/no/clang", 1);
  try {
    kernel->prepare();
    ADD_FAILURE() << "expected UnsupportedError";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 6);
    EXPECT_THAT(e.report().why, HasSubstr("/no/clang"));
  }
  unsetenv("SOLWAY_CLANG");
}

TEST(EmulatedKernel, RefusesAHandKernelOnATargetThatIsNotEmulated) {
  const HandKernel hand(kScale);
  EXPECT_THROW(EmulatedKernel::from_folder(hand.path(), load_target("c", kWhere), {{}, {}, kWhere}),
               UnsupportedError);
}

}  // namespace
}  // namespace solway::driver
