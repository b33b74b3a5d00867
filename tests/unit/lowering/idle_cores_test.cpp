#include "lowering/idle_cores.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

using ir::MeshLine;

const std::string kBody = R"(  for i in [0, 4) {
    allocate AA: float32[64] in ldm {
      allocate BB: float32[64] in ldm {
        BB[i] = 1.0f32
        if (i < 2) {
          exchange BB[0] column part i of 7 (32, 64)
          C[i] = BB[i]
        } else {
          exchange AA[0] row part i of 8 (8, 64)
        }
      }
    }
  }
)";

ir::Stmt parsed(const std::string& body) {
  return ir::parse_kernel("kernel k(out C: float32[64]) {\n" + body + "}\n").body;
}

std::string text(const ir::Stmt& s) {
  ir::Kernel kernel = ir::parse_kernel("kernel k(out C: float32[64]) {\n" + kBody + "}\n");
  kernel.body = s;
  const std::string all = ir::to_string(kernel);
  return all.substr(all.find('\n') + 1);
}

TEST(IdleCores, ExchangesOfALineAreFound) {
  const ir::Stmt body = parsed(kBody);
  EXPECT_TRUE(has_exchanges(body, MeshLine::Row));
  EXPECT_TRUE(has_exchanges(body, MeshLine::Column));
  EXPECT_FALSE(has_exchanges(parsed("  C[0] = 1.0f32\n"), MeshLine::Row));
}

TEST(IdleCores, AllCoresOfALineHaveAPart) {
  const ir::Stmt body = parsed(kBody);
  const std::string all = text(along_all_cores(body, MeshLine::Column, 8));
  EXPECT_NE(all.find("exchange BB[0] column part i of 8 (32, 64)"), std::string::npos) << all;
  EXPECT_NE(all.find("exchange AA[0] row part i of 8 (8, 64)"), std::string::npos) << all;
  EXPECT_TRUE(along_all_cores(parsed("  C[0] = 1.0f32\n"), MeshLine::Row, 8).defined());
}

TEST(IdleCores, WhatIsAroundAnExchangeStays) {
  const ir::Stmt all = along_all_cores(parsed(kBody), MeshLine::Column, 8);
  EXPECT_EQ(text(exchanges_alone(all, MeshLine::Column, 7)), R"(  for i in [0, 4) {
    allocate BB: float32[64] in ldm {
      if (i < 2) {
        exchange BB[0] column part 7 of 8 (32, 64)
      }
    }
  }
}
)");
}

TEST(IdleCores, AnElseWithoutItsThen) {
  EXPECT_EQ(text(exchanges_alone(parsed(kBody), MeshLine::Row, 7)), R"(  for i in [0, 4) {
    allocate AA: float32[64] in ldm {
      if (i < 2) {
      } else {
        exchange AA[0] row part 7 of 8 (8, 64)
      }
    }
  }
}
)");
}

}  // namespace
}  // namespace solway::lowering
