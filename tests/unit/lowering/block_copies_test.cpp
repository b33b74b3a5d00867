#include "lowering/block_copies.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

/// The pass applied to a kernel that copies X to rows XX of 5.
std::string applied(const std::string& body, const std::string& shape = "[20, 100, 5]") {
  ir::Kernel kernel = ir::parse_kernel("kernel k(in X: float32[100, 100], out XX: float32" + shape +
                                       ") {\n" + body + "}\n");
  kernel.body = block_copies(kernel.body);
  const std::string all = ir::to_string(kernel);
  const std::size_t begin = all.find('\n') + 1;
  return all.substr(begin, all.rfind("}\n") - begin);
}

constexpr const char* kScalars = R"(  for k in [0, 100) {
    for i in [0, 20) {
      XX[i, k, 0] = X[k, (i * 5)]
    }
  }
)";

TEST(BlockCopies, AsDocumented) {
  const std::string vectors = R"(  for k in [0, 96) {
    for i in [0, 20) {
      vstore(XX[i, k, 0], 16, active 5) = vload(X[k, (i * 5)], 16, active 5)
    }
  }
)";
  EXPECT_EQ(applied(vectors), R"(  for k_block in [0, 6) {
    for i in [0, 20) {
      for k in [0, 16) {
        vstore(XX[i, ((k_block * 16) + k), 0], 16, active 5) = vload(X[((k_block * 16) + k), (i * 5)], 16, active 5)
      }
    }
  }
)");
}

TEST(BlockCopies, TheRestIsALoopOfItsOwn) {
  EXPECT_EQ(applied(kScalars), R"(  for k_block in [0, 6) {
    for i in [0, 20) {
      for k in [0, 16) {
        XX[i, ((k_block * 16) + k), 0] = X[((k_block * 16) + k), (i * 5)]
      }
    }
  }
  for k in [96, 100) {
    for i in [0, 20) {
      XX[i, k, 0] = X[k, (i * 5)]
    }
  }
)");
}

TEST(BlockCopies, NotWherePlacesAreNearOrLoopsShort) {
  EXPECT_EQ(applied(kScalars, "[20, 100, 2]").find("k_block"), std::string::npos);  // 800 bytes
  std::string few = kScalars;
  few.replace(few.find("20)"), 3, "7)");
  EXPECT_EQ(applied(few), few);
  std::string little = kScalars;
  little.replace(little.find("100)"), 4, "31)");
  EXPECT_EQ(applied(little), little);
}

TEST(BlockCopies, NotOfWhatComputesOrRunsInAnotherOrder) {
  std::string sum = kScalars;
  sum.replace(sum.find("X[k, (i * 5)]"), 13, "(X[k, (i * 5)] + X[k, 0])");
  EXPECT_EQ(applied(sum), sum);
  std::string parallel = kScalars;
  parallel.insert(parallel.find(" {"), " parallel");
  EXPECT_EQ(applied(parallel), parallel);
  const std::string in_order = R"(  for i in [0, 20) {
    for k in [0, 100) {
      XX[i, k, 0] = X[k, (i * 5)]
    }
  }
)";
  EXPECT_EQ(applied(in_order), in_order);
}

}  // namespace
}  // namespace solway::lowering
