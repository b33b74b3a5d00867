#include "codegen/c/transfers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::codegen::c99 {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const kTwoSlots = R"(kernel k(in A: float32[8, 8]) {
  allocate B: float32[2, 8] in ldm {
    issue B get A[0, 0] -> B[0, 0] (4, 8, 1) (2, 1, 4) slot 0 of 2
    wait B slot 0
  }
})";

TEST(Transfers, TableHoldsSlotsAndRank) {
  const TransferTable table(ir::parse_kernel(kTwoSlots));
  EXPECT_EQ(table.slots_of.at("B"), 2);
  EXPECT_EQ(table.rank, 2);
  EXPECT_TRUE(TransferTable(ir::parse_kernel("kernel k() { }")).empty());
}

TEST(Transfers, PoisonOnlyWhenAsked) {
  const TransferTable table(ir::parse_kernel(kTwoSlots));
  EXPECT_THAT(transfer_definitions(table, false), Not(HasSubstr("sw_poison")));
  EXPECT_THAT(transfer_definitions(table, true), HasSubstr("sw_poison"));
  EXPECT_THAT(transfer_definitions(table, false), HasSubstr("int64_t count[2];"));
}

}  // namespace
}  // namespace solway::codegen::c99
