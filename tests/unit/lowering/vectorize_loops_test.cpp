#include "lowering/vectorize_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/verifier.h"

namespace solway::lowering {
namespace {

using ::testing::HasSubstr;

const LanesPerType kLanes = {{DType::Float32, 8}, {DType::Float64, 4}, {DType::Int32, 8}};

VectorForms scalar_rest() {
  VectorForms forms{kLanes};
  forms.rest = VectorRest::Scalar;
  return forms;
}

ir::Kernel kernel(const std::string& body) {
  return ir::parse_kernel(
      "kernel k(in A: float32[4, 100], in D: float64[100], in n: int64[1], inout C: float32[4, "
      "100])"
      " { " +
      body + " }");
}

/// The body of the kernel after the pass, verified.
std::string vectorized(const std::string& body, Remarks& remarks) {
  ir::Kernel k = kernel(body);
  k.body = vectorize_loops(k.body, {kLanes}, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  return to_string(k.body);
}

std::string vectorized(const std::string& body) {
  Remarks remarks;
  std::string out = vectorized(body, remarks);
  EXPECT_TRUE(remarks.empty()) << remarks.front().why;
  return out;
}

/// With other forms, and without remarks.
std::string vectorized_with(const VectorForms& forms, const std::string& body) {
  ir::Kernel k = kernel(body);
  Remarks remarks;
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  EXPECT_TRUE(remarks.empty());
  return to_string(k.body);
}

TEST(VectorizeLoops, ShorterVectorsCombineLanesAlone) {
  VectorForms forms{kLanes};
  const std::string sum = "for i in [0, 5) vectorized { C[0, 0] = (C[0, 0] + A[0, i]) }";
  forms.rest = VectorRest::Shorter;
  EXPECT_EQ(vectorized_with(forms, sum),
            "C[0, 0] = (C[0, 0] + reduce_sum(select((ramp(0, 1, 8) < broadcast(5, 8)), "
            "vload(A[0, 0], 8, active 5), broadcast(0.0f32, 8))))\n");
  EXPECT_EQ(vectorized_with(forms, "for i in [0, 10) vectorized { C[0, i] = (A[0, i] * 2.0f32) }"),
            vectorized("for i in [0, 10) vectorized { C[0, i] = (A[0, i] * 2.0f32) }"));
}

TEST(VectorizeLoops, AsDocumented) {
  EXPECT_EQ(vectorized("for i in [0, 10) vectorized { C[0, i] = (A[0, i] * 2.0f32) }"),
            "vstore(C[0, 0], 8) = (vload(A[0, 0], 8) * broadcast(2.0f32, 8))\n"
            "vstore(C[0, 8], 8, active 2) = "
            "(vload(A[0, 8], 8, active 2) * broadcast(2.0f32, 8))\n");
}

TEST(VectorizeLoops, WhatDoesNotFillAVectorRunsOneByOne) {
  ir::Kernel k = kernel("for i in [0, 10) vectorized { C[0, i] = (A[0, i] * 2.0f32) }");
  Remarks remarks;
  k.body = vectorize_loops(k.body, scalar_rest(), remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  EXPECT_EQ(to_string(k.body),
            "vstore(C[0, 0], 8) = (vload(A[0, 0], 8) * broadcast(2.0f32, 8))\n"
            "for i in [8, 10) {\n"
            "  C[0, i] = (A[0, i] * 2.0f32)\n"
            "}\n");
  EXPECT_TRUE(remarks.empty());
}

/// Of a core that issues in order.
std::string in_rounds(const std::string& body, const std::string& extent) {
  VectorForms forms = scalar_rest();
  forms.vectors_per_round = 4;
  ir::Kernel k = kernel("for i in [0, " + extent + ") vectorized { " + body + " }");
  Remarks remarks;
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  EXPECT_TRUE(remarks.empty());
  return to_string(k.body);
}

TEST(VectorizeLoops, RoundsOfSeveralVectors) {
  EXPECT_EQ(in_rounds("C[0, i] = A[0, i]", "50"),
            "for i_vec in [0, 1) {\n"
            "  vstore(C[0, (i_vec * 32)], 8) = vload(A[0, (i_vec * 32)], 8)\n"
            "  vstore(C[0, ((i_vec * 32) + 8)], 8) = vload(A[0, ((i_vec * 32) + 8)], 8)\n"
            "  vstore(C[0, ((i_vec * 32) + 16)], 8) = vload(A[0, ((i_vec * 32) + 16)], 8)\n"
            "  vstore(C[0, ((i_vec * 32) + 24)], 8) = vload(A[0, ((i_vec * 32) + 24)], 8)\n"
            "}\n"
            "vstore(C[0, 32], 8) = vload(A[0, 32], 8)\n"
            "vstore(C[0, 40], 8) = vload(A[0, 40], 8)\n"
            "for i in [48, 50) {\n"
            "  C[0, i] = A[0, i]\n"
            "}\n");
}

TEST(VectorizeLoops, RoundsOfANumberOfVectorsKnownLater) {
  ir::Kernel k = kernel("for m in [0, 100) { for i in [0, m) vectorized { C[0, i] = A[0, i] } }");
  VectorForms forms = scalar_rest();
  forms.vectors_per_round = 2;
  Remarks remarks;
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  EXPECT_EQ(to_string(k.body),
            "for m in [0, 100) {\n"
            "  let i_count = max(m, 0) {\n"
            "    for i_vec in [0, ((i_count // 8) // 2)) {\n"
            "      vstore(C[0, (i_vec * 16)], 8) = vload(A[0, (i_vec * 16)], 8)\n"
            "      vstore(C[0, ((i_vec * 16) + 8)], 8) = vload(A[0, ((i_vec * 16) + 8)], 8)\n"
            "    }\n"
            "    for i_vec in [(((i_count // 8) // 2) * 2), (i_count // 8)) {\n"
            "      vstore(C[0, (i_vec * 8)], 8) = vload(A[0, (i_vec * 8)], 8)\n"
            "    }\n"
            "    if ((i_count % 8) > 0) {\n"
            "      for i in [(i_count - (i_count % 8)), ((i_count - (i_count % 8)) + "
            "(i_count % 8))) {\n"
            "        C[0, i] = A[0, i]\n"
            "      }\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(VectorizeLoops, EachStatementOfARoundRunsOnAllItsVectors) {
  EXPECT_EQ(in_rounds("C[0, i] = A[0, i] C[1, i] = A[1, i]", "16"),
            "vstore(C[0, 0], 8) = vload(A[0, 0], 8)\n"
            "vstore(C[0, 8], 8) = vload(A[0, 8], 8)\n"
            "vstore(C[1, 0], 8) = vload(A[1, 0], 8)\n"
            "vstore(C[1, 8], 8) = vload(A[1, 8], 8)\n");
}

TEST(VectorizeLoops, SaysWhatFillsNoVector) {
  ir::Kernel k = kernel("for i in [0, 5) vectorized { C[0, i] = A[0, i] }");
  Remarks remarks;
  k.body = vectorize_loops(k.body, scalar_rest(), remarks);
  EXPECT_EQ(to_string(k.body), "for i in [0, 5) {\n  C[0, i] = A[0, i]\n}\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "5 iterations do not fill a vector of 8 lanes");
}

TEST(VectorizeLoops, WhatTheTargetLacksRunsLaneByLane) {
  VectorForms forms{kLanes};
  forms.lack = [](const ir::Stmt& s) -> std::string {
    const auto* store = s.as_or_null<ir::VectorStore>();
    const bool is_root = store != nullptr && store->value.kind() == ir::ExprKind::Unary;
    return is_root ? "it has no roots" : "";
  };
  ir::Kernel k = kernel("for i in [0, 8) vectorized { C[0, i] = sqrt(A[0, i]) C[1, i] = A[0, i] }");
  Remarks remarks;
  k.body = vectorize_loops(k.body, forms, remarks);
  EXPECT_EQ(to_string(k.body),
            "for i in [0, 8) {\n"
            "  C[0, i] = sqrt(A[0, i])\n"
            "}\n"
            "vstore(C[1, 0], 8) = vload(A[0, 0], 8)\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "it has no roots");
}

TEST(VectorizeLoops, ManyVectorsAreALoop) {
  EXPECT_EQ(vectorized("for i in [0, 100) vectorized { C[0, i] = A[0, 0] }"),
            "for i_vec in [0, 12) {\n"
            "  vstore(C[0, (i_vec * 8)], 8) = broadcast(A[0, 0], 8)\n"
            "}\n"
            "vstore(C[0, 96], 8, active 4) = broadcast(A[0, 0], 8)\n");
}

TEST(VectorizeLoops, ManyVectorsOfRegistersAreWrittenOut) {
  EXPECT_EQ(vectorized("allocate R: float32[96] in register {"
                       " for i in [0, 96) vectorized { R[i] = A[0, i] } }"),
            "allocate R: float32[96] in register {\n"
            "  for i_vec in [0, 12) unrolled {\n"
            "    vstore(R[(i_vec * 8)], 8) = vload(A[0, (i_vec * 8)], 8)\n"
            "  }\n"
            "}\n");
}

TEST(VectorizeLoops, RegistersAreStoredInWholeVectors) {
  EXPECT_EQ(vectorized("allocate R: float32[2, 8] in register {"
                       " for i in [0, 5) vectorized { R[1, i] = A[0, i] } }"),
            "allocate R: float32[2, 8] in register {\n"
            "  vstore(R[1, 0], 8) = select((ramp(0, 1, 8) < broadcast(5, 8)), "
            "vload(A[0, 0], 8, active 5), vload(R[1, 0], 8))\n"
            "}\n");
  // Here whole vectors would run into the next row.
  EXPECT_EQ(vectorized("allocate R: float32[2, 5] in register {"
                       " for i in [0, 5) vectorized { R[1, i] = A[0, i] } }"),
            "allocate R: float32[2, 5] in register {\n"
            "  vstore(R[1, 0], 8, active 5) = vload(A[0, 0], 8, active 5)\n"
            "}\n");
}

TEST(VectorizeLoops, VectorsOfRegistersBeginWhereOthersDo) {
  EXPECT_EQ(vectorized("allocate R: float32[2, 16] in register {"
                       " for i in [3, 13) vectorized { R[1, i] = A[0, (i - 1)] } }"),
            "allocate R: float32[2, 16] in register {\n"
            "  vstore(R[1, 0], 8) = select((ramp(0, 1, 8) >= broadcast(3, 8)), "
            "vload(A[0, -1], 8, first 3), vload(R[1, 0], 8))\n"
            "  vstore(R[1, 8], 8) = select((ramp(0, 1, 8) < broadcast(5, 8)), "
            "vload(A[0, 7], 8, active 5), vload(R[1, 8], 8))\n"
            "}\n");
  EXPECT_EQ(vectorized("allocate R: float32[8] in register {"
                       " for i in [1, 6) vectorized { R[(i + 1)] = A[0, i] } }"),
            "allocate R: float32[8] in register {\n"
            "  vstore(R[0], 8) = select(((ramp(0, 1, 8) >= broadcast(2, 8)) and "
            "(ramp(0, 1, 8) < broadcast(7, 8))), vload(A[0, -1], 8, active 7, first 2), "
            "vload(R[0], 8))\n"
            "}\n");
  // One element has no row.
  EXPECT_THAT(vectorized("allocate R: float32[] in register {"
                         " for i in [3, 13) vectorized { R[] = (R[] + A[0, i]) } }"),
              HasSubstr("reduce_sum"));
  // Here whole vectors would run into the next row; other memory has addresses.
  EXPECT_THAT(vectorized("allocate R: float32[2, 7] in register {"
                         " for i in [3, 7) vectorized { R[1, i] = A[0, i] } }"),
              HasSubstr("vstore(R[1, 3], 8, active 4)"));
  EXPECT_THAT(vectorized("for i in [3, 11) vectorized { C[1, i] = A[0, i] }"),
              HasSubstr("vstore(C[1, 3], 8) = vload(A[0, 3], 8)"));
}

TEST(VectorizeLoops, SidesOfAChoiceWhoseReadsLieInsideAreBothEvaluated) {
  EXPECT_EQ(vectorized("for r in [0, 4) { for i in [0, 8) vectorized {"
                       " C[0, i] = select((i <= r), A[r, (i + 92)], 0.0f32) } }"),
            "for r in [0, 4) {\n"
            "  vstore(C[0, 0], 8) = select((ramp(0, 1, 8) <= broadcast(r, 8)), "
            "vload(A[r, 92], 8), broadcast(0.0f32, 8))\n"
            "}\n");
  Remarks remarks;
  vectorized(
      "for r in [0, 4) { for i in [0, 8) vectorized {"
      " C[0, i] = select((i <= r), A[r, (i + 93)], 0.0f32) } }",
      remarks);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(remarks[0].why, HasSubstr("guards a read"));
}

TEST(VectorizeLoops, SymbolicExtentsHaveAnActiveTail) {
  EXPECT_EQ(vectorized("for j in [0, 4) { for i in [j, min(100, (j * 30))) vectorized { "
                       "C[j, i] = 1.0f32 } }"),
            "for j in [0, 4) {\n"
            "  let i_count = max(((j * -1) + min(100, (j * 30))), 0) {\n"
            "    for i_vec in [0, (i_count // 8)) {\n"
            "      vstore(C[j, (j + (i_vec * 8))], 8) = broadcast(1.0f32, 8)\n"
            "    }\n"
            "    if ((i_count % 8) > 0) {\n"
            "      vstore(C[j, (j + (i_count - (i_count % 8)))], 8, active (i_count % 8)) = "
            "broadcast(1.0f32, 8)\n"
            "    }\n  }\n}\n");
}

/// What has fewer vectors than a whole tile runs all of them, as sums stay in registers then.
TEST(VectorizeLoops, LastTilesHavePartialVectors) {
  VectorForms forms{kLanes};
  forms.masked_bytes = 4;
  const auto run = [&](const std::string& body) {
    return vectorized_with(forms, "let m = n[0] { " + body + " }");
  };
  EXPECT_EQ(run("for i in [0, min((m - 24), 24)) vectorized { C[0, i] = (C[0, i] + A[0, i]) }"),
            "let m = n[0] {\n"
            "  vstore(C[0, 0], 8, active min((m - 24), 24)) = (vload(C[0, 0], 8, active "
            "min((m - 24), 24)) + vload(A[0, 0], 8, active min((m - 24), 24)))\n"
            "  vstore(C[0, 8], 8, active (min((m - 24), 24) + -8)) = (vload(C[0, 8], 8, active "
            "(min((m - 24), 24) + -8)) + vload(A[0, 8], 8, active (min((m - 24), 24) + -8)))\n"
            "  vstore(C[0, 16], 8, active (min((m - 24), 24) + -16)) = (vload(C[0, 16], 8, "
            "active (min((m - 24), 24) + -16)) + vload(A[0, 16], 8, active "
            "(min((m - 24), 24) + -16)))\n"
            "}\n");
  // Many vectors, functions that take long, sums, and extents that are not a tile's.
  for (const char* const body :
       {"for i in [0, min(m, 72)) vectorized { C[0, i] = A[0, i] }",
        "for i in [0, min(m, 24)) vectorized { C[0, 0] = (C[0, 0] + A[0, i]) }",
        "for i in [0, m) vectorized { C[0, i] = A[0, i] }"}) {
    EXPECT_THAT(run(body), HasSubstr("i_count")) << body;
  }
  forms.functions_at_once = 2;
  EXPECT_THAT(run("for i in [0, min(m, 24)) vectorized { C[0, i] = exp(A[0, i]) }"),
              HasSubstr("for i_vec in [0, (i_count // 16))"));
  forms.masked_bytes = 8;
  EXPECT_THAT(run("for i in [0, min(m, 24)) vectorized { C[0, i] = A[0, i] }"),
              HasSubstr("i_count"));
}

TEST(VectorizeLoops, DistancesMayBeKnownWhenItRuns) {
  VectorForms forms{kLanes};
  const auto run = [&](Remarks& remarks) {
    ir::Kernel k = ir::parse_kernel(
        "kernel k(in A: float32[<= 800], in n: int64[1], inout C: float32[8]) { let m = n[0] { "
        "for i in [0, 8) vectorized { C[i] = A[(((i + 2) * (m * 3)) + m)] } } }");
    k.body = vectorize_loops(k.body, forms, remarks);
    ir::verify(k, ir::Stage::AfterVectorize);
    return to_string(k.body);
  };
  Remarks remarks;
  EXPECT_THAT(run(remarks), HasSubstr("for i in [0, 8) {"));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_THAT(remarks[0].why, HasSubstr("does not advance by a constant"));
  forms.has_strides = true;
  remarks.clear();
  EXPECT_THAT(run(remarks),
              HasSubstr("vstore(C[0], 8) = vload(A[((m * 6) + m)], 8, stride (m * 3))"));
  EXPECT_TRUE(remarks.empty());
}

TEST(VectorizeLoops, TheWidestTypeSetsTheLanes) {
  EXPECT_EQ(vectorized("for i in [0, 4) vectorized { C[0, i] = float32(D[i]) }"),
            "vstore(C[0, 0], 4) = float32(vload(D[0], 4))\n");
}

TEST(VectorizeLoops, StridesLetsAndInnerLoops) {
  EXPECT_EQ(vectorized("for i in [0, 4) vectorized { let x = float64(i) { for k in [0, 4) { "
                       "C[i, k] = (C[i, k] + float32((x + D[(2 * i)]))) } } }"),
            "let x_lanes = float64(ramp(0, 1, 4)) {\n"
            "  for k in [0, 4) {\n"
            "    vstore(C[0, k], 4, stride 100) = (vload(C[0, k], 4, stride 100) + "
            "float32((x_lanes + vload(D[0], 4, stride 2))))\n"
            "  }\n}\n");
}

TEST(VectorizeLoops, ReductionsCombineLanes) {
  Remarks remarks;
  EXPECT_EQ(vectorized("for k in [0, 8) vectorized { C[0, 0] = (C[0, 0] + (A[0, k] * A[1, k])) }",
                       remarks),
            "C[0, 0] = (C[0, 0] + reduce_sum((vload(A[0, 0], 8) * vload(A[1, 0], 8))))\n");
  EXPECT_TRUE(remarks.empty());
}

TEST(VectorizeLoops, AFewTermsAreCombinedOneByOne) {
  Remarks remarks;
  EXPECT_EQ(vectorized("for k in [0, 3) vectorized { C[0, 0] = (C[0, 0] + A[0, k]) }", remarks),
            "for k in [0, 3) {\n  C[0, 0] = (C[0, 0] + A[0, k])\n}\n");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "all its iterations store to one element of 'C'");
}

TEST(VectorizeLoops, TermsBehindFullVectorsAreAPartialOne) {
  Remarks remarks;
  EXPECT_EQ(vectorized("for k in [0, 9) vectorized { C[0, 0] = (C[0, 0] + (A[0, k] * A[1, k])) }",
                       remarks),
            "allocate sum_0_k: float32[8] in register {\n"
            "  vstore(sum_0_k[0], 8) = broadcast(0.0f32, 8)\n"
            "  for k_vec in [0, 1) {\n"
            "    vstore(sum_0_k[0], 8) = (vload(sum_0_k[0], 8) + (vload(A[0, (k_vec * 8)], 8) * "
            "vload(A[1, (k_vec * 8)], 8)))\n"
            "  }\n"
            "  vstore(sum_0_k[0], 8) = select((ramp(0, 1, 8) < broadcast(1, 8)), "
            "(vload(sum_0_k[0], 8) + (vload(A[0, 8], 8, active 1) * "
            "vload(A[1, 8], 8, active 1))), vload(sum_0_k[0], 8))\n"
            "  C[0, 0] = (C[0, 0] + reduce_sum(vload(sum_0_k[0], 8)))\n"
            "}\n");
  EXPECT_TRUE(remarks.empty());
}

TEST(VectorizeLoops, SelectsOfValuesAreVectors) {
  EXPECT_EQ(vectorized("for i in [0, 8) vectorized { C[0, i] = select((i < 3), 1.0f32, 0.0f32) }"),
            "vstore(C[0, 0], 8) = select((ramp(0, 1, 8) < broadcast(3, 8)), "
            "broadcast(1.0f32, 8), broadcast(0.0f32, 8))\n");
}

TEST(VectorizeLoops, FunctionsOfSeveralVectorsRunTogether) {
  VectorForms forms{kLanes};
  forms.functions_at_once = 4;
  const auto run = [&](const std::string& body) { return vectorized_with(forms, body); };
  EXPECT_EQ(run("for i in [0, 91) vectorized { C[0, i] = exp(A[0, i]) }"),
            "for i_vec in [0, 2) {\n"
            "  vstore(C[0, (i_vec * 32)], 32) = exp(vload(A[0, (i_vec * 32)], 32))\n"
            "}\n"
            "vstore(C[0, 64], 32, active 27) = exp(vload(A[0, 64], 32, active 27))\n");
  EXPECT_EQ(run("for i in [0, 80) vectorized { C[0, i] = exp(A[0, i]) }"),
            "for i_vec in [0, 2) {\n"
            "  vstore(C[0, (i_vec * 32)], 32) = exp(vload(A[0, (i_vec * 32)], 32))\n"
            "}\n"
            "vstore(C[0, 64], 16) = exp(vload(A[0, 64], 16))\n");
  EXPECT_EQ(run("for i in [0, 20) vectorized { C[0, i] = exp(A[0, i]) }"),
            "vstore(C[0, 0], 16) = exp(vload(A[0, 0], 16))\n"
            "vstore(C[0, 16], 8, active 4) = exp(vload(A[0, 16], 8, active 4))\n");
  EXPECT_EQ(run("for i in [0, 16) vectorized { C[0, i] = sqrt(A[0, i]) }"),
            "vstore(C[0, 0], 8) = sqrt(vload(A[0, 0], 8))\n"
            "vstore(C[0, 8], 8) = sqrt(vload(A[0, 8], 8))\n");
}

TEST(VectorizeLoops, KeepsIdentity) {
  Remarks remarks;
  const ir::Stmt s = kernel("for i in [0, 8) { C[0, i] = A[0, i] }").body;
  EXPECT_TRUE(vectorize_loops(s, {kLanes}, remarks).same_as(s));
}

TEST(VectorizeLoops, StatementsWithoutAVectorFormRunLaneByLane) {
  const auto why = [](const std::string& statement) {
    Remarks remarks;
    const std::string out =
        vectorized("for i in [0, 16) vectorized { " + statement + " }", remarks);
    EXPECT_THAT(out, HasSubstr("for i in [0, 8) {"));
    EXPECT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks.front().verdict, "ran lane by lane");
    return remarks.front().why;
  };
  EXPECT_EQ(why("C[0, i] = select((i > 0), A[0, (i - 1)], 0.0f32)"),
            "the condition (i > 0) depends on it and guards a read");
  EXPECT_EQ(why("C[0, i] = A[0, (i // 2)]"),
            "the index (i // 2) of 'A' does not advance by a constant");
  EXPECT_EQ(why("if (i < 9) { C[0, i] = 1.0f32 }"), "the condition (i < 9) depends on it");
  EXPECT_EQ(why("for k in [0, i) { C[0, i] = 1.0f32 }"), "the bounds of loop 'k' depend on it");
  EXPECT_EQ(why("let x = A[0, i] { C[0, i] = 0.0f32 if (x > 0.0f32) { C[0, i] = x } }"),
            "the condition (x > 0.0f32) depends on it");
}

TEST(VectorizeLoops, WholeLoopsThatStay) {
  const auto why = [](const std::string& body) {
    Remarks remarks;
    const std::string out = vectorized(body, remarks);
    EXPECT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks.front().verdict, "kept as a loop");
    EXPECT_THAT(out, HasSubstr("for i in [0, "));
    return remarks.front().why;
  };
  EXPECT_EQ(why("for i in [0, 8) vectorized { allocate B: float32[1] in ldm { B[0] = A[0, i] "
                "C[0, i] = B[0] } }"),
            "it allocates or transfers memory");
  EXPECT_EQ(why("for i in [0, n[0]) vectorized { C[0, i] = 1.0f32 }"),
            "its bounds are read from memory");
  EXPECT_EQ(why("for i in [0, 4) vectorized { for j in [0, 8) vectorized { C[i, j] = 1.0f32 } }"),
            "a loop inside it is vectorized");
  EXPECT_EQ(why("for i in [0, 1) vectorized { C[0, 0] = float32(n[i]) }"),
            "the target has no vectors of its element types");
}

/// The body after the pass for registers whose length is known at run time.
std::string scalable(const std::string& body) {
  VectorForms forms{{{DType::Float32, 4}, {DType::Float64, 2}}};
  forms.scalable_lanes = forms.lanes;
  forms.registers = 32;
  ir::Kernel k = kernel(body);
  Remarks remarks;
  k.body = vectorize_loops(k.body, forms, remarks);
  ir::verify(k, ir::Stage::AfterVectorize);
  EXPECT_TRUE(remarks.empty()) << remarks.front().why;
  return to_string(k.body);
}

TEST(VectorizeLoops, LanesMayBeKnownAtRunTime) {
  EXPECT_EQ(
      scalable("for i in [0, 100) vectorized { C[0, i] = A[0, i] }"),
      "let i_count = 100 {\n"
      "  for i_vec in [0, (i_count // (vscale() * 4))) {\n"
      "    vstore(C[0, (i_vec * (vscale() * 4))], vscale*4) = "
      "vload(A[0, (i_vec * (vscale() * 4))], vscale*4)\n"
      "  }\n"
      "  if ((i_count % (vscale() * 4)) > 0) {\n"
      "    vstore(C[0, (i_count - (i_count % (vscale() * 4)))], vscale*4, active (i_count % "
      "(vscale() "
      "* 4))) = vload(A[0, (i_count - (i_count % (vscale() * 4)))], vscale*4, active (i_count % "
      "(vscale() * 4)))\n"
      "  }\n"
      "}\n");
}

TEST(VectorizeLoops, FewIterationsKeepAFixedNumberOfLanes) {
  EXPECT_EQ(scalable("for i in [0, 8) vectorized { C[0, i] = A[0, i] }"),
            "vstore(C[0, 0], 4) = vload(A[0, 0], 4)\n"
            "vstore(C[0, 4], 4) = vload(A[0, 4], 4)\n");
  // Registers that all lanes share are told apart by constants.
  EXPECT_THAT(scalable("allocate R: float32[32] in register {\n"
                       "  for i in [0, 32) vectorized { R[i] = A[0, i] }\n"
                       "  for i in [0, 32) vectorized { C[0, i] = R[i] } }"),
              ::testing::Not(HasSubstr("vscale")));
}

TEST(VectorizeLoops, ScalableSumsTakeTheRestWithThem) {
  const std::string out =
      scalable("for i in [0, 100) vectorized { C[0, 0] = (C[0, 0] + A[1, i]) }");
  EXPECT_THAT(out, HasSubstr("allocate sum_0_i: float32[vscale*16] in register"));
  EXPECT_THAT(out, HasSubstr("for i_vec in [0, (i_count // (vscale() * 16)))"));
  EXPECT_THAT(out, HasSubstr("select((ramp(0, 1, vscale*16) < broadcast((i_count % (vscale() * "
                             "16)), vscale*16))"));
  EXPECT_THAT(out, HasSubstr("C[0, 0] = (C[0, 0] + reduce_sum(vload(sum_0_i[0], vscale*16)))"));
  EXPECT_THAT(out, ::testing::Not(HasSubstr("for i in")));
}

/// Sums of two rows, each lane its own.
const char* const kOwnSums =
    "for i in [0, 20) vectorized { allocate S: float32[2] in register {\n"
    "  S[0] = 0.0f32 S[1] = 0.0f32\n"
    "  for k in [0, 3) { S[0] = (S[0] + A[k, i]) S[1] = (S[1] + A[k, 0]) }\n"
    "  C[0, i] = S[0] C[1, i] = S[1] } }";

TEST(VectorizeLoops, LanesHaveBuffersOfTheirOwn) {
  const std::string out = vectorized(kOwnSums);
  // Four vectors at a time, of which 20 iterations fill a part.
  EXPECT_THAT(out, HasSubstr("allocate S: float32[2, 32] in register"));
  EXPECT_THAT(out,
              HasSubstr("vstore(S[0, 0], 32) = (vload(S[0, 0], 32) + vload(A[k, 0], 32, active "
                        "20))"));
  EXPECT_THAT(out,
              HasSubstr("vstore(S[1, 0], 32) = (vload(S[1, 0], 32) + broadcast(A[k, 0], 32))"));
  EXPECT_THAT(out, HasSubstr("vstore(C[1, 0], 32, active 20) = vload(S[1, 0], 32)"));
}

TEST(VectorizeLoops, ScalableLanesHaveBuffersOfTheirOwn) {
  const std::string out = scalable(kOwnSums);
  EXPECT_THAT(out, HasSubstr("allocate S: float32[2, vscale*16] in register"));
  EXPECT_THAT(out, HasSubstr("vstore(S[0, 0], vscale*16) = (vload(S[0, 0], vscale*16) + vload(A[k, "
                             "(i_vec * (vscale() * 16))], vscale*16))"));
}

TEST(VectorizeLoops, ABufferThatOneStatementCannotShareRunsLaneByLane) {
  Remarks remarks;
  const std::string out = vectorized(
      "for i in [0, 20) vectorized { allocate S: float32[100] in register {\n"
      "  S[i] = A[0, i]\n"
      "  C[0, i] = S[i] } }",
      remarks);
  EXPECT_THAT(out, HasSubstr("allocate S: float32[100] in register"));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "the index i of 'S' differs between lanes");
}

}  // namespace
}  // namespace solway::lowering
