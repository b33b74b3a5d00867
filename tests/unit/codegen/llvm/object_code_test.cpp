#include "codegen/llvm/object_code.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ir::Kernel kernel() {
  return ir::parse_kernel(
      "kernel k(in A: float32[8], in B: int64[8], out C: float32[8], out D: int64[8]) {\n"
      "  for i in [0, 8) {\n    C[i] = float32(arctan(float64(A[i])))\n    D[i] = pow(B[i], "
      "B[i])\n  }\n}\n");
}

TEST(ObjectCode, HasTheEntryOfACProgram) {
  LlvmOptions options;
  options.entry = EntryForm::Pointers;
  options.entry_name = "mine";
  const ObjectCode code = compile_object(kernel(), options);
  EXPECT_THAT(code.bytes, StartsWith("\x7f"
                                     "ELF"));
  EXPECT_THAT(code.llvm_ir, HasSubstr("i32 @mine(ptr %A, ptr %B, ptr %C, ptr %D)"));
  EXPECT_THAT(code.assembly(), HasSubstr("mine:"));
}

TEST(ObjectCode, BringsWhatTheRuntimeWouldGive) {
  const ObjectCode code = compile_object(kernel(), {});
  EXPECT_THAT(code.llvm_ir, HasSubstr("define internal double @solway_atan_f64"));
  EXPECT_THAT(code.llvm_ir, HasSubstr("declare double @atan(double)"));
  EXPECT_THAT(code.llvm_ir, HasSubstr("define internal i64 @solway_pow_i64"));
  EXPECT_THAT(code.llvm_ir, Not(HasSubstr("declare double @solway")));
  EXPECT_THAT(code.llvm_ir, Not(HasSubstr("declare i64 @solway")));
}

TEST(ObjectCode, IsTheSameEachTime) {
  EXPECT_EQ(compile_object(kernel(), {}).bytes, compile_object(kernel(), {}).bytes);
}

TEST(ObjectCode, OfOtherMachines) {
  LlvmOptions options;
  options.cpu = "generic";
  options.triple = "aarch64-linux-gnu";
  const ObjectCode arm = compile_object(kernel(), options);
  EXPECT_EQ(arm.bytes.substr(18, 2), std::string("\xb7\0", 2));  // EM_AARCH64
  options.cpu = "generic-rv64";
  options.triple = "riscv64-linux-gnu";
  options.features = "+m,+a,+f,+d,+c,+v";
  const ObjectCode riscv = compile_object(kernel(), options);
  EXPECT_EQ(riscv.bytes.substr(18, 2), std::string("\xf3\0", 2));  // EM_RISCV
}

/// Turns the order of so many vectors of the vector engine: half of them are loaded at a time.
ir::Kernel kernel_of_vectors(int count) {
  const std::string elems = std::to_string(count * 256);
  std::string loads, stores;
  for (int k = 0; k < count; ++k) {
    const std::string place = std::to_string(k * 256);
    const std::string turned = std::to_string((count - 1 - k) * 256);
    const std::string name = "v" + std::to_string(k);
    loads += "  let " + name + " = vload(A[" + place + "], 256) {\n";
    stores += "  vstore(A[" + turned + "], 256) = (" + name + " + v0)\n";
  }
  return ir::parse_kernel("kernel k(inout A: float64[" + elems + "]) {\n" + loads + stores +
                          std::string(static_cast<std::size_t>(count), '}') + "\n}\n");
}

TEST(ObjectCode, OfMoreVectorsThanTheVectorEngineHoldsIsRefused) {
  LlvmOptions options;
  options.cpu = "generic";
  options.triple = "ve-linux-gnu";
  options.features = "+vpu";
  EXPECT_THAT(compile_object(kernel_of_vectors(40), options).assembly(), HasSubstr("vfadd.d"));
  for (int time = 0; time < 2; ++time) {  // this process goes on, and so does its LLVM
    try {
      compile_object(kernel_of_vectors(160), options);
      FAIL() << "expected UnsupportedError";
    } catch (const UnsupportedError& e) {
      EXPECT_EQ(e.report().what, "machine code of kernel 'k' for 've-linux-gnu'");
      EXPECT_THAT(e.report().why, HasSubstr("store this register to stack slot"));
      EXPECT_THAT(e.report().fix, HasSubstr("unroll less"));
    }
  }
  EXPECT_THAT(compile_object(kernel_of_vectors(40), options).assembly(), HasSubstr("vfadd.d"));
}

TEST(ObjectCode, OfSeveralThreadsAtOnceIsRefusedByEachAlone) {
  LlvmOptions options;
  options.cpu = "generic";
  options.triple = "ve-linux-gnu";
  options.features = "+vpu";
  std::atomic<int> made = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      try {
        compile_object(kernel_of_vectors(k % 2 == 0 ? 8 : 100), options);
        ++made;
      } catch (const UnsupportedError&) {
        ++refused;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 2);
  EXPECT_EQ(refused, 2);
}

}  // namespace
}  // namespace solway::codegen
