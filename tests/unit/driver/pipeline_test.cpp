#include "driver/pipeline.h"

#include <cmath>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/llvm/jit.h"
#include "driver/build.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"
#include "lowering/lower.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"
#include "support/error.h"

#include "tests/unit/lowering/buffered.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kKernel =
    "kernel k(in A: float32[32], out C: float32[32]) {\n"
    "  for i in [0, 1) {\n"
    "    for j in [0, 32) vectorized {\n"
    "      C[((i * 32) + j)] = (A[j] * 2.0f32)\n"
    "    }\n  }\n}\n";

std::string after_passes(const std::string& target, Remarks& remarks) {
  const Target machine = load_target(target, {"user.py", 1, ""});
  return ir::to_string(run_passes(ir::parse_kernel(kKernel), passes_for(machine), remarks));
}

TEST(Pipeline, MakesVectorsOfTheTargetsLanes) {
  Remarks remarks;
  const std::string text = after_passes("x86-64-v4", remarks);
  EXPECT_THAT(text, HasSubstr("vstore(C[0], 16)"));
  EXPECT_THAT(text, HasSubstr("vstore(C[16], 16)"));
  EXPECT_THAT(text, Not(HasSubstr("for ")));
}

TEST(Pipeline, KeepsLoopsForTheCCompiler) {
  Remarks remarks;
  const std::string text = after_passes("c", remarks);
  EXPECT_THAT(text, HasSubstr("for j in [0, 32) vectorized"));
  EXPECT_THAT(text, Not(HasSubstr("for i ")));
  EXPECT_TRUE(remarks.empty());
}

TEST(Pipeline, MakesVectorsOfTheCores) {
  Remarks remarks;
  EXPECT_THAT(after_passes("sw26010", remarks), HasSubstr("vstore(C[((j_vec * 16) + 4)], 4)"));
  EXPECT_THAT(after_passes("sw26010pro", remarks), HasSubstr("vstore(C[8], 8)"));
  EXPECT_TRUE(remarks.empty());
}

TEST(Pipeline, KeepsLoopsForCoresWithoutVectors) {
  Remarks remarks;
  EXPECT_THAT(after_passes("example-cluster", remarks), HasSubstr("for j in [0, 32) {"));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].step, "vectorize(j)");
  EXPECT_THAT(remarks[0].why, HasSubstr("plain C"));
}

TEST(Pipeline, KeepsInRegistersWhatALoopAddsTo) {
  Remarks remarks;
  const ir::Kernel kernel = ir::parse_kernel(
      "kernel k(in A: float32[32], out C: float32[1]) {\n"
      "  for i in [0, 1) parallel {\n"
      "    allocate CC: float32[1] in ldm {\n"
      "      CC[0] = 0.0f32\n"
      "      for j in [0, 32) { CC[0] = (CC[0] + A[j]) }\n"
      "      C[0] = CC[0]\n"
      "    }\n  }\n}\n");
  const auto after = [&](const std::string& target) {
    const Target machine = load_target(target, {"user.py", 1, ""});
    return ir::to_string(run_passes(kernel, passes_for(machine), remarks));
  };
  EXPECT_THAT(after("sw26010"), HasSubstr("CC_kept[0] = (CC_kept[0] + A[j])"));
  EXPECT_THAT(after("x86-64-v4"), HasSubstr("CC_kept[0] = (CC_kept[0] + A[j])"));
  EXPECT_THAT(after("c"), HasSubstr("CC[0] = (CC[0] + A[j])"));
}

constexpr const char* kTransfer =
    "kernel k(in A: float32[100], out C: float32[100]) {\n"
    "  allocate AA: float32[32] in panel {\n"
    "    for i in [0, 4) {\n"
    "      issue AA get A[(i * 32)] -> AA[0] (min(32, (100 - (i * 32))), 1, 1)\n"
    "      wait AA\n"
    "      for j in [0, min(32, (100 - (i * 32)))) {\n"
    "        C[((i * 32) + j)] = AA[j]\n"
    "      }\n    }\n  }\n}\n";

std::string transfer_after(const std::string& target, Transfers transfers) {
  Remarks remarks;
  const Target machine = load_target(target, {"user.py", 1, ""});
  return ir::to_string(
      run_passes(ir::parse_kernel(kTransfer), passes_for(machine, transfers), remarks));
}

TEST(Pipeline, CopiesOnHostWithVectorsAndAPeeledTail) {
  const std::string text = transfer_after("x86-64-v4", Transfers::AsLoops);
  EXPECT_THAT(text, Not(HasSubstr("issue")));
  EXPECT_THAT(text, HasSubstr("for i in [0, 3)"));
  EXPECT_THAT(text, HasSubstr("vstore(AA[16], 16) = vload(A[((i * 32) + 16)], 16)"));
  EXPECT_THAT(text, HasSubstr("vstore(AA[0], 16, active 4) = vload(A[96], 16, active 4)"));
}

TEST(Pipeline, CopiesInCWithLoops) {
  const std::string text = transfer_after("c", Transfers::AsLoops);
  EXPECT_THAT(text, Not(HasSubstr("issue")));
  EXPECT_THAT(text, HasSubstr("AA[AA_0] = A[((i * 32) + AA_0)]"));
}

TEST(Pipeline, KeepsTransfersInFlight) {
  for (const char* target : {"x86-64-v4", "c", "sw26010"}) {
    const std::string text = transfer_after(target, Transfers::InFlight);
    EXPECT_THAT(text, HasSubstr("issue AA get")) << target;
    EXPECT_THAT(text, HasSubstr("wait AA")) << target;
  }
}

TEST(Pipeline, VerifiesAfterEachPass) {
  const Pass breaks = {
      "breaks",
      [](const ir::Stmt&, Remarks&) {
        return ir::parse_kernel("kernel k(out D: float32[1]) { D[0] = 1.0f32 }").body;
      },
      ir::Stage::AfterLowering, ""};
  Remarks remarks;
  EXPECT_THROW(run_passes(ir::parse_kernel(kKernel), {breaks}, remarks), InternalError);
}

std::string printed(const std::string& target, const PassOptions& options) {
  Remarks remarks;
  const Target machine = load_target(target, {"user.py", 1, ""});
  testing::internal::CaptureStderr();
  run_passes(ir::parse_kernel(kKernel), passes_for(machine), remarks, options);
  return testing::internal::GetCapturedStderr();
}

TEST(Pipeline, PrintsNothingUnasked) { EXPECT_EQ(printed("c", {}), ""); }

TEST(Pipeline, PrintsTheLoopIrAfterAPass) {
  const std::string text = printed("c", {{"remove_unit_loops"}, "", false});
  EXPECT_THAT(text, StartsWith("// after remove_unit_loops\nkernel k("));
  EXPECT_THAT(text, HasSubstr("for j in"));
  EXPECT_THAT(text, Not(HasSubstr("for i in")));
}

TEST(Pipeline, SaysWhenAPassChangesNothing) {
  EXPECT_EQ(printed("c", {{"simplify_bounds"}, "", false}),
            "// after simplify_bounds\n(unchanged)\n");
}

TEST(Pipeline, PrintsAllFromLoweringOn) {
  const std::string text = printed("c", {{"all"}, "", false});
  EXPECT_THAT(text, StartsWith("// after lower\n" + std::string(kKernel)));
  EXPECT_THAT(text, HasSubstr("// after simplify\n"));
}

TEST(Pipeline, StopsAfterAPass) {
  const std::string text = printed("x86-64-v4", {{"all"}, "simplify_bounds", false});
  EXPECT_THAT(text, HasSubstr("// after simplify_bounds\n"));
  EXPECT_THAT(text, Not(HasSubstr("// after vectorize_loops\n")));
}

TEST(Pipeline, PrintsTimings) {
  const std::string text = printed("c", {{}, "", true});
  EXPECT_THAT(text, StartsWith("solway: peel_pipelines: "));
  EXPECT_THAT(text, HasSubstr(" ms\nsolway: remove_unit_loops: "));
}

TEST(Pipeline, ListsThePassesWhenItDoesNotKnowOne) {
  const std::vector<Pass> passes = passes_for(load_target("c", {"user.py", 1, ""}));
  for (const PassOptions& options :
       {PassOptions{{"inline"}, "", false}, PassOptions{{}, "inline", false}}) {
    try {
      require_known(passes, options, {"user.py", 7, ""});
      FAIL() << "expected UnsupportedError";
    } catch (const UnsupportedError& e) {
      EXPECT_EQ(e.report().where.line, 7);
      EXPECT_THAT(e.what(), HasSubstr("there is no pass 'inline' for this target"));
      EXPECT_THAT(e.report().why, HasSubstr("the passes are, in order: lower, "));
      EXPECT_THAT(e.report().why, HasSubstr(", simplify"));
    }
  }
  EXPECT_NO_THROW(require_known(passes, {{"lower", "all"}, "simplify", false}, {}));
}

// Schedules with transfers through the passes and the code generators of this machine.

using lowering::testing::Figure2;

constexpr std::int64_t kColumns = 200;  // one tile of 128 and a part of one
constexpr std::int64_t kDepth = 128;

/// A, B and C of the product, with small integers, so that results are exact.
struct Arrays {
  std::vector<float> a, b, c, expected;

  Arrays() : a(kDepth), b(kDepth * kColumns), c(kColumns, -1.0F), expected(kColumns, 0.0F) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<float>(k % 7) - 3.0F;
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<float>(k % 5) - 2.0F;
    for (std::int64_t k = 0; k < kDepth; ++k) {
      for (std::int64_t y = 0; y < kColumns; ++y) {
        expected[static_cast<std::size_t>(y)] +=
            a[static_cast<std::size_t>(k)] * b[static_cast<std::size_t>(k * kColumns + y)];
      }
    }
  }

  std::vector<void*> pointers() { return {a.data(), b.data(), c.data()}; }
};

Figure2 buffered() {
  Figure2 f(1, kColumns, kDepth);
  f.buffer_all();
  return f;
}

TEST(Transfers, RunAsCopiesOrInFlight) {
  const Figure2 f = buffered();
  for (const char* target : {"host", "c"}) {
    for (const bool poison : {false, true}) {
      BuildOptions options;
      options.target = target;
      options.poison_transfers = poison;
      const CompiledKernel kernel = build(f.state, {f.a, f.b, f.c}, options, samples::at(9));
      const std::string text = ir::to_string(kernel.kernel());
      if (poison) {
        EXPECT_THAT(text, HasSubstr("issue BB_get")) << target;
      } else {
        EXPECT_THAT(text, Not(HasSubstr("issue"))) << target;
      }
      Arrays arrays;
      std::vector<void*> pointers = arrays.pointers();
      EXPECT_EQ(kernel.run(pointers).status, 0);
      EXPECT_EQ(arrays.c, arrays.expected) << target << " " << poison;
    }
  }
}

/// Lets the data of one transfer arrive behind the loops that read them.
class WaitMover final : public ir::Mutator {
 public:
  explicit WaitMover(std::string id) : id_(std::move(id)) {}

 private:
  ir::Stmt rewrite(const ir::Block& s, const ir::Stmt& self) override {
    std::vector<ir::Stmt> kept;
    std::vector<ir::Stmt> waits;
    for (const ir::Stmt& child : s.stmts) {
      const auto* wait = child.as_or_null<ir::TransferWait>();
      const bool is_late = wait != nullptr && wait->id == id_;
      (is_late ? waits : kept).push_back(is_late ? child : mutate(child));
    }
    if (waits.empty() && kept.size() == s.stmts.size()) {
      return ir::Mutator::rewrite(s, self);
    }
    kept.insert(kept.end(), waits.begin(), waits.end());
    return ir::Block::make(std::move(kept), s.where);
  }

  std::string id_;
};

TEST(Transfers, PoisonShowsAReadBeforeTheWait) {
  const Figure2 f = buffered();
  ir::Kernel kernel = lowering::lower(f.state, {f.a, f.b, f.c}, "k", {}).kernel;
  Remarks remarks;
  kernel = run_passes(std::move(kernel), passes_for(load_target("x86-64-v3", {})), remarks);
  kernel.body = WaitMover("AA_get")(kernel.body);
  codegen::LlvmOptions options;
  options.poison_transfers = true;
  Arrays arrays;
  std::vector<void*> pointers = arrays.pointers();
  const codegen::JitKernel code = codegen::JitKernel::compile(kernel, options);
  EXPECT_EQ(code.entry()(pointers.data()), 0);
  for (const float value : arrays.c) EXPECT_TRUE(std::isnan(value));
}

TEST(Transfers, KeepTilesOfCInRegisters) {
  Figure2 f(8, 256, 64);
  f.state = schedule::make_state({f.c}, samples::at(5));
  const auto loops = f.state.stage_loops.at("C");
  const auto x = schedule::split(f.state, "C", loops[0], 3, samples::at(6));
  const auto y = schedule::split(x.state, "C", loops[1], 32, samples::at(6));
  f.state = schedule::reorder(y.state, "C", {y.outer, x.outer, loops[2], x.inner, y.inner},
                              samples::at(7));
  f.state = schedule::unroll(f.state, "C", x.inner, samples::at(8));
  f.state = schedule::vectorize(f.state, "C", y.inner, samples::at(8));
  f.write(x.outer, {x.inner, y.inner}, "register");
  const CompiledKernel kernel = build(f.state, {f.a, f.b, f.c}, {}, samples::at(9));
  // Eight rows are two tiles of three and one of two: no loop over the rows is left, and neither is
  // memory for the tile.
  EXPECT_THAT(ir::to_string(kernel.kernel()), Not(HasSubstr("for x_i")));
  EXPECT_TRUE(kernel.remarks().empty());
  for (const auto& [name, text] : kernel.sources()) {
    if (name.ends_with(".ll")) {
      EXPECT_THAT(text, Not(HasSubstr("alloca")));
    }
  }
}

TEST(Transfers, SayWhenATileStaysInMemory) {
  Figure2 f(1, 128, 64);
  f.write(f.yo, {f.yi}, "register");
  const CompiledKernel kernel = build(f.state, {f.a, f.b, f.c}, {}, samples::at(10));
  ASSERT_EQ(kernel.remarks().size(), 1U);
  EXPECT_EQ(kernel.remarks()[0].step, "scope register of CC");
  EXPECT_THAT(kernel.remarks()[0].why, HasSubstr("its index y.i is no constant"));
  EXPECT_EQ(kernel.remarks()[0].where.line, 9);
}

}  // namespace
}  // namespace solway::driver
