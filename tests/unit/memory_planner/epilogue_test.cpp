#include "memory_planner/epilogue.h"

#include <gtest/gtest.h>

#include "memory_planner/compute_cost.h"
#include "memory_planner/product_form.h"

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

/// Y[y, x] = max(C[x, y] + b[y], 0): the other way around; loops y (0), x (1).
StageModel reader() {
  StageModel out{"Y", {testing::spatial("y", 64), testing::spatial("x", 32)}, {}};
  const auto d = [&](int loop) { return testing::dim(out.loops, {{loop, 1}}); };
  out.tensors.push_back({"C", 4, AccessDirection::Read, {d(1), d(0)}});
  out.tensors.push_back({"b", 4, AccessDirection::Read, {d(0)}});
  out.tensors.push_back({"Y", 4, AccessDirection::Write, {d(0), d(1)}});
  return out;
}

class EpilogueTest : public ::testing::Test {
 protected:
  EpilogueTest() {
    body.is_product = body.is_reduction = true;
    body.lanes = 4;
    body.accesses = {1, 1, 1};
    body.shapes = {{32, 256}, {256, 64}, {32, 64}};
    reader_body.issue_cycles = 5;
    reader_body.number_cycles = 14;
    reader_body.lanes = 4;
    reader_body.accesses = {1, 1, 1};
    reader_body.shapes = {{32, 64}, {64}, {64, 32}};
  }

  ProductWithEpilogue made() const {
    const PlannedStage product{testing::matmul(32, 64, 256), {1, 2, 3}, false};
    const PlannedStage other{reader(), {4, 5}, false};
    return with_epilogue(product, body, other, reader_body, {1, 0, -1}, load_target("sw26010", {}));
  }

  BodyModel body;
  BodyModel reader_body;
};

TEST_F(EpilogueTest, TensorsOfTheReaderGoByTheLoopsOfTheProduct) {
  const ProductWithEpilogue out = made();
  const std::vector<TensorModel>& tensors = out.stage.model.tensors;
  ASSERT_EQ(tensors.size(), 5U);  // A, B, C, b, Y
  EXPECT_TRUE(tensors[2].is_local);
  EXPECT_FALSE(tensors[2].is_epilogue);
  EXPECT_EQ(tensors[3].name, "b");
  EXPECT_TRUE(tensors[3].is_epilogue);
  EXPECT_EQ(tensors[3].dims[0].terms[0].loop, 1);  // y of the product
  EXPECT_EQ(tensors[4].dims[0].terms[0].loop, 1);
  EXPECT_EQ(tensors[4].dims[1].terms[0].loop, 0);
  EXPECT_EQ(out.body.shapes[4], (std::vector<std::int64_t>{64, 32}));
  EXPECT_TRUE(has_epilogue(out.stage.model));
  EXPECT_FALSE(has_epilogue(testing::matmul(32, 64, 256)));
}

TEST_F(EpilogueTest, ItStaysAProduct) {
  const ProductWithEpilogue out = made();
  const std::vector<ProductForm> forms = product_forms(out.stage.model, out.body);
  ASSERT_FALSE(forms.empty());
  EXPECT_EQ(forms[0].sums, 2);
}

TEST_F(EpilogueTest, VectorsRunAlongWhatIsWritten) {
  EXPECT_EQ(made().vector, 1);  // x, though C lies along y
  reader_body.lanes = 1;
  EXPECT_EQ(made().vector, -1);
}

TEST_F(EpilogueTest, ResultsOfTheBusiestCoreAreCounted) {
  const ProductWithEpilogue out = made();
  NestPlan plan;
  plan.cuts = {{4, 4, 1}, {8, 8, 1}, {256, 32, 1}};
  plan.parallel = {0, 1};
  plan.grid = {8, 8};
  plan.depths = {1, 1, 1, 1, 1};
  const double cycles = epilogue_cycles(out.stage.model, out.body, plan);
  EXPECT_DOUBLE_EQ(cycles, 32 * out.body.epilogue_cycles);
  EXPECT_GT(out.body.epilogue_cycles, 1);
  const Target target = load_target("sw26010", {});
  BodyModel without = out.body;
  without.epilogue_cycles = 0;
  EXPECT_DOUBLE_EQ(compute_cycles(out.stage.model, out.body, plan, target),
                   compute_cycles(out.stage.model, without, plan, target) + cycles);
}

}  // namespace
}  // namespace solway::memory_planner
