#include "codegen/llvm/detail/memory_plan.h"

#include <vector>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

#include "tests/unit/codegen/llvm/run_kernel.h"

namespace solway::codegen {
namespace {

constexpr const char* kLargeBuffers = R"(
kernel k(in A: float64[4], out C: float64[4]) {
  allocate S: float64[16] {
    allocate L: float64[8191] in ldm align 128 {
      allocate M: float64[3000] {
        allocate R: float64[1000] in register {
          for i in [0, 4) {
            S[i] = A[i]
            L[(8187 + i)] = (S[i] + 1.0f64)
            M[(2996 + i)] = (L[(8187 + i)] + 1.0f64)
            R[(996 + i)] = (M[(2996 + i)] + 1.0f64)
          }
          for j in [0, 4) {
            C[j] = (((R[(996 + j)] + M[(2996 + j)]) + L[(8187 + j)]) + S[j])
          }
        }
      }
    }
  }
}
)";

TEST(MemoryPlan, RegistersFirstThenWhatFitsTheStack) {
  const detail::MemoryPlan plan = detail::plan_memory(ir::parse_kernel(kLargeBuffers).body);
  std::vector<std::string> on_stack;
  for (const ir::Buffer& buffer : plan.on_stack) on_stack.push_back(buffer->name);
  EXPECT_EQ(on_stack, (std::vector<std::string>{"R", "S", "M"}));
  ASSERT_EQ(plan.in_arena.size(), 1U);
  EXPECT_EQ(plan.in_arena[0].buffer->name, "L");
  EXPECT_EQ(plan.arena_bytes, 65536);
}

TEST(MemoryPlan, ThreadsOfATeamHaveMainMemoryInCommon) {
  const detail::MemoryPlan plan =
      detail::plan_memory(ir::parse_kernel(kLargeBuffers).body, detail::MainScope::OfTeam);
  std::vector<std::string> in_common;
  for (const auto& placed : plan.in_common) in_common.push_back(placed.buffer->name);
  EXPECT_EQ(in_common, (std::vector<std::string>{"S", "M"}));
  EXPECT_EQ(plan.in_common[1].offset_bytes, 128);
  EXPECT_EQ(plan.common_bytes, 128 + 24000);
  ASSERT_EQ(plan.on_stack.size(), 1U);
  EXPECT_EQ(plan.on_stack[0]->name, "R");
  ASSERT_EQ(plan.in_arena.size(), 1U);
  EXPECT_EQ(plan.in_arena[0].buffer->name, "L");
}

TEST(MemoryPlan, ArenaBuffersAreDisjointAndAligned) {
  const detail::MemoryPlan plan = detail::plan_memory(ir::parse_kernel(R"(
kernel k() {
  allocate A: int8[65537] {
    allocate B: int8[70000] align 256 {
      allocate C: float32[20000] {
      }
    }
  }
}
)")
                                                          .body);
  ASSERT_EQ(plan.in_arena.size(), 3U);
  EXPECT_EQ(plan.in_arena[0].offset_bytes, 0);
  EXPECT_EQ(plan.in_arena[1].offset_bytes, 65792);
  EXPECT_EQ(plan.in_arena[2].offset_bytes, 65792 + 70144);
  EXPECT_EQ(plan.arena_bytes, 65792 + 70144 + 80000);
}

TEST(MemoryPlan, ATeamHasInCommonWhatAllOfItRead) {
  const auto body = ir::parse_kernel(R"(
kernel k() {
  allocate A: float32[8] {
    allocate B: float32[8] in shared {
      allocate C: float32[8] in panel {
      }
    }
  }
}
)")
                        .body;
  const detail::MemoryPlan team = detail::plan_memory(body, detail::MainScope::OfTeam);
  ASSERT_EQ(team.in_common.size(), 2U);
  EXPECT_EQ(team.in_common[1].buffer->name, "B");
  ASSERT_EQ(team.on_stack.size(), 1U);
  EXPECT_EQ(team.on_stack[0]->name, "C");
  EXPECT_TRUE(detail::plan_memory(body).in_common.empty());
}

TEST(MemoryPlan, BuffersOfTheArenaWork) {
  const JitKernel kernel = compile_text(kLargeBuffers);
  std::vector<double> a = {1, 2, 3, 4};
  std::vector<double> c(4);
  ASSERT_EQ(run(kernel, a, c), KernelStatus::Ok);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(c[i], 4 * a[i] + 6);
}

TEST(MemoryPlan, NoMemoryIsAStatus) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends the program on an allocation of this size";
#endif
  const JitKernel kernel = compile_text(R"(
kernel k(in N: int64[1], out C: int8[1]) {
  allocate A: int8[4611686018427387904] {
    A[N[0]] = 1i8
    C[0] = A[0]
  }
}
)");
  std::vector<std::int64_t> n = {0};
  std::vector<std::int8_t> c(1);
  EXPECT_EQ(run(kernel, n, c), KernelStatus::OutOfMemory);
}

}  // namespace
}  // namespace solway::codegen
