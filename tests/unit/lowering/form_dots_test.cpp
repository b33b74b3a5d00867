#include "lowering/form_dots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

ir::Scope scope(DType a, DType b) {
  return {{{"A", ir::make_buffer("A", a, {64, 64})},
           {"B", ir::make_buffer("B", b, {16, 32, 4})},
           {"P", ir::make_buffer("P", b, {16, 32, 4}, "panel")},
           {"C", ir::make_buffer("C", DType::Int32, {64, 32})}},
          {{"n", ir::kInt64}}};
}

const VectorForms kMixed{{}, "", VectorRest::Masked, {}, {{DType::UInt8, DType::Int8}}, "panel"};
const VectorForms kSame{
    {},     "", VectorRest::Masked, {}, {{DType::Int8, DType::Int8}, {DType::UInt8, DType::UInt8}},
    "panel"};

std::string formed(const std::string& text, DType a, DType b, const VectorForms& forms,
                   Remarks& remarks) {
  return to_string(form_dots(ir::parse_stmt(text, scope(a, b)), forms, remarks));
}

/// The loops `for` of that text, one inside the other, around a store of products.
std::string nest(const std::string& loops, const std::string& a, const std::string& b) {
  return loops + " C[i, j] = (C[i, j] + (int32(" + a + ") * int32(" + b + ")))" +
         std::string(static_cast<std::size_t>(std::count(loops.begin(), loops.end(), '{')), '}');
}

const std::string kRows = "for i in [0, 8) { for k in [0, 16) { for j in [0, 32) vectorized { ";
const std::string kA = "A[i, ((k * 4) + t)]";
const std::string kB = "B[k, j, t]";

TEST(FormDots, AsDocumented) {
  Remarks remarks;
  EXPECT_EQ(formed("for j in [0, 16) vectorized { for t in [0, 4) { "
                   "C[0, j] = (C[0, j] + (int32(A[0, t]) * int32(B[0, j, t]))) } }",
                   DType::UInt8, DType::Int8, kMixed, remarks),
            "for j in [0, 16) vectorized {\n"
            "  C[0, j] = dot(C[0, j], vload(A[0, 0], 4), vload(B[0, j, 0], 4))\n}\n");
  EXPECT_THAT(remarks, IsEmpty());
}

TEST(FormDots, OperandsComeInTheOrderOfTheInstruction) {
  Remarks remarks;
  EXPECT_THAT(
      formed(nest(kRows + "for t in [0, 4) {", kA, kB), DType::Int8, DType::UInt8, kMixed, remarks),
      HasSubstr("dot(C[i, j], vload(B[k, j, 0], 4), vload(A[i, (k * 4)], 4))"));
}

std::string formed_of_halves(const std::string& text, const VectorForms& forms, Remarks& remarks) {
  const ir::Scope halves = {{{"A", ir::make_buffer("A", DType::BFloat16, {64, 64})},
                             {"B", ir::make_buffer("B", DType::BFloat16, {16, 32, 2})},
                             {"H", ir::make_buffer("H", DType::Float16, {16, 32, 2})},
                             {"C", ir::make_buffer("C", DType::Float32, {64, 32})}},
                            {}};
  return to_string(form_dots(ir::parse_stmt(text, halves), forms, remarks));
}

const VectorForms kHalves{{},     "", VectorRest::Masked, {}, {{DType::BFloat16, DType::BFloat16}},
                          "panel"};

std::string of_halves(const std::string& terms, const std::string& b) {
  return "for j in [0, 16) vectorized { for t in [0, " + terms +
         ") { C[0, j] = (C[0, j] + (float32(A[0, t]) * float32(" + b + "[0, j, t]))) } }";
}

TEST(FormDots, PairsOfHalvesWhereTheyAreAllowed) {
  Remarks remarks;
  EXPECT_EQ(formed_of_halves(of_halves("2", "B"), kHalves, remarks),
            "for j in [0, 16) vectorized {\n"
            "  C[0, j] = dot(C[0, j], vload(A[0, 0], 2), vload(B[0, j, 0], 2))\n}\n");
  ASSERT_THAT(remarks, SizeIs(1));
  EXPECT_THAT(remarks[0].why, HasSubstr("(n + 2) 2^-24"));
  EXPECT_THAT(remarks[0].why, HasSubstr("max|A| + max|B|"));
}

TEST(FormDots, HalvesStayWhereNothingAllowsThem) {
  Remarks remarks;
  for (const VectorForms& forms : {kMixed, kSame}) {
    EXPECT_THAT(formed_of_halves(of_halves("2", "B"), forms, remarks), Not(HasSubstr("dot(")));
  }
  EXPECT_THAT(formed_of_halves(of_halves("2", "H"), kHalves, remarks), Not(HasSubstr("dot(")));
  EXPECT_THAT(remarks, IsEmpty());
}

/// What lies beside may be no number.
TEST(FormDots, PartsOfPairsOfHalvesStay) {
  Remarks remarks;
  EXPECT_THAT(formed_of_halves(of_halves("1", "B"), kHalves, remarks), Not(HasSubstr("dot(")));
  ASSERT_THAT(remarks, SizeIs(1));
  EXPECT_THAT(remarks[0].why, HasSubstr("do not fill a group of 2"));
}

TEST(FormDots, TheLoopOverTermsMayStandFurtherOut) {
  Remarks remarks;
  const std::string text =
      formed(nest("for t in [0, 4) unrolled { for i in [0, 8) { for j in [0, 32) vectorized {",
                  "A[i, t]", "B[0, j, t]"),
             DType::UInt8, DType::Int8, kMixed, remarks);
  EXPECT_EQ(text,
            "for i in [0, 8) {\n  for j in [0, 32) vectorized {\n"
            "    C[i, j] = dot(C[i, j], vload(A[i, 0], 4), vload(B[0, j, 0], 4))\n  }\n}\n");
}

TEST(FormDots, MoreThanFourTermsAreALoop) {
  Remarks remarks;
  const std::string text =
      formed(nest("for i in [0, 8) { for j in [0, 8) vectorized { for t in [8, 16) { ", "A[i, t]",
                  "A[(i + j), t]"),
             DType::Int8, DType::Int8, kSame, remarks);
  EXPECT_THAT(text, HasSubstr("int32"));  // rows of A are no groups of 4
  ASSERT_THAT(remarks, SizeIs(1));
  EXPECT_EQ(remarks[0].step, "dot(i)");
  EXPECT_THAT(remarks[0].why, HasSubstr("'A' do not lie side by side"));
  const ir::Scope flat{{{"A", ir::make_buffer("A", DType::Int8, {64})},
                        {"C", ir::make_buffer("C", DType::Int32, {16})}},
                       {}};
  EXPECT_EQ(
      to_string(form_dots(ir::parse_stmt("for j in [0, 8) vectorized { for t in [8, 16) { C[j] = "
                                         "(C[j] + (int32(A[t]) * int32(A[(t + (j * 4))]))) } }",
                                         flat),
                          kSame, remarks)),
      "for j in [0, 8) vectorized {\n  for t in [0, 2) {\n"
      "    C[j] = dot(C[j], vload(A[((t * 4) + 8)], 4), "
      "vload(A[(((t * 4) + 8) + (j * 4))], 4))\n  }\n}\n");
}

TEST(FormDots, ATurnedOperandAndItsExcessOutsideOfRows) {
  Remarks remarks;
  EXPECT_EQ(formed("for o in [0, 4) { for k in [0, 16) { for i in [0, 2) unrolled { "
                   "for j in [0, 32) vectorized { for t in [0, 4) { "
                   "C[((o * 2) + i), j] = (C[((o * 2) + i), j] + "
                   "(int32(A[((o * 2) + i), ((k * 4) + t)]) * int32(B[k, j, t]))) } } } } "
                   "C[o, 0] = 1i32 }",
                   DType::Int8, DType::Int8, kMixed, remarks),
            "allocate C_excess: int32[32] in panel {\n"
            "  for j in [0, 32) vectorized {\n"
            "    C_excess[j] = 0i32\n"
            "  }\n"
            "  for k in [0, 16) {\n"
            "    for j in [0, 32) vectorized {\n"
            "      C_excess[j] = dot(C_excess[j], broadcast(128u8, 4), vload(B[k, j, 0], 4))\n"
            "    }\n"
            "  }\n"
            "  for o in [0, 4) {\n"
            "    allocate A_turned: uint8[2, 64] in panel {\n"
            "      for i in [0, 2) {\n"
            "        for A_turned_byte in [0, 64) vectorized {\n"
            "          A_turned[i, A_turned_byte] = "
            "uint8((A[((o * 2) + i), A_turned_byte] ^ -128i8))\n"
            "        }\n"
            "      }\n"
            "      for k in [0, 16) {\n"
            "        for i in [0, 2) unrolled {\n"
            "          for j in [0, 32) vectorized {\n"
            "            C[((o * 2) + i), j] = dot(C[((o * 2) + i), j], "
            "vload(A_turned[i, (k * 4)], 4), vload(B[k, j, 0], 4))\n"
            "          }\n"
            "        }\n"
            "      }\n"
            "      for i in [0, 2) unrolled {\n"
            "        for j in [0, 32) vectorized {\n"
            "          C[((o * 2) + i), j] = (C[((o * 2) + i), j] - C_excess[j])\n"
            "        }\n"
            "      }\n"
            "      C[o, 0] = 1i32\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST(FormDots, OneCopyDoesForAllColumns) {
  Remarks remarks;
  const auto turned_at = [&](const std::string& inside) {
    const std::string text =
        formed("for c in [0, 2) { for o in [0, 4) { " + inside +
                   nest("for k in [0, 2) { for i in [0, 2) { for j in [0, 16) vectorized { "
                        "for t in [0, 4) { ",
                        "A[((o * 2) + i), ((k * 4) + t)]", "B[k, ((c * 16) + j), t]") +
                   (inside.empty() ? "" : " }") + " C[63, 0] = 0i32 } }",
               DType::Int8, DType::Int8, kMixed, remarks);
    const auto begin = text.find("allocate A_turned");
    const std::string before = begin < text.find("for c") ? "outside " : "inside ";
    return before + text.substr(begin, text.find(" in panel", begin) - begin);
  };
  EXPECT_EQ(turned_at(""), "outside allocate A_turned: uint8[4, 2, 8]");
  EXPECT_EQ(turned_at("if (n < o) { "), "inside allocate A_turned: uint8[2, 8]");
  EXPECT_THAT(remarks, IsEmpty());
}

TEST(FormDots, BytesAreTurnedInTheNestWhereACopyWouldBeLarge) {
  Remarks remarks;
  const ir::Scope large{{{"A", ir::make_buffer("A", DType::Int8, {2049, 128})},
                         {"B", ir::make_buffer("B", DType::Int8, {32, 32, 4})},
                         {"C", ir::make_buffer("C", DType::Int32, {2049, 32})}},
                        {}};
  const auto of_rows = [&](const std::string& rows) {
    const std::string text = "for i in [0, " + rows +
                             ") { for k in [0, 32) { for j in [0, 32) vectorized { "
                             "for t in [0, 4) { C[i, j] = (C[i, j] + "
                             "(int32(A[i, ((k * 4) + t)]) * int32(B[k, j, t]))) } } } }";
    return to_string(form_dots(ir::parse_stmt(text, large), kMixed, remarks));
  };
  EXPECT_THAT(of_rows("2048"), HasSubstr("allocate A_turned: uint8[2048, 128] in panel"));
  EXPECT_THAT(of_rows("2049"),
              HasSubstr("dot(C[i, j], uint8((vload(A[i, (k * 4)], 4) ^ broadcast(-128i8, 4)))"));
}

TEST(FormDots, FewerTermsAreAGroupInPart) {
  Remarks remarks;
  const std::string three = "for i in [0, 8) { for j in [0, 32) vectorized { for t in [0, 3) {";
  EXPECT_THAT(
      formed(nest(three, "A[i, t]", "B[0, j, t]"), DType::UInt8, DType::Int8, kMixed, remarks),
      HasSubstr("dot(C[i, j], vload(A[i, 0], 4, active 3), vload(B[0, j, 0], 4, active 3))"));
  const std::string one = "for i in [0, 8) { for j in [0, 32) vectorized {";
  const std::string text =
      formed(nest(one, "A[i, 9]", "B[2, j, 1]"), DType::Int8, DType::Int8, kMixed, remarks);
  EXPECT_THAT(text, HasSubstr("dot(C_excess[j], select((ramp(0, 1, 4) < broadcast(1, 4)), "
                              "broadcast(128u8, 4), broadcast(0u8, 4)), "
                              "vload(B[2, j, 1], 4, active 1))"));
  EXPECT_THAT(text, HasSubstr("uint8((vload(A[i, 9], 4, active 1) ^ select((ramp(0, 1, 4) < "
                              "broadcast(1, 4)), broadcast(-128i8, 4), broadcast(0i8, 4))))"));
  EXPECT_THAT(remarks, IsEmpty());
}

TEST(FormDots, AnUnsignedOperandIsTurnedToo) {
  Remarks remarks;
  const std::string text =
      formed(nest(kRows + "for t in [0, 4) {", kA, kB), DType::UInt8, DType::Int8, kSame, remarks);
  EXPECT_THAT(text, HasSubstr("A_turned[i, A_turned_byte] = (int8(A[i, A_turned_byte]) ^ -128i8)"));
  EXPECT_THAT(text, HasSubstr("dot(C_excess[j], broadcast(-128i8, 4), vload(B[k, j, 0], 4))"));
}

/// Where the excess is computed: the line before its allocation.
std::string line_before_excess(const std::string& text) {
  const auto at = text.find("allocate C_excess");
  if (at == std::string::npos) return "none";
  const auto end = text.rfind('\n', at);
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end - 1) + 1;
  return text.substr(text.find_first_not_of(' ', begin), end - text.find_first_not_of(' ', begin));
}

TEST(FormDots, TheExcessStaysInsideOfWhatItsOperandDependsOn) {
  Remarks remarks;
  const auto before = [&](const std::string& text) {
    return line_before_excess(formed(text, DType::Int8, DType::Int8, kMixed, remarks));
  };
  const std::string tail = "for k in [0, 2) { for j in [0, 32) vectorized { for t in [0, 4) {";
  const auto rows = [&](const std::string& a, const std::string& b) { return nest(tail, a, b); };
  const std::string other = " C[63, 0] = 0i32 }";
  EXPECT_EQ(before("for i in [0, 8) { " + rows("A[i, t]", "B[k, j, t]") + other), "");
  EXPECT_EQ(before("for i in [0, 8) { " + rows("A[i, t]", "B[(i + k), j, t]") + other),
            "for i in [0, 8) {");
  EXPECT_EQ(before("for i in [0, n) { " + rows("A[i, t]", "B[k, j, t]") + other),
            "for i in [0, n) {");
  EXPECT_EQ(before("for i in [0, 8) parallel { " + rows("A[i, t]", "B[k, j, t]") + other),
            "for i in [0, 8) parallel {");
  EXPECT_EQ(before("for i in [0, 8) { P[0, 0, 0] = 1i8 " + rows("A[i, t]", "P[k, j, t]") + "}"),
            "P[0, 0, 0] = 1i8");
  EXPECT_EQ(before("for i in [0, 8) { if (n < i) { " + rows("A[i, t]", "B[k, j, t]") + other + "}"),
            "if (n < i) {");
  EXPECT_THAT(remarks, IsEmpty());
}

TEST(FormDots, InsideOfTheVectorizedLoopTheExcessIsTakenOffAtOnce) {
  Remarks remarks;
  EXPECT_EQ(formed("for j in [0, 32) vectorized { C[0, j] = 0i32 "
                   "for t in [0, 4) { "
                   "C[0, j] = (C[0, j] + (int32(A[0, t]) * int32(B[0, j, t]))) } }",
                   DType::Int8, DType::Int8, kMixed, remarks),
            "for j in [0, 32) vectorized {\n  C[0, j] = 0i32\n"
            "  C[0, j] = dot((C[0, j] - dot(0i32, broadcast(128u8, 4), vload(B[0, j, 0], 4))), "
            "uint8((vload(A[0, 0], 4) ^ broadcast(-128i8, 4))), vload(B[0, j, 0], 4))\n}\n");
}

TEST(FormDots, SaysWhyProductsStay) {
  Remarks remarks;
  const auto why = [&](const std::string& text, const VectorForms& forms) {
    const ir::Stmt before = ir::parse_stmt(text, scope(DType::UInt8, DType::Int8));
    remarks.clear();
    EXPECT_TRUE(form_dots(before, forms, remarks).same_as(before));
    EXPECT_THAT(remarks, SizeIs(1));
    return remarks.empty() ? "" : remarks[0].why;
  };
  EXPECT_THAT(why(nest(kRows + "for t in [0, 4) {", kA, kB), {}),
              HasSubstr("no instruction that adds 4 products of uint8 and int8"));
  EXPECT_THAT(why(nest(kRows + "for t in [0, 6) {", kA, kB), kMixed),
              HasSubstr("loop 't' has not a multiple of 4 iterations"));
  EXPECT_THAT(why(nest(kRows + "for t in [0, n) {", kA, kB), kMixed),
              HasSubstr("loop 't' has not a multiple of 4 iterations"));
  EXPECT_THAT(why(nest(kRows + "for t in [0, 4) {", kA, "B[t, 0, j]"), kMixed),
              HasSubstr("the groups of 4 bytes of 'B' do not lie side by side"));
  EXPECT_THAT(why(nest(kRows + "for t in [0, 3) {", "A[0, ((j * 4) + t)]", kB), kMixed),
              HasSubstr("the last terms do not fill a group of 4"));
}

TEST(FormDots, OtherSumsStay) {
  Remarks remarks;
  for (const std::string& text : {
           std::string("for j in [0, 32) vectorized { C[0, j] = (C[0, j] + int32(B[0, j, 0])) }"),
           std::string("for j in [0, 32) { for t in [0, 4) { "
                       "C[0, j] = (C[0, j] + (int32(A[0, t]) * int32(B[0, j, t]))) } }"),
           std::string("for j in [0, 32) vectorized { for t in [0, 4) { "
                       "C[0, j] = (C[0, j] * (int32(A[0, t]) * int32(B[0, j, t]))) } }"),
       }) {
    const ir::Stmt before = ir::parse_stmt(text, scope(DType::UInt8, DType::Int8));
    EXPECT_TRUE(form_dots(before, kMixed, remarks).same_as(before)) << text;
  }
  EXPECT_THAT(remarks, IsEmpty());
}

}  // namespace
}  // namespace solway::lowering
