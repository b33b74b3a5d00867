#include "lowering/ir/mutator.h"

#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::ir {
namespace {

constexpr const char* kEveryNode = R"(kernel k(in A: float32[8, 8], out C: float32[8, 8]) {
  barrier
  for i in [0, 8) parallel {
    allocate AA: float32[8] in ldm align 64 {
      issue AA get A[i, 0] -> AA[0] (8, 1, 1) slot (i % 2) of 2 in units of 4
      wait AA slot (i % 2)
      let t = select((i < 4), AA[i], float32(neg(i))) {
        if (i == 1) {
          C[i, i] = t
        } else {
          vstore(C[i, 0], 8, active i) = (vload(AA[0], 8, active i) + broadcast(t, 8))
          C[i, 1] = reduce_sum(float32(ramp(i, 1, 8)))
        }
      }
    }
  }
}
)";

class Nothing final : public Mutator {};

class Renamer final : public Mutator {
  Expr rewrite(const Var& e, const Expr& self) override {
    return e.name == "i" ? Var::make("ii", e.type) : self;
  }
};

TEST(Mutator, KeepsIdentityOfEveryNode) {
  const Kernel k = parse_kernel(kEveryNode);
  EXPECT_TRUE(Nothing()(k.body).same_as(k.body));
}

TEST(Mutator, ReachesEveryChild) {
  const std::string out = to_string(Renamer()(parse_kernel(kEveryNode).body));
  const std::string before = to_string(parse_kernel(kEveryNode).body);
  const auto count = [](const std::string& text, const std::string& what) {
    int n = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(out, "(i "), 0) << out;
  EXPECT_EQ(count(out, "[i,"), 0) << out;
  EXPECT_EQ(count(out, "(i,"), 0) << out;
  EXPECT_EQ(count(out, "active i)"), 0) << out;
  EXPECT_EQ(count(out, "ii"), 14) << out;
  EXPECT_EQ(count(before, "ii"), 0);
}

TEST(Mutator, LeavesTheUndefinedUndefined) {
  EXPECT_FALSE(Nothing()(Expr()).defined());
  EXPECT_FALSE(Nothing()(Stmt()).defined());
}

}  // namespace
}  // namespace solway::ir
