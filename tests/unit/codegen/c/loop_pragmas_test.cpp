#include "codegen/c/loop_pragmas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen::c99 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHead =
    "kernel k(in A: float32[64, 1024], in D: float64[1024], in n: int64[1], out C: float32[64, "
    "1024]) {\n";

/// The directives of the outermost loop of a body, in which the loops over `independent` are.
std::vector<std::string> of(const std::string& body, std::set<std::string> independent = {},
                            const ir::Ranges& ranges = {}) {
  const ir::Kernel kernel = ir::parse_kernel(kHead + body + "\n}\n");
  return nec_pragmas(kernel.body.as<ir::For>(), {256, std::move(independent)}, ranges);
}

TEST(NecPragmas, AnIndependentLoopHasNoDependences) {
  const std::string loop = "for i in [0, 256) vectorized { C[0, i] = (A[0, i] * 2.0f32) }";
  EXPECT_THAT(of(loop, {"i"}), ElementsAre("_NEC ivdep", "_NEC shortloop"));
  EXPECT_THAT(of(loop), ElementsAre("_NEC vector", "_NEC shortloop"));
}

TEST(NecPragmas, LongLoopsOfNeighbouringFloatsArePacked) {
  EXPECT_THAT(of("for i in [0, 257) vectorized { C[0, i] = (A[1, i] * A[2, 3]) }", {"i"}),
              ElementsAre("_NEC ivdep", "_NEC packed_vector"));
  EXPECT_THAT(of("for i in [0, 257) vectorized { C[0, i] = (A[1, (i * 2)] * 2.0f32) }", {"i"}),
              ElementsAre("_NEC ivdep"));
  EXPECT_THAT(of("for i in [0, 257) vectorized { C[0, i] = float32(D[i]) }", {"i"}),
              ElementsAre("_NEC ivdep"));
}

TEST(NecPragmas, AFusedLoopRunsAlongNeighbours) {
  EXPECT_THAT(of("for f in [0, 65536) vectorized {\n"
                 "  C[(f // 1024), (f % 1024)] = (A[(f // 1024), (f % 1024)] + 1.0f32) }",
                 {"f"}),
              ElementsAre("_NEC ivdep", "_NEC packed_vector"));
}

TEST(NecPragmas, AReductionIsNeverCalledIndependent) {
  EXPECT_THAT(of("for k in [0, 100) vectorized { C[0, 0] = (C[0, 0] + A[0, k]) }"),
              ElementsAre("_NEC vector", "_NEC shortloop"));
  EXPECT_THAT(of("for k in [0, n[0]) vectorized { C[0, 0] = (C[0, 0] + float32(D[k])) }"),
              ElementsAre("_NEC vector", "_NEC shortloop_reduction"));
}

TEST(NecPragmas, ABoundThatIsKnownToBeShortIsEnough) {
  const std::string loop =
      "for i in [(o * 256), min(((o * 256) + 256), 1000)) vectorized { C[0, i] = (A[0, i] + "
      "A[1, i]) }";
  const ir::Kernel kernel =
      ir::parse_kernel(std::string(kHead) + "for o in [0, 4) { " + loop + " }\n}\n");
  const auto& outer = kernel.body.as<ir::For>();
  const auto& inner = outer.body.as<ir::For>();
  const ir::Ranges ranges = {{"o", {0, 3}}};
  EXPECT_THAT(nec_pragmas(outer, {256, {"i"}}, {}), ElementsAre("_NEC novector"));
  EXPECT_EQ(nec_pragmas(inner, {256, {"i"}}, ranges)[0], "_NEC ivdep");
}

TEST(NecPragmas, ATransferIsACopyToPlacesOfItsOwn) {
  EXPECT_THAT(of("for i in [0, 64) vectorized { C[0, i] = A[1, i] }"),
              ElementsAre("_NEC ivdep", "_NEC shortloop"));
  EXPECT_THAT(of("for i in [0, 64) vectorized { C[0, 0] = A[1, i] }"),
              ElementsAre("_NEC vector", "_NEC shortloop"));
  EXPECT_THAT(of("for i in [0, 63) vectorized { C[0, i] = C[0, (i + 1)] }"),
              ElementsAre("_NEC vector", "_NEC shortloop"));
}

TEST(NecPragmas, OneMemoryForAllIterationsIsADependence) {
  EXPECT_THAT(of("for i in [0, 64) vectorized { allocate T: float32[1] in panel {\n"
                 "  T[0] = A[0, i] C[0, i] = (T[0] * T[0]) } }",
                 {"i"}),
              ElementsAre("_NEC vector", "_NEC shortloop"));
}

TEST(NecPragmas, LoopsAroundAVectorAreScalar) {
  const std::string inner = " for j in [0, 1024) vectorized { C[i, j] = (A[i, j] * 2.0f32) } }";
  EXPECT_THAT(of("for i in [0, 64) {" + inner), ElementsAre("_NEC novector"));
  EXPECT_THAT(of("for i in [0, 64) vectorized {" + inner, {"i"}), ElementsAre("_NEC novector"));
  EXPECT_THAT(of("for i in [0, 64) { C[i, 0] = A[i, 0] }"), IsEmpty());
}

TEST(NecPragmas, UnrolledLoopsAreWrittenOut) {
  EXPECT_THAT(of("for i in [0, 3) unrolled { for j in [0, 2) unrolled { C[i, j] = A[j, i] } }"),
              ElementsAre("_NEC unroll_completely"));
  EXPECT_THAT(of("for i in [0, n[0]) unrolled { C[i, 0] = A[i, 0] }"), IsEmpty());
  EXPECT_THAT(of("for i in [0, 2000) unrolled { C[0, 0] = A[0, 0] }"), IsEmpty());
}

TEST(NecPragmas, UnrolledLoopsAroundLoopsShareTheInnerOne) {
  const std::string loop =
      "for i in [0, 6) unrolled { for j in [0, 1024) vectorized { C[i, j] = (A[i, j] + 1.0f32) } }";
  EXPECT_THAT(of(loop, {"i", "j"}), ElementsAre("_NEC novector", "_NEC outerloop_unroll(4)"));
  EXPECT_THAT(of(loop, {"j"}), ElementsAre("_NEC novector"));
}

}  // namespace
}  // namespace solway::codegen::c99
