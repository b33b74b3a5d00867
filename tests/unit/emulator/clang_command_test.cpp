#include "emulator/clang_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> command(const std::string& source) {
  KernelSources sources;
  sources.target = "sw26010";
  sources.defines = {{"BLOCK", "64"}};
  sources.sizes = {{"N", 7}};
  sources.include = {"headers"};
  return clang_command(sources, {"clang-19", "/include", "/worker"}, {source}, "out.bc");
}

TEST(ClangCommand, CAndCPlusPlusByTheirEndings) {
  EXPECT_TRUE(has(command("a.c"), "-std=gnu99"));
  for (const char* const name : {"a.cpp", "a.cc", "a.cxx", "a.C"}) {
    EXPECT_TRUE(has(command(name), "-std=gnu++17")) << name;
    EXPECT_FALSE(has(command(name), "-std=gnu99")) << name;
    EXPECT_TRUE(has(command(name), "-fno-exceptions")) << name;
  }
}

TEST(ClangCommand, MacrosSizesAndFoldersReachEveryLanguage) {
  for (const char* const name : {"a.c", "a.cpp", "a.S"}) {
    const auto words = command(name);
    EXPECT_TRUE(has(words, "-DBLOCK=64")) << name;
    EXPECT_TRUE(has(words, "-DN=7")) << name;
    EXPECT_TRUE(has(words, "-Iheaders")) << name;
    EXPECT_EQ(words.back(), "out.bc");
  }
}

TEST(ClangCommand, SourcesKnowTheirSide) {
  KernelSources sources;
  sources.target = "sw26010pro";
  const Toolchain toolchain{"clang-19", "/include", "/worker"};
  EXPECT_TRUE(has(clang_command(sources, toolchain, {"m.c", true}, "out.bc"), "-D__sw_host__=1"));
  EXPECT_TRUE(has(clang_command(sources, toolchain, {"k.c"}, "out.bc"), "-D__sw_slave__=1"));
  EXPECT_FALSE(has(clang_command(sources, toolchain, {"k.c"}, "out.bc"), "-D__sw_host__=1"));
  // One file may be of both sides.
  EXPECT_FALSE(has(clang_command(sources, toolchain, {"m.c", false}, "out.bc"), "-D__sw_host__=1"));
  sources.target = "generic";
  EXPECT_FALSE(has(clang_command(sources, toolchain, {"m.c", true}, "out.bc"), "-D__sw_host__=1"));
}

TEST(ClangCommand, WhatAllCoresSeeIsLoadedWhereItIsUsed) {
  const auto folder = std::filesystem::temp_directory_path() / "solway-clang-command";
  std::filesystem::create_directories(folder);
  const Toolchain toolchain{"clang-19", "/include", "/worker"};
  const auto is_left = [&](const std::string& source, const std::string& header) {
    std::ofstream(folder / "k.c") << source;
    std::ofstream(folder / "k.h") << header;
    KernelSources sources;
    sources.target = "generic";
    return has(clang_command(sources, toolchain, {folder / "k.c"}, "out.bc"),
               "-disable-licm-promotion");
  };
  EXPECT_TRUE(is_left("static SCRATCHPAD_SHARED int all;", ""));
  EXPECT_TRUE(is_left("", "extern SCRATCHPAD_SHARED int all;"));
  EXPECT_FALSE(is_left("static SCRATCHPAD int own;", ""));
  std::filesystem::remove_all(folder);
}

TEST(ClangCommand, ExpandedSourcesKeepTheirLanguage) {
  const Toolchain toolchain{"clang-19", "/include", "/worker"};
  const auto words = compile_expanded_command({}, toolchain, {"k.cc"}, "k.i", "out.bc");
  EXPECT_TRUE(has(words, "c++-cpp-output"));
  EXPECT_TRUE(has(words, "k.i"));
  EXPECT_FALSE(has(words, "k.cc"));
  EXPECT_TRUE(has(check_command(toolchain, "k.c", "k.plain"), "cpp-output"));
  EXPECT_EQ(expand_command({}, toolchain, {"k.c"}, "k.i").back(), "k.i");
}

TEST(ClangCommand, AssemblyIsOnlyPreprocessed) {
  EXPECT_TRUE(is_assembly("a.S"));
  EXPECT_TRUE(is_assembly("a.s"));
  EXPECT_FALSE(is_assembly("a.c"));
  EXPECT_TRUE(has(command("a.S"), "-E"));
  EXPECT_FALSE(has(command("a.c"), "-E"));
}

}  // namespace
}  // namespace solway::emulator
