#include "driver/kept_stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "schedule/buffer_write.h"
#include "schedule/compute_at.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using schedule::State;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

schedule::BufferRequest of(const State& state, const std::string& stage, const std::string& tensor,
                           std::size_t loop) {
  schedule::BufferRequest request;
  request.stage = stage;
  request.tensor = tensor;
  request.at = state.stage_loops.at(stage)[loop];
  return request;
}

TEST(KeptStages, NoneOfAProgramAsItIsWritten) {
  const KeptStages kept = kept_stages(schedule::make_state({samples::Pipeline(16).c}, {}), {});
  EXPECT_THAT(kept.names, IsEmpty());
  EXPECT_THAT(kept.remarks, IsEmpty());
}

TEST(KeptStages, APlacedStageIsRefusedWhereNoTransferSaysWhatIsInsideBuffers) {
  const State start = schedule::make_state({samples::Pipeline(16).c}, {});
  const State placed = schedule::compute_at(start, "P", "C", start.stage_loops.at("C")[0], {});
  EXPECT_THROW(kept_stages(placed, {}), UnsupportedError);
}

TEST(KeptStages, APlacedStageOfAReaderWithABufferStays) {
  const State start = schedule::make_state({samples::Pipeline(16).c}, {});
  const State placed = schedule::compute_at(start, "P", "C", start.stage_loops.at("C")[0], {});
  const State state = schedule::buffer_write(placed, of(placed, "C", "C", 0), {}).state;
  const KeptStages kept = kept_stages(state, {});
  EXPECT_THAT(kept.names, UnorderedElementsAre("P"));
  ASSERT_EQ(kept.remarks.size(), 1u);
  EXPECT_THAT(kept.remarks.front().why, HasSubstr("fills a buffer of its reader"));
}

TEST(KeptStages, APlacedStageWithABufferStaysWithItsReader) {
  const State start = schedule::make_state({samples::Pipeline(16).c}, {});
  const State placed = schedule::compute_at(start, "P", "C", start.stage_loops.at("C")[0], {});
  const State state = schedule::buffer_read(placed, of(placed, "P", "A", 0), {}).state;
  const KeptStages kept = kept_stages(state, {});
  EXPECT_THAT(kept.names, UnorderedElementsAre("P", "C"));
}

}  // namespace
}  // namespace solway::driver
