#include "emulator/timeline.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

Timeline an_example() {
  Timeline timeline;
  timeline.resolution = 16;
  timeline.cores = {{100, {1, 2, 3, 4, 5}, 60, 4096, 128, 8192}, {}};
  timeline.names = {"work", "a folder/cpe.c:12", ""};
  timeline.runs = {{1, 0, 5, 105}};
  timeline.waits = {{1, Stall::Message, 10, 20, 7}};
  timeline.transfers = {{0, true, 1, 3, 6144, 12, 40}};
  timeline.levels = {{0, 5, 8192}, {1, 6, 0}};
  return timeline;
}

TEST(Timeline, IsReadAsWritten) {
  const Timeline example = an_example();
  const auto read = timeline_from_text(to_text(example));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(example));
  EXPECT_EQ(read->names, example.names);
  ASSERT_EQ(read->cores.size(), 2U);
  EXPECT_EQ(read->cores[0].stalled, example.cores[0].stalled);
  EXPECT_EQ(read->cores[0].ldm_peak_bytes, 8192);
  ASSERT_EQ(read->waits.size(), 1U);
  EXPECT_EQ(read->waits[0].stall, Stall::Message);
  EXPECT_EQ(read->waits[0].waited, 7);
  ASSERT_EQ(read->transfers.size(), 1U);
  EXPECT_TRUE(read->transfers[0].is_put);
  EXPECT_EQ(read->transfers[0].completed, 40);
  ASSERT_EQ(read->levels.size(), 2U);
  EXPECT_EQ(read->levels[1].core, 1);
}

TEST(Timeline, RefusesWhatIsCutOffOrUnknown) {
  const std::string text = to_text(an_example());
  EXPECT_FALSE(timeline_from_text(""));
  EXPECT_FALSE(timeline_from_text(text.substr(0, text.size() - 5)));
  EXPECT_FALSE(timeline_from_text("word 1 2\nend\n"));
  EXPECT_FALSE(timeline_from_text("level 1 x 2\nend\n"));
}

TEST(Timeline, SumsOverCores) {
  Timeline timeline = an_example();
  timeline.cores[1].stalled = {10, 0, 0, 0, 7};
  EXPECT_EQ(timeline.stalled(Stall::Transfer), 11);
  EXPECT_EQ(timeline.stalled(Stall::MainMemory), 12);
}

}  // namespace
}  // namespace solway::emulator
