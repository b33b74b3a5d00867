#include "emulator/worker/register_mesh.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

constexpr auto kRow = RegisterLine::Row;
constexpr auto kColumn = RegisterLine::Column;
constexpr RegisterMesh::CpeBits kCpe1 = 1 << 1;
constexpr RegisterMesh::CpeBits kCpe2 = 1 << 2;

RegisterMessage message(std::uint64_t value) {
  RegisterMessage out;
  out.value = {value, 0, 0, 0};
  return out;
}

/// The first word of the oldest message; -1: there is none.
int taken(RegisterMesh& mesh, int cpe, RegisterLine line) {
  const auto out = mesh.take(cpe, line);
  return out ? static_cast<int>(out->value[0]) : -1;
}

TEST(RegisterMesh, MessagesComeInTheOrderInWhichTheyWereSent) {
  RegisterMesh mesh(4, 4);
  for (std::uint64_t k = 1; k <= 3; ++k) mesh.send(0, kRow, kCpe2, message(k));
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(taken(mesh, 2, kRow), k);
  EXPECT_EQ(taken(mesh, 2, kRow), -1);
}

TEST(RegisterMesh, RowsAndColumnsHaveBuffersOfTheirOwn) {
  RegisterMesh mesh(4, 4);
  mesh.send(0, kRow, kCpe1, message(5));
  mesh.send(0, kColumn, kCpe1, message(6));
  EXPECT_EQ(taken(mesh, 1, kColumn), 6);
  EXPECT_EQ(taken(mesh, 1, kColumn), -1);
  EXPECT_EQ(taken(mesh, 1, kRow), 5);
}

TEST(RegisterMesh, ASenderIsHeldUpByFullBuffersOnBothSides) {
  RegisterMesh mesh(2, 2);
  for (std::uint64_t k = 0; k < 4; ++k) {
    ASSERT_TRUE(mesh.can_send(0, kRow)) << k;
    mesh.send(0, kRow, kCpe1, message(k));
  }
  EXPECT_FALSE(mesh.can_send(0, kRow));
  EXPECT_TRUE(mesh.can_send(0, kColumn));
  EXPECT_EQ(taken(mesh, 1, kRow), 0);
  EXPECT_FALSE(mesh.can_send(0, kRow));
  mesh.deliver(0, kRow);
  EXPECT_TRUE(mesh.can_send(0, kRow));
  for (int k = 1; k < 4; ++k) {
    EXPECT_EQ(taken(mesh, 1, kRow), k);
    mesh.deliver(0, kRow);
  }
}

TEST(RegisterMesh, ABroadcastWaitsForRoomWithEveryReceiver) {
  RegisterMesh mesh(3, 1);
  mesh.send(1, kRow, kCpe2, message(1));
  mesh.send(0, kRow, kCpe1 | kCpe2, message(2));
  EXPECT_EQ(mesh.left_over(1), nullptr);
  EXPECT_EQ(taken(mesh, 2, kRow), 1);
  mesh.deliver(0, kRow);
  EXPECT_EQ(taken(mesh, 1, kRow), 2);
  EXPECT_EQ(taken(mesh, 2, kRow), 2);
}

TEST(RegisterMesh, KnowsWhoseMessagesWait) {
  RegisterMesh mesh(3, 1);
  mesh.send(0, kRow, kCpe1, message(1));
  EXPECT_EQ(mesh.senders(kRow), 0U);
  mesh.send(2, kRow, kCpe1, message(2));
  EXPECT_EQ(mesh.senders(kRow), kCpe2);
  EXPECT_EQ(mesh.senders(kColumn), 0U);
  EXPECT_EQ(taken(mesh, 1, kRow), 1);
  mesh.deliver(2, kRow);
  EXPECT_EQ(mesh.senders(kRow), 0U);
}

TEST(RegisterMesh, TellsWhatNobodyTook) {
  RegisterMesh mesh(2, 4);
  EXPECT_EQ(mesh.left_over(1), nullptr);
  mesh.send(0, kColumn, kCpe1, message(9));
  ASSERT_NE(mesh.left_over(1), nullptr);
  EXPECT_EQ(mesh.left_over(1)->value[0], 9U);
  EXPECT_EQ(mesh.left_over(0), nullptr);
}

}  // namespace
}  // namespace solway::emulator
