#include "emulator/worker/detail/proxy_code.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>

namespace solway::emulator {
namespace {

class CompileForProxy : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    LLVMInitializeLoongArchTargetInfo();
    LLVMInitializeLoongArchTarget();
    LLVMInitializeLoongArchTargetMC();
    LLVMInitializeLoongArchAsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  }

  static MachineTiming timing() { return timing_of(load_target("sw26010", {})); }

  static ProxyCode compile(const std::string& text, const ProxyMachine& proxy = loongarch_proxy()) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    const auto module = llvm::parseAssemblyString(text, diagnostic, context);
    EXPECT_NE(module, nullptr) << diagnostic.getMessage().str();
    return compile_for_proxy(*module, proxy, timing());
  }

  static double cycles(const ProxyCode& code, const std::string& function,
                       const std::string& block) {
    const BlockTimes times = time_blocks(code.functions.at(function).blocks, code.registers);
    std::int64_t sum = 0;
    for (const std::int64_t ticks : times.stretches.at(block)) sum += ticks;
    return static_cast<double>(sum) / kTicksPerCycle;
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// Adds four vectors x 4 elements of a product of doubles in registers: per step four vectors of
/// %a, four numbers of %b that are spread over vectors, 16 products.
std::string product(int lanes = 4) {
  std::string text = R"(
declare VECTOR @llvm.fma.vLANESf64(VECTOR, VECTOR, VECTOR)
define void @product(ptr %a, ptr %b, ptr %c, i64 %n) {
start:
  br label %step
step:
  %k = phi i64 [ 0, %start ], [ %k.next, %step ]
  %pa = phi ptr [ %a, %start ], [ %pa.next, %step ]
  %pb = phi ptr [ %b, %start ], [ %pb.next, %step ]
)";
  const auto number = [](int n) { return std::to_string(n); };
  for (int n = 0; n < 16; ++n) {
    text += "  %c" + number(n) + " = phi VECTOR [ zeroinitializer, %start ], [ %d" + number(n) +
            ", %step ]\n";
  }
  for (int n = 0; n < 4; ++n) {
    const std::string k = number(n);
    text += "  %pa" + k + " = getelementptr VECTOR, ptr %pa, i64 " + k + "\n  %a" + k +
            " = load VECTOR, ptr %pa" + k + "\n";
    text += "  %pb" + k + " = getelementptr double, ptr %pb, i64 " + k + "\n  %s" + k +
            " = load double, ptr %pb" + k + "\n  %i" + k +
            " = insertelement VECTOR poison, double %s" + k + ", i64 0\n  %b" + k +
            " = shufflevector VECTOR %i" + k + ", VECTOR poison, <LANES x i32> zeroinitializer\n";
  }
  for (int n = 0; n < 16; ++n) {
    text += "  %d" + number(n) + " = call VECTOR @llvm.fma.vLANESf64(VECTOR %a" + number(n % 4) +
            ", VECTOR %b" + number(n / 4) + ", VECTOR %c" + number(n) + ")\n";
  }
  text += R"(
  %k.next = add i64 %k, 1
  %pa.next = getelementptr [4 x VECTOR], ptr %pa, i64 1
  %pb.next = getelementptr i8, ptr %pb, i64 32
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %step, label %end
end:
)";
  for (int n = 0; n < 16; ++n) {
    text += "  %pc" + number(n) + " = getelementptr VECTOR, ptr %c, i64 " + number(n) +
            "\n  store VECTOR %d" + number(n) + ", ptr %pc" + number(n) + "\n";
  }
  return replaced(replaced(text + "  ret void\n}\n", "VECTOR", "<LANES x double>"), "LANES",
                  number(lanes));
}

int issued(const std::vector<MachineInstruction>& instructions) {
  return static_cast<int>(
      std::count_if(instructions.begin(), instructions.end(),
                    [](const MachineInstruction& one) { return !one.is_name; }));
}

/// 25 to 26 cycles were measured of what the machine's compiler makes of it (Fang et al., the
/// journal version of swDNN, figure 5).
TEST_F(CompileForProxy, APublishedInnerLoop) {
  const ProxyCode code = compile(product());
  EXPECT_EQ(cycles(code, "product", "step"), 26);
  const auto& blocks = code.functions.at("product").blocks;
  ASSERT_EQ(blocks.size(), 3U);
  // 16 products, four loads of vectors, four loads that spread a number, three additions, a branch.
  const auto& loop = blocks[1].stretches.at(0);
  EXPECT_EQ(issued(loop), 28);
  EXPECT_EQ(blocks[1].loop_depth, 1);
}

/// Vectors of 512 bits: no time of it is published.
TEST_F(CompileForProxy, AnInnerLoopOfLongVectors) {
  const ProxyCode code = compile(product(8), aarch64_proxy());
  const auto& blocks = code.functions.at("product").blocks;
  ASSERT_EQ(blocks.size(), 3U);
  // 16 products, eight loads, three additions, a comparison, a branch.
  EXPECT_EQ(issued(blocks[1].stretches.at(0)), 29);
  EXPECT_EQ(cycles(code, "product", "step"), 22);
}

TEST_F(CompileForProxy, VectorsThatDoNotFitIntoRegistersLieInTheFrame) {
  // 40 sums of vectors, all alive at the call.
  std::string text = "declare void @use(ptr)\ndefine void @main(ptr %p) {\nstart:\n";
  std::string stores;
  for (int n = 0; n < 40; ++n) {
    const std::string k = std::to_string(n);
    text += "  %p" + k + " = getelementptr <8 x double>, ptr %p, i64 " + k + "\n  %v" + k +
            " = load volatile <8 x double>, ptr %p" + k + "\n";
    stores += "  store volatile <8 x double> %v" + k + ", ptr %p" + k + "\n";
  }
  text += "  call void @use(ptr %p)\n" + stores + "  ret void\n}\n";
  const ProxyCode code = compile(text, aarch64_proxy());
  EXPECT_GE(code.functions.at("main").frame_bytes, 40U * 64U);
}

TEST_F(CompileForProxy, WhatOnlyTheOtherMachineNeedsTakesNoTime) {
  // An operation that overwrites an operand that is needed again, with a mask of its lanes.
  const ProxyCode code = compile(R"(
define void @main(ptr %p) {
start:
  %a = load <8 x double>, ptr %p
  %b = fdiv <8 x double> %a, %a
  %c = fadd <8 x double> %a, %b
  store <8 x double> %c, ptr %p
  ret void
})",
                                 aarch64_proxy());
  // A load, a division, a sum, a store, the return.
  EXPECT_EQ(issued(code.functions.at("main").blocks.at(0).stretches.at(0)), 5);
}

TEST_F(CompileForProxy, CallsDivideBlocks) {
  const ProxyCode code = compile(R"(
declare void @wait()
define void @main() {
start:
  call void @wait()
  call void @wait()
  ret void
})");
  EXPECT_EQ(code.functions.at("main").blocks.at(0).stretches.size(), 3U);
}

TEST_F(CompileForProxy, AConversionOfAVectorIsOneInstruction) {
  const ProxyCode code = compile(R"(
define void @main(ptr %p, ptr %q) {
start:
  %a = load <4 x float>, ptr %p
  %b = fpext <4 x float> %a to <4 x double>
  %c = fadd <4 x double> %b, %b
  %d = fptrunc <4 x double> %c to <4 x float>
  store <4 x float> %d, ptr %q
  ret void
})");
  // A load, two conversions, a sum, a store, the return.
  ASSERT_EQ(code.functions.at("main").blocks.at(0).stretches.size(), 1U);
  EXPECT_EQ(issued(code.functions.at("main").blocks.at(0).stretches.at(0)), 6);
}

TEST_F(CompileForProxy, WhatTheCLibraryDoesIsPartOfABlock) {
  const ProxyCode code = compile(R"(
declare double @llvm.exp.f64(double)
define double @main(double %x) {
start:
  %y = call double @llvm.exp.f64(double %x)
  %z = fadd double %y, %x
  ret double %z
})");
  EXPECT_EQ(code.functions.at("main").blocks.at(0).stretches.size(), 1U);
  EXPECT_GE(cycles(code, "main", "start"), timing().figures.library_call_cycles);
}

TEST_F(CompileForProxy, ASpreadNumberWithoutALoadIsAnInstruction) {
  const std::string text = R"(
define <4 x double> @main(double %x, <4 x double> %y) {
start:
  %twice = fadd double %x, %x
  %one = insertelement <4 x double> poison, double %twice, i64 0
  %all = shufflevector <4 x double> %one, <4 x double> poison, <4 x i32> zeroinitializer
  ret <4 x double> %all
})";
  const ProxyCode code = compile(text);
  // The sum, the shuffle, and the return, which goes with the shuffle.
  EXPECT_GE(cycles(code, "main", "start"), 7 + 1);
}

TEST_F(CompileForProxy, DivisionsAreNotPipelined) {
  const ProxyCode code = compile(R"(
define double @main(double %a, double %b, double %c) {
start:
  %x = fdiv double %a, %b
  %y = fdiv double %c, %b
  %z = fadd double %x, %y
  ret double %z
})");
  EXPECT_GE(cycles(code, "main", "start"), 2 * timing().figures.float_divide_cycles);
}

TEST_F(CompileForProxy, FramesHoldWhatDoesNotFitIntoRegisters) {
  const ProxyCode code = compile(R"(
declare void @use(ptr)
define void @main() {
start:
  %room = alloca [100 x double]
  call void @use(ptr %room)
  ret void
})");
  EXPECT_GE(code.functions.at("main").frame_bytes, 800U);
}

}  // namespace
}  // namespace solway::emulator
