#include "lowering/peel_pipelines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowering/ir/parser.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

using ::testing::HasSubstr;

constexpr PeelCosts kCosts{3, 100, 128, 16384, 64};

ir::Stmt parsed(const std::string& text) {
  ir::Scope scope;
  scope.buffers["A"] = ir::make_buffer("A", DType::Float32, {1024}, "main");
  scope.buffers["AA"] = ir::make_buffer("AA", DType::Float32, {2, 64}, "ldm");
  scope.vars["n"] = ir::kInt64;
  return ir::parse_stmt(text, scope);
}

/// A loop over tiles of A, the next one on its way, in `around`.
std::string pipeline(const std::string& end, const std::string& body = "") {
  return "for ko in [0, " + end +
         ") {\n"
         "  if ((ko + 1) < " +
         end +
         ") {\n"
         "    issue AA_get get A[((ko * 64) + 64)] -> AA[((ko + 1) % 2), 0] (64, 1, 1) slot "
         "((ko + 1) % 2) of 2\n"
         "  }\n"
         "  wait AA_get slot (ko % 2)\n" +
         body + "}\n";
}

struct Peeled {
  std::string text;
  std::vector<PeelChoice> choices;
  bool is_same = false;
};

Peeled peeled(const std::string& text, PipelineForm form,
              const std::optional<PeelCosts>& costs = kCosts) {
  Peeled out;
  const ir::Stmt before = parsed(text);
  const ir::Stmt after = peel_pipelines(before, form, costs, out.choices);
  out.text = ir::to_string(after);
  out.is_same = after.same_as(before);
  return out;
}

TEST(PeelPipelines, CutsTheLastIterationOff) {
  const Peeled made = peeled(pipeline("16"), PipelineForm::Peeled);
  EXPECT_EQ(made.text,
            "for ko in [0, 15) {\n"
            "  issue AA_get get A[((ko * 64) + 64)] -> AA[((ko + 1) % 2), 0] (64, 1, 1) slot "
            "((ko + 1) % 2) of 2\n"
            "  wait AA_get slot (ko % 2)\n"
            "}\n"
            "wait AA_get slot 1\n");
  ASSERT_EQ(made.choices.size(), 1U);
  EXPECT_TRUE(made.choices[0].is_peeled);
}

TEST(PeelPipelines, CutsTheFirstIterationOffForLateWaits) {
  const Peeled made = peeled(
      "for ko in [0, 8) {\n"
      "  issue AA_put put AA[(ko % 2), 0] -> A[(ko * 64)] (64, 1, 1) slot (ko % 2) of 2\n"
      "  if (ko >= 1) {\n    wait AA_put slot ((ko + 1) % 2)\n  }\n}\n",
      PipelineForm::Peeled);
  EXPECT_EQ(made.text,
            "issue AA_put put AA[0, 0] -> A[0] (64, 1, 1) slot 0 of 2\n"
            "for ko in [1, 8) {\n"
            "  issue AA_put put AA[(ko % 2), 0] -> A[(ko * 64)] (64, 1, 1) slot (ko % 2) of 2\n"
            "  wait AA_put slot ((ko + 1) % 2)\n"
            "}\n");
}

TEST(PeelPipelines, KeepsConditionsThatCostLess) {
  const std::string used = "  for k in [0, 64) unrolled {\n    AA[(ko % 2), k] = 0.0f32\n  }\n";
  const Peeled made = peeled(pipeline("16", used), PipelineForm::ByCost);
  EXPECT_TRUE(made.is_same);
  ASSERT_EQ(made.choices.size(), 1U);
  EXPECT_FALSE(made.choices[0].is_peeled);
  EXPECT_EQ(made.choices[0].guarded_cycles, 16 * 3);
  EXPECT_GT(made.choices[0].peeled_cycles, 100);  // 64 stores have more than a line
}

TEST(PeelPipelines, PeelsWhatRunsOften) {
  const std::string around = "for jo in [0, 640) parallel {\n" + pipeline("16") + "}\n";
  const Peeled made = peeled(around, PipelineForm::ByCost);
  EXPECT_THAT(made.text, HasSubstr("for ko in [0, 15)"));
  ASSERT_EQ(made.choices.size(), 1U);
  EXPECT_EQ(made.choices[0].guarded_cycles, 10 * 16 * 3);  // a tenth of 640 for each of 64 cores
}

TEST(PeelPipelines, KeepsWhatTheCacheHasNoRoomFor) {
  PeelCosts costs = kCosts;
  costs.cache_bytes = 64;
  const std::string around = "for jo in [0, 640) {\n" + pipeline("16") + "}\n";
  const Peeled made = peeled(around, PipelineForm::ByCost, costs);
  EXPECT_TRUE(made.is_same);
  EXPECT_THAT(made.choices.at(0).why_not, HasSubstr("no room in the instruction cache of 64"));
  EXPECT_LT(made.choices.at(0).peeled_cycles, 0);
}

TEST(PeelPipelines, PeelsWhatTheCacheHasNoRoomForWhereThatIsAskedFor) {
  PeelCosts costs = kCosts;
  costs.cache_bytes = 64;
  const Peeled made = peeled(pipeline("16"), PipelineForm::Peeled, costs);
  EXPECT_TRUE(made.choices.at(0).is_peeled);
  EXPECT_GE(made.choices.at(0).peeled_cycles, 0);
  EXPECT_EQ(made.choices.at(0).why_not, "");
}

TEST(PeelPipelines, KeepsALoopThatWouldHaveManyParts) {
  std::string text = "for ko in [0, 16) {\n";
  for (const char* end : {"2", "4", "6", "8", "10"}) {
    text += "  if (ko < " + std::string(end) + ") {\n    wait AA_get slot (ko % 2)\n  }\n";
  }
  const Peeled made = peeled(text + "}\n", PipelineForm::Peeled);
  EXPECT_TRUE(made.is_same);
  EXPECT_EQ(made.choices.at(0).why_not, "it would be 6 parts");
  EXPECT_LT(made.choices.at(0).peeled_cycles, 0);
}

TEST(PeelPipelines, KeepsALoopOfUnknownLength) {
  const Peeled made = peeled(pipeline("n"), PipelineForm::Peeled);
  EXPECT_TRUE(made.is_same);
  EXPECT_EQ(made.choices.at(0).why_not, "how often it runs is not constant");
}

TEST(PeelPipelines, CountsNothingWithoutFigures) {
  const Peeled made = peeled(pipeline("16"), PipelineForm::ByCost, std::nullopt);
  EXPECT_TRUE(made.is_same);
  EXPECT_LT(made.choices.at(0).guarded_cycles, 0);
}

TEST(PeelPipelines, LeavesOtherLoopsAlone) {
  const Peeled made = peeled(
      "for ko in [0, 8) {\n"
      "  if (ko < 4) {\n    issue AA get A[ko] -> AA[0, 0] (64, 1, 1)\n    wait AA\n  }\n}\n",
      PipelineForm::Peeled);
  EXPECT_TRUE(made.is_same);
  EXPECT_TRUE(made.choices.empty());
}

TEST(PeelPipelines, NamesItsForms) {
  EXPECT_EQ(try_pipeline_form("auto"), PipelineForm::ByCost);
  EXPECT_EQ(try_pipeline_form("guarded"), PipelineForm::Guarded);
  EXPECT_EQ(try_pipeline_form("peeled"), PipelineForm::Peeled);
  EXPECT_EQ(try_pipeline_form("unrolled"), std::nullopt);
}

}  // namespace
}  // namespace solway::lowering
