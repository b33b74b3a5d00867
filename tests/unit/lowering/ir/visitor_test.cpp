#include "lowering/ir/visitor.h"

#include <string>

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"

namespace solway::ir {
namespace {

class VarNames final : public Visitor {
 public:
  std::string names;

 private:
  void visit(const Var& e) override { names += e.name + " "; }
};

TEST(Visitor, WalksInProgramOrder) {
  const Kernel k = parse_kernel(R"(kernel k(in A: float32[8], out C: float32[8]) {
    for i in [0, 8) {
      for j in [i, 8) {
        allocate B: float32[8] in ldm {
          issue t get A[i] -> B[j] (i, 1, 1) slot j of 8
          wait t slot j
          let x = B[j] { C[i] = select((i < j), x, reduce_max(vload(A[0], 8, active i))) }
        }
      }
    }
  })");
  VarNames v;
  v.walk(k.body);
  EXPECT_EQ(v.names, "i i j i j j j i i j x i ");
}

TEST(Visitor, SkipsTheUndefined) {
  VarNames v;
  v.walk(Stmt());
  v.walk(Expr());
  EXPECT_EQ(v.names, "");
}

}  // namespace
}  // namespace solway::ir
