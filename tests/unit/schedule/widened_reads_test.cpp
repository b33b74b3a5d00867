#include "schedule/widened_reads.h"

#include <gtest/gtest.h>

#include "schedule/buffer_read.h"
#include "support/error.h"
#include "support/isl_ext.h"

#include "tests/unit/schedule/tiled_matmul.h"

namespace solway::schedule {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): this folder's programs

/// B of 6 x 8, of which tiles of 3 x 4 are read.
struct Widened : TiledMatmul {
  Widened() : TiledMatmul(2, 8, 6, 4, 3) {}

  State read(std::int64_t align_bytes) const {
    BufferRequest request = request_for("B", {ki, yi}, ko);
    request.align_bytes = align_bytes;
    return buffer_read(state, request, samples::at(9)).state;
  }
};

TEST(WidenedReads, MoveAllOfTheArrayAsFarAsIsKnown) {
  const Widened w;
  const State state = w.read(32);
  const Program& program = *state.program;
  const Statement& get = program.statement("BB_get_issue");
  EXPECT_TRUE(reads_whole_units(program, get));
  EXPECT_FALSE(reads_whole_units(program, program.statement("C")));
  const isl::map all = around_in_array(program, get.copy->elements);
  EXPECT_TRUE(get.copy->elements.is_subset(all));
  EXPECT_TRUE(all.range().is_equal(program.array("B").extent)) << isl_ext::to_string(all);
}

TEST(WidenedReads, AnElementThatIsAUnitIsNotWidened) {
  const Widened w;
  const State state = w.read(4);
  EXPECT_FALSE(reads_whole_units(*state.program, state.program->statement("BB_get_issue")));
  EXPECT_EQ(state.program->array("BB").shape, (std::vector<std::int64_t>{3, 4}));
}

TEST(WidenedReads, AreRefusedWhereTheirNestWritesTheArray) {
  const Widened w;
  State state = w.read(32);
  EXPECT_NO_THROW(require_widened_reads_legal(state, {"check", samples::at(12)}));
  auto program = std::make_shared<Program>(*state.program);
  program->buffers.at("BB").tensor = "C";  // as if what is read were written there
  state.program = program;
  EXPECT_THROW(require_widened_reads_legal(state, {"check", samples::at(12)}), UnsupportedError);
}

}  // namespace
}  // namespace solway::schedule
