#include "lowering/share_copies.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

/// The pass applied to a kernel that passes B on to C in buffer BB of 24 x 4 elements.
std::string applied(const std::string& body) {
  ir::Kernel kernel = ir::parse_kernel(R"(kernel k(in B: float32[24, 4], out C: float32[24, 4]) {
  allocate BB: float32[24, 4] in shared {
)" + body + "  }\n}\n");
  kernel.body = share_copies(kernel.body);
  const std::string all = ir::to_string(kernel);
  const std::string head = "in shared {\n";
  const std::size_t begin = all.find(head) + head.size();
  return all.substr(begin, all.rfind("  }\n}\n") - begin);
}

/// The text with a parallel loop in place of the first one that ends so.
std::string shared_out(std::string text, const std::string& end) {
  text.insert(text.find(end) + end.size() - 2, " parallel");
  return text;
}

constexpr const char* kReader = R"(    barrier
    for y in [0, 24) parallel {
      C[y, 0] = BB[y, 0]
    }
)";

TEST(ShareCopies, AsDocumented) {
  const std::string copy = R"(    for i in [0, 24) {
      for j in [0, 4) {
        BB[i, j] = B[i, j]
      }
    }
)";
  EXPECT_EQ(applied(copy + kReader), shared_out(copy, "24) {") + kReader);
}

TEST(ShareCopies, TakeTheLoopWithEnoughIterations) {
  const std::string copy = R"(    for j in [0, 4) {
      for i in [0, 24) {
        BB[i, j] = B[i, j]
      }
    }
)";
  EXPECT_EQ(applied(copy + kReader), shared_out(copy, "24) {") + kReader);
}

TEST(ShareCopies, TakeTheLoopWithMostIterationsWhereNoneHasEnough) {
  const std::string copy = R"(    for a in [0, 2) {
      for b in [0, 12) {
        for j in [0, 4) {
          BB[((a * 12) + b), j] = B[((a * 12) + b), j]
        }
      }
    }
)";
  EXPECT_EQ(applied(copy + kReader), shared_out(copy, "12) {") + kReader);
}

/// What else is done in a loop is for the thread that does it.
TEST(ShareCopies, LeaveWhatWritesMore) {
  const std::string mixed = R"(    for i in [0, 24) {
      BB[i, 0] = B[i, 0]
      C[i, 1] = B[i, 1]
    }
)";
  EXPECT_EQ(applied(mixed + kReader), mixed + kReader);
}

TEST(ShareCopies, LeaveACopyThatOneThreadReads) {
  const std::string alone = R"(    for r in [0, 2) {
      for i in [0, 24) {
        BB[i, 0] = B[i, 0]
      }
      C[r, 2] = BB[0, 0]
    }
)";
  EXPECT_EQ(applied(alone + kReader), alone + kReader);
  const std::string whole = R"(    for i in [0, 24) {
      BB[i, 0] = B[i, 0]
    }
    C[0, 2] = BB[0, 0]
)";
  EXPECT_EQ(applied(whole), whole);
}

TEST(ShareCopies, InALoopOfAllThreads) {
  const std::string before = R"(    for r in [0, 2) {
      for i in [0, 24) {
        BB[i, 0] = B[i, 0]
      }
      barrier
      for y in [0, 24) parallel {
        C[y, r] = BB[y, 0]
      }
      barrier
    }
)";
  EXPECT_EQ(applied(before), shared_out(before, "24) {"));
}

}  // namespace
}  // namespace solway::lowering
