#include "memory_planner/body_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory_planner/extract_stage.h"

#include "tests/support/sample_programs.h"

namespace solway::memory_planner {
namespace {

using ::testing::ElementsAre;

BodyModel body_of(const dsl::Tensor& tensor) {
  const schedule::State state = schedule::make_state({tensor}, {});
  const PlannedStage stage = extract_stage(state, tensor->name, {});
  return model_body(state, stage.model, load_target("sw26010", {}));
}

TEST(BodyModel, AProductThatIsAddedIsOneOperation) {
  const BodyModel body = body_of(samples::Matmul(2, 64, 64).c);
  EXPECT_TRUE(body.is_reduction);
  EXPECT_TRUE(body.is_product);
  EXPECT_EQ(body.issue_cycles, 1);
  EXPECT_EQ(body.accumulate_cycles, 7);  // a multiply-add
  EXPECT_EQ(body.lanes, 4);
  EXPECT_EQ(body.no_vector, "");
  EXPECT_THAT(body.accesses, ElementsAre(1, 1, 1));
  EXPECT_THAT(body.shapes[1], ElementsAre(64, 64));
}

TEST(BodyModel, PlacesThatAreReadAreCounted) {
  const BodyModel body = body_of(samples::Pipeline(10, DType::Float64).c);
  EXPECT_FALSE(body.is_reduction);
  EXPECT_FALSE(body.is_product);
  EXPECT_EQ(body.accesses[0], 2);
  EXPECT_GT(body.chain_cycles, 0);
}

}  // namespace
}  // namespace solway::memory_planner
