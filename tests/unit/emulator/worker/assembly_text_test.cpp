#include "emulator/worker/assembly_text.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

TEST(ReadAssembly, FunctionsHaveInstructionsAndLabels) {
  const AssemblyText text = read_assembly(R"(
    .set noreorder
    .globl first
first:
    vldd $1, 0x600+0x20( $16 )   # a comment
.loop: vmad $1,$2,$3,$3
    bgt $4,.loop
    .ent second#
$ng..second:
second:
    ldi $gp,0($gp) !gpdisp!1
)",
                                          "kernel.s");
  ASSERT_FALSE(text.problem);
  ASSERT_EQ(text.functions.size(), 2U);
  const AssemblyFunction& first = text.functions[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.where.line, 4);
  ASSERT_EQ(first.instructions.size(), 3U);
  EXPECT_EQ(first.instructions[0].name, "vldd");
  EXPECT_EQ(first.instructions[0].operands, (std::vector<std::string>{"$1", "0x600+0x20($16)"}));
  EXPECT_EQ(first.instructions[1].where.line, 6);
  EXPECT_EQ(first.instructions[1].where.file, "kernel.s");
  EXPECT_EQ(first.labels.at(".loop"), 1U);
  const AssemblyFunction& second = text.functions[1];
  ASSERT_EQ(second.instructions.size(), 1U);
  EXPECT_EQ(second.instructions[0].operands, (std::vector<std::string>{"$gp", "0($gp)"}));
}

TEST(ReadAssembly, LinesAreThoseOfTheSource) {
  const AssemblyText text =
      read_assembly("# 1 \"kernel.S\"\n.globl f\n# 30 \"part.h\" 1\nf:\n ret\n", "made.s");
  ASSERT_EQ(text.functions.size(), 1U);
  EXPECT_EQ(text.functions[0].where.file, "part.h");
  EXPECT_EQ(text.functions[0].where.line, 30);
  EXPECT_EQ(text.functions[0].instructions[0].where.line, 31);
}

TEST(ReadAssembly, ALineMayHaveSeveralInstructions) {
  const AssemblyText text =
      read_assembly(".globl f; f: addl $1,$2,$3; ret # done; nothing\n", "a.s");
  ASSERT_EQ(text.functions.size(), 1U);
  ASSERT_EQ(text.functions[0].instructions.size(), 2U);
  EXPECT_EQ(text.functions[0].instructions[1].name, "ret");
  EXPECT_EQ(text.functions[0].instructions[1].where.line, 1);
}

TEST(ReadAssembly, DataAreAProblemInCodeOnly) {
  const std::string head = ".globl f\nf:\n ret\n";
  EXPECT_FALSE(read_assembly(head + ".section .debug_info,\"\"\n.quad 5\n", "a.s").problem);
  const AssemblyText text = read_assembly(head + ".quad 5\n", "a.s");
  ASSERT_TRUE(text.problem);
  EXPECT_TRUE(text.problem->is_unsupported);
  EXPECT_EQ(text.problem->where.line, 4);
}

TEST(ReadAssembly, SaysWhatBelongsToNoFunction) {
  const AssemblyText text = read_assembly("f:\n ret\n", "a.s");
  ASSERT_TRUE(text.problem);
  EXPECT_FALSE(text.problem->is_unsupported);
  EXPECT_EQ(text.problem->what, "instruction 'ret' belongs to no function");
}

}  // namespace
}  // namespace solway::emulator
