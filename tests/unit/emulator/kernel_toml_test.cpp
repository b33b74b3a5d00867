#include "emulator/kernel_toml.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::emulator {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead =
    "[kernel]\nname = \"toy\"\ntarget = \"sw26010\"\nentry = \"toy\"\n"
    "[sources]\nmpe = [\"mpe.c\"]\ncpe = [\"cpe.c\"]\n";

/// A folder `toy` with empty sources and the given kernel.toml.
class ToyFolder {
 public:
  explicit ToyFolder(const std::string& toml) {
    std::string pattern = (std::filesystem::temp_directory_path() / "solway-toml-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = pattern;
    std::filesystem::create_directory(folder());
    std::ofstream(folder() / "mpe.c") << "";
    std::ofstream(folder() / "cpe.c") << "";
    std::ofstream(folder() / "kernel.toml") << toml;
  }
  ~ToyFolder() { std::filesystem::remove_all(root_); }
  ToyFolder(const ToyFolder&) = delete;
  ToyFolder& operator=(const ToyFolder&) = delete;

  std::filesystem::path folder() const { return root_ / "toy"; }

 private:
  std::filesystem::path root_;
};

void expect_error(const std::string& toml, int line, const std::string& what) {
  const ToyFolder toy(toml);
  try {
    load_hand_kernel(toy.folder());
    FAIL() << "expected DslError for " << toml;
  } catch (const DslError& e) {
    EXPECT_EQ(e.report().where.line, line) << e.what();
    EXPECT_THAT(e.report().what, HasSubstr(what));
  }
}

TEST(KernelToml, ReadsEveryField) {
  const ToyFolder toy(std::string(kHead) +
                      "include = [\".\"]\ndefines = {N = \"4\"}\nstack = \"main\"\n"
                      "[[argument]]\nname = \"a\"\ndtype = \"float32\"\nshape = []\nrole = \"in\"\n"
                      "[[argument]]\nname = \"y\"\ndtype = \"int16\"\nshape = [3, 5]\n"
                      "role = \"inout\"\n");
  const KernelSources kernel = load_hand_kernel(toy.folder());
  EXPECT_EQ(kernel.name, "toy");
  EXPECT_EQ(kernel.entry, "toy");
  ASSERT_EQ(kernel.mpe.size(), 1U);
  EXPECT_EQ(kernel.mpe[0].filename(), "mpe.c");
  EXPECT_EQ(kernel.stack, StackPlace::Main);
  ASSERT_EQ(kernel.defines.size(), 1U);
  EXPECT_EQ(kernel.defines[0].second, "4");
  ASSERT_EQ(kernel.parameters.size(), 2U);
  EXPECT_EQ(kernel.parameters[0].size_bytes(), 4);
  EXPECT_EQ(kernel.parameters[1].size_bytes(), 30);
  EXPECT_EQ(kernel.parameters[1].role, Role::InOut);
}

constexpr const char* kProduct =
    "[sizes]\nM = 2\nK = 3\nSTEPS = 1\n"
    "[[argument]]\nname = \"a\"\ndtype = \"int8\"\nshape = [\"M\", \"K\"]\nrole = \"in\"\n"
    "[[argument]]\nname = \"b\"\ndtype = \"int8\"\nshape = [\"K\", 7]\nrole = \"in\"\n";

TEST(KernelToml, SizesAreChosenOrReadOffShapes) {
  using Extents = std::vector<std::int64_t>;
  using Values = std::map<std::string, std::int64_t>;
  const ToyFolder toy(std::string(kHead) + kProduct);
  const auto loaded = [&](const ChosenSizes& chosen) {
    return load_hand_kernel(toy.folder(), chosen);
  };
  EXPECT_EQ(loaded({}).sizes, (Values{{"K", 3}, {"M", 2}, {"STEPS", 1}}));
  EXPECT_EQ(loaded({}).parameters[1].shape, (Extents{3, 7}));

  const KernelSources read = loaded({{{"STEPS", 4}}, {{8, 9}, {10, 7}}, {}});
  EXPECT_EQ(read.sizes, (Values{{"K", 9}, {"M", 8}, {"STEPS", 4}})) << "the first shape counts";
  EXPECT_EQ(read.parameters[0].shape, (Extents{8, 9}));

  const KernelSources chosen = loaded({{{"M", 5}}, {{8, 9}}, {}});
  EXPECT_EQ(chosen.parameters[0].shape, (Extents{5, 9})) << "what is said counts before shapes";
  EXPECT_EQ(loaded({{}, {{8}, {9, 7}}, {}}).parameters[0].shape, (Extents{2, 9}))
      << "a shape of another rank says nothing";
}

TEST(KernelToml, RefusesSizesThatItDoesNotHave) {
  const ToyFolder toy(std::string(kHead) + kProduct);
  try {
    load_hand_kernel(toy.folder(), {{{"N", 5}}, {}, {"user.py", 3, ""}});
    FAIL() << "expected ArgumentMismatchError";
  } catch (const ArgumentMismatchError& e) {
    EXPECT_EQ(e.report().what, "hand kernel 'toy' has no size 'N'");
    EXPECT_EQ(e.report().why, "its sizes are 'K', 'M', 'STEPS'");
    EXPECT_EQ(e.report().where.line, 3);
  }
  EXPECT_THROW(load_hand_kernel(toy.folder(), {{{"M", -1}}, {}, {}}), DslError);
}

TEST(KernelToml, WritesChosenSizes) {
  const std::map<std::string, std::int64_t> sizes = {{"K", 1234}, {"M", -8}};
  EXPECT_EQ(with_sizes("# M\n[sizes]\nM = 2 # rows\nK=3\n[x]\nM = 2\n", sizes),
            "# M\n[sizes]\nM = -8 # rows\nK=1234\n[x]\nM = 2\n");
  EXPECT_EQ(with_sizes("sizes = { M = 2, K = 33, L = 4 }\n", sizes),
            "sizes = { M = -8, K = 1234, L = 4 }\n");
  EXPECT_EQ(with_sizes("[kernel]\n", sizes), "[kernel]\n");
}

TEST(KernelToml, NamesUnknownKeys) {
  expect_error(std::string(kHead) + "stak = \"ldm\"\n", 8, "unknown key 'stak' in [sources]");
  expect_error(std::string(kHead) + "[extra]\n", 8, "unknown key 'extra'");
}

TEST(KernelToml, NamesMissingKeys) {
  expect_error("[kernel]\nname = \"toy\"\ntarget = \"sw26010\"\n", 1,
               "missing key 'entry' in [kernel]");
  expect_error(std::string(kHead) + "[[argument]]\nname = \"a\"\nshape = []\nrole = \"in\"\n", 8,
               "missing key 'dtype' in [argument]");
}

TEST(KernelToml, RefusesValuesThatDoNotFit) {
  const std::string argument = std::string(kHead) + "[[argument]]\nname = \"a\"\n";
  expect_error(argument + "dtype = \"float8\"\n", 10, "unknown dtype 'float8'");
  expect_error(argument + "dtype = \"int8\"\nshape = [-1]\nrole = \"in\"\n", 11, "extent -1");
  expect_error(argument + "dtype = \"int8\"\nshape = [1]\nrole = \"both\"\n", 12, "'both'");
  expect_error(argument + "dtype = \"int8\"\nshape = []\nrole = \"out\"\n", 12, "scalar 'a'");
  const std::string head(kHead);
  expect_error(head + "[sizes]\nM = \"2\"\n", 9, "'M' is not an integer");
  expect_error(head + "[sizes]\n\"M+1\" = 2\n", 9, "'M+1' is no name of a size");
  expect_error(head + "defines = { M = \"2\" }\n[sizes]\nM = 2\n", 10, "in 'defines' and in");
  expect_error(argument + "dtype = \"int8\"\nshape = [\"M\"]\nrole = \"in\"\n", 11,
               "unknown size 'M' in 'shape'");
  expect_error("[kernel]\nname = \"toy\"\ntarget = \"vax\"\nentry = \"toy\"\n", 3, "'vax'");
  expect_error("[kernel]\nname = 3\n", 2, "'name' is not a text");
  expect_error("[kernel\n", 1, "not TOML");
}

TEST(KernelToml, RefusesFilesThatAreNotInTheFolder) {
  const std::string head =
      "[kernel]\nname = \"toy\"\ntarget = \"sw26010\"\nentry = \"toy\"\n[sources]\n";
  expect_error(head + "mpe = [\"../mpe.c\"]\ncpe = [\"cpe.c\"]\n", 6, "leaves the kernel's folder");
  expect_error(head + "mpe = [\"none.c\"]\ncpe = [\"cpe.c\"]\n", 6, "does not exist");
  expect_error(head + "mpe = []\ncpe = [\"cpe.c\"]\n", 6, "names no file");
}

TEST(KernelToml, SaysWhatAFolderWithoutItLacks) {
  EXPECT_THROW(load_hand_kernel("/nowhere/toy"), DslError);
}

}  // namespace
}  // namespace solway::emulator
