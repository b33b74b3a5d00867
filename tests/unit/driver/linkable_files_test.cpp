#include "driver/linkable_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

ir::Kernel named(const std::string& name) {
  return ir::parse_kernel("kernel " + name +
                          "(in A: bfloat16[8], out double: int32[8]) {\n"
                          "  for i in [0, 8) {\n    double[i] = int32(A[i])\n  }\n}\n");
}

TEST(LinkableFiles, OfThisMachine) {
  EXPECT_THAT(linkable_files(named("k"), {}, {}),
              ElementsAre(Key("k.o"), Key("libk.a"), Key("libk.so")));
}

TEST(LinkableFiles, ASharedLibraryOnlyWhereThereIsALinker) {
  codegen::LlvmOptions options;
  options.cpu = "generic";
  options.triple = "ve-linux-gnu";
  EXPECT_THAT(linkable_files(named("k"), options, {}), ElementsAre(Key("k.o"), Key("libk.a")));
}

TEST(LinkableFiles, RefusesNamesOfC) {
  for (const char* name : {"free", "expf", "main", "aligned_alloc"}) {
    try {
      linkable_files(named(name), {}, {"mine.py", 3, "k.save('out')"});
      FAIL() << name;
    } catch (const UnsupportedError& e) {
      EXPECT_THAT(e.report().what, HasSubstr(name));
      EXPECT_EQ(e.report().where.line, 3);
    }
  }
}

ir::Kernel with_parallel_loop() {
  return ir::parse_kernel(
      "kernel k(in A: int32[64], out C: int32[64]) {\n"
      "  for i in [0, 64) parallel {\n    C[i] = (A[i] * 2i32)\n  }\n}\n");
}

TEST(LinkableFiles, ThreadsComeWithTheLibrary) {
  codegen::LlvmOptions options;
  const std::string alone = linkable_files(with_parallel_loop(), options, {}).at("k.o");
  options.parallel = codegen::ParallelForm::Team;
  const std::string together = linkable_files(with_parallel_loop(), options, {}).at("k.o");
  for (const char* name : {"k_set_threads", "pthread_create"}) {
    EXPECT_THAT(together, HasSubstr(name));
    EXPECT_THAT(alone, Not(HasSubstr(name)));
  }
}

TEST(LinkableFiles, ThreadsNeedAParallelLoopAndAKnownMachine) {
  codegen::LlvmOptions options;
  options.parallel = codegen::ParallelForm::Team;
  try {
    linkable_files(named("k"), options, {"mine.py", 3, "k.save('out', threads=True)"});
    FAIL();
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().why, "no loop of it is parallel");
    EXPECT_EQ(e.report().where.line, 3);
  }
  options.cpu = "generic";
  options.triple = "ve-linux-gnu";
  EXPECT_THROW(linkable_files(with_parallel_loop(), options, {}), UnsupportedError);
}

TEST(LinkableFiles, AHeaderWithThreadsDeclaresHowManyThereAre) {
  const auto a = dsl::make_placeholder(dsl::Extents{64}, DType::Int32, "A", {});
  const auto c = dsl::make_placeholder(dsl::Extents{64}, DType::Int32, "C", {});
  const std::string header = c_header(with_parallel_loop(), {a, c}, {}, "a machine");
  const std::string out = c_header_with_threads(header, "k");
  EXPECT_THAT(out, HasSubstr("int32_t k(const int32_t* A, int32_t* C);"));
  EXPECT_THAT(out, HasSubstr("void k_set_threads(int32_t threads);"));
  EXPECT_THAT(out, HasSubstr("-lm and -pthread"));
  EXPECT_THROW(c_header_with_threads("no header", "k"), InternalError);
}

TEST(LinkableFiles, TheHeaderHasTypesShapesAndSizes) {
  const ir::Kernel kernel = named("k");
  const dsl::Size n = dsl::make_size("n", 1, 8, {});
  const dsl::Extents shape{dsl::make_extent(dsl::make_size_ref(n, {}), {}), 8};
  const auto a = dsl::make_placeholder(shape, DType::BFloat16, "A", {});
  const auto c = dsl::make_placeholder(shape, DType::Int32, "double", {});
  const std::string header = c_header(kernel, {a, c}, {n}, "a machine");
  EXPECT_THAT(header, HasSubstr("int32_t k(const uint16_t* A, int32_t* double_);"));
  EXPECT_THAT(header, HasSubstr("A: bfloat16[n][8], read, 2 bytes an element."));
  EXPECT_THAT(header, HasSubstr("double_: int32[n][8], written"));
  EXPECT_THAT(header, HasSubstr("[0]: n, 1 to 8."));
  EXPECT_THAT(header, HasSubstr("passed as their 16 bits"));
}

TEST(LinkableFiles, ParametersOfTheHeaderHaveNamesOfTheirOwn) {
  const auto a = dsl::make_placeholder(dsl::Extents{8}, DType::BFloat16, "double_", {});
  const auto c = dsl::make_placeholder(dsl::Extents{8}, DType::Int32, "double", {});
  EXPECT_THAT(c_header(named("k"), {a, c}, {}, "a machine"),
              HasSubstr("int32_t k(const uint16_t* double_, int32_t* double__);"));
}

}  // namespace
}  // namespace solway::driver
