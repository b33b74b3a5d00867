#include "codegen/athread/kernel_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using testing::HasSubstr;

KernelPlan plan(const std::string& body) {
  return plan_kernel(
      ir::parse_kernel("kernel k(in A: float32[64, 64], out C: float32[64, 64]) {\n" + body +
                       "\n}"),
      {});
}

std::string refusal(const std::string& body) {
  try {
    plan(body);
  } catch (const UnsupportedError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(KernelPlan, TemporariesOfAParallelLoopAreEachCoresOwn) {
  const KernelPlan p = plan(R"(
    allocate T: float32[10] {
      for i in [0, 64) parallel {
        allocate P: float32[10] { P[0] = A[i, 0] C[i, 0] = P[0] }
      }
    })");
  ASSERT_EQ(p.main.size(), 4u);  // A, C, T and P
  EXPECT_EQ(p.main[0].role, "in");
  EXPECT_EQ(p.main[1].role, "out");
  EXPECT_TRUE(p.main[2].is_temporary());
  EXPECT_FALSE(p.main[2].is_per_core);
  EXPECT_EQ(p.main[2].copy_elems, 10);
  EXPECT_TRUE(p.main[3].is_per_core);
  EXPECT_EQ(p.main[3].copy_elems, 32);  // 128 bytes
  EXPECT_EQ(p.used_buffers, (std::set<std::string>{"A", "C", "P"}));
}

TEST(KernelPlan, CallsAreKnownWhenEveryIssueMakesTheSame) {
  const std::string text = R"(
    for i in [0, 64) parallel {
      allocate AA: float32[64] in ldm {
        issue AA get A[i, 0] -> AA[0] (64, 1, 1)
        wait AA
        issue AA get A[i, 0] -> AA[0] (%, 1, 1)
        wait AA
        C[i, 0] = AA[0]
      }
    })";
  const auto with = [&](const std::string& count) {
    return std::string(text).replace(text.find('%'), 1, count);
  };
  EXPECT_EQ(plan(with("32")).replies[0].calls, 1);
  EXPECT_EQ(plan(with("i")).replies[0].calls, std::nullopt);
  EXPECT_EQ(plan(with("(i + 1)")).replies[0].calls, 1);
}

TEST(KernelPlan, LoopsAndConditionsMayEncloseAParallelLoop) {
  EXPECT_NO_THROW(plan("for u in [3, 4) { for i in [0, 64) parallel { C[i, u] = 0.0f32 } }"));
  EXPECT_NO_THROW(plan(R"(
    for t in [0, 4) {
      if (t < 2) { barrier for i in [t, 64) parallel { C[i, t] = 0.0f32 } } else { C[0, t] = 1.0f32 }
    })"));
}

TEST(KernelPlan, RefusesAParallelLoopInsideAParallelOne) {
  EXPECT_THAT(
      refusal("for t in [0, 4) parallel { for i in [0, 64) parallel { C[i, t] = 0.0f32 } }"),
      HasSubstr("parallel('i') lies inside the parallel loop 't'"));
}

TEST(KernelPlan, RefusesToDecideByMemoryHowOftenCoresComeToABarrier) {
  const std::string inside = "{ for i in [0, 64) parallel { C[i, 0] = 0.0f32 } }";
  EXPECT_THAT(refusal("if (A[0, 0] < 1.0f32) " + inside),
              HasSubstr("a condition around a parallel loop reads memory"));
  EXPECT_THAT(refusal("for t in [0, int64(A[0, 0])) " + inside),
              HasSubstr("the range of loop 't' around a parallel loop reads memory"));
}

TEST(KernelPlan, RefusesVectorsWithoutAForm) {
  EXPECT_THAT(refusal("for i in [0, 64) vectorized { C[i, 0] = 0.0f32 }"),
              HasSubstr("vectorize('i')"));
  EXPECT_THAT(refusal("vstore(C[0, 0], 8) = vload(A[0, 0], 8)"),
              HasSubstr("no vectors of 8 float32"));
}

TEST(KernelPlan, VectorsUseTheirArrays) {
  const KernelPlan p = plan("vstore(C[0, 0], 4) = vload(A[0, 0], 4)");
  EXPECT_EQ(p.used_buffers, (std::set<std::string>{"A", "C"}));
}

TEST(KernelPlan, ANestMayFillWhatAnotherFilled) {
  EXPECT_EQ(plan(R"(allocate AA: float32[64] in ldm {
      for i in [0, 64) parallel { AA[0] = A[i, 0] C[i, 0] = AA[0] }
      for i in [0, 64) parallel { AA[0] = A[i, 1] C[i, 1] = AA[0] }
    })")
                .ldm.size(),
            1U);
  EXPECT_THAT(refusal(R"(allocate AA: float32[64] in ldm {
      for i in [0, 64) parallel { AA[0] = A[i, 0] C[i, 0] = AA[0] }
      for i in [0, 64) parallel { AA[0] = (AA[0] + 1.0f32) C[i, 1] = AA[0] }
    })"),
              HasSubstr("buffer 'AA' is filled by one nest and used by another"));
}

TEST(KernelPlan, RefusesLdmThatTwoNestsShare) {
  EXPECT_THAT(refusal(R"(allocate AA: float32[64] in ldm {
      AA[0] = A[0, 0]
      for i in [0, 64) parallel { C[i, 0] = AA[0] }
    })"),
              HasSubstr("buffer 'AA' is filled by one nest and used by another"));
}

TEST(KernelPlan, BuffersOfTwoNestsMayUseTheSameBytes) {
  const auto kernel = [](const std::string& second) {
    return ir::parse_kernel(R"(kernel k(in A: float32[64, 64], out C: float32[64, 64]) {
      allocate X: float32[8] in ldm { allocate Y: float32[4] in ldm { allocate Z: float32[4] in ldm {
      for i in [0, 64) parallel { X[0] = A[i, 0] C[i, 0] = X[0] }
      for i in [0, 64) parallel { Y[0] = A[i, 1] Z[0] = Y[0] C[i, 1] = )" +
                            second + "} } } } }");
  };
  AthreadOptions options;
  options.near_offsets = {{"X", 0}, {"Y", 0}, {"Z", 32}};
  EXPECT_EQ(plan_kernel(kernel("Z[0]"), options).shared_bytes, 48);
  EXPECT_THROW(plan_kernel(kernel("X[1]"), options), Error);
  options.near_offsets["Z"] = 8;
  EXPECT_THROW(plan_kernel(kernel("Z[0]"), options), InternalError);
  options.near_offsets.erase("Z");
  EXPECT_EQ(plan_kernel(kernel("Z[0]"), options).shared_bytes, 32);
}

TEST(KernelPlan, RefusesOtherMemories) {
  EXPECT_THAT(refusal("allocate P: float32[4] in panel { P[0] = A[0, 0] C[0, 0] = P[0] }"),
              HasSubstr("buffer 'P' is in 'panel'"));
}

}  // namespace
}  // namespace solway::codegen
