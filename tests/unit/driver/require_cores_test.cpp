#include "driver/require_cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/target_choice.h"
#include "support/error.h"

namespace solway::driver {
namespace {

using testing::HasSubstr;

const SourceLoc kMarked{"user.py", 7, "s[C].parallel('i', 'j', grid=(16, 8))"};

schedule::Order with_loop(const std::string& hardware, std::int64_t parts) {
  schedule::Loop loop;
  loop.name = "i";
  loop.end = 64;
  loop.mark = schedule::LoopMark::Parallel;
  loop.hardware = hardware;
  loop.parts = parts;
  loop.marked_at = kMarked;
  schedule::Order order;
  order.add(loop);
  return order;
}

Target machine(const std::string& name) { return require_target(name, kMarked); }

/// Requires an UnsupportedError at the line of the mark.
void expect_refused(const schedule::Order& order, const Target& target, const std::string& text) {
  try {
    require_cores(order, target);
    FAIL() << "not refused";
  } catch (const UnsupportedError& e) {
    EXPECT_EQ(e.report().where.line, 7);
    EXPECT_THAT(e.what(), HasSubstr(text));
  }
}

TEST(RequireCores, TakesWhatFitsOnTheMesh) {
  require_cores(with_loop("", 0), machine("sw26010"));
  require_cores(with_loop("core", 0), machine("sw26010"));
  require_cores(with_loop("row", 8), machine("sw26010"));
  require_cores(with_loop("column", 0), machine("sw26010"));
}

TEST(RequireCores, RefusesMoreThanTheMeshHas) {
  expect_refused(with_loop("row", 16), machine("sw26010"),
                 "8 rows and 8 columns, and 16 are asked for");
  expect_refused(with_loop("column", 9), machine("sw26010"), "bind(i, column)");
}

TEST(RequireCores, AMachineWithoutAMeshRunsThemOnOneCore) {
  require_cores(with_loop("row", 16), machine("c"));
}

TEST(RequireCores, RefusesWhatNoMachineHas) {
  expect_refused(with_loop("warp", 0), machine("c"), "no target has a 'warp'");
}

}  // namespace
}  // namespace solway::driver
