#include "lowering/report_registers.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::lowering {
namespace {

Remarks remarks_of(const std::string& body) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {64});
  const ir::Stmt s = ir::parse_stmt("allocate R: float32[64] in register { " + body + " }", scope);
  Remarks remarks;
  EXPECT_TRUE(report_registers(s, remarks).same_as(s));
  return remarks;
}

TEST(ReportRegisters, NamesAnIndexThatALoopChanges) {
  const Remarks remarks = remarks_of(
      "for i in [0, 8) { R[i] = A[i] A[i] = R[i] vstore(R[(i * 8)], 8) = vload(A[0], 8) }");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "scope register of R");
  EXPECT_EQ(remarks[0].verdict, "stays in memory");
  EXPECT_EQ(remarks[0].why, "its index i is no constant: unroll or vectorize the loop");
}

TEST(ReportRegisters, NamesATransfer) {
  const Remarks remarks = remarks_of("issue T get A[0] -> R[0] (64, 1, 1) wait T");
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].why, "transfer 'T' needs its address");
}

TEST(ReportRegisters, SaysNothingOfRegisters) {
  EXPECT_TRUE(
      remarks_of("for i in [0, 8) { R[3] = A[i] vstore(R[8], 8) = vload(A[i], 8) }").empty());
}

}  // namespace
}  // namespace solway::lowering
