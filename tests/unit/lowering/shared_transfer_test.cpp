#include "lowering/shared_transfer.h"

#include <gtest/gtest.h>

#include "lowering/ir/printer.h"
#include "lowering/lower.h"
#include "schedule/broadcast.h"
#include "schedule/double_buffer.h"
#include "schedule/parallel.h"
#include "support/error.h"

#include "tests/unit/lowering/buffered.h"

namespace solway::lowering {
namespace {

using schedule::SharedBy;

/// The lines of the kernel with one of these words, without the space before them.
std::string lines_with(const std::string& text, const std::vector<std::string>& words) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(' ');
    for (const std::string& word : words) {
      if (first != std::string::npos && line.compare(first, word.size(), word) == 0) {
        out += line.substr(first) + "\n";
      }
    }
    at = end + 1;
  }
  return out;
}

/// A product on a mesh of so many cores, each with a row and 128 columns, whose row shares AA.
struct OnMesh : testing::Figure2 {
  explicit OnMesh(std::int64_t rows, std::int64_t columns = 8) : Figure2(rows, columns * 128, 128) {
    state = schedule::parallel_grid(state, "C", x, yo, {rows, columns}, samples::at(9));
    read("B", ko, {ki, yi});
    read("A", ko, {ki});
  }

  std::string text(const Mesh& mesh) const {
    return lines_with(ir::to_string(lower(state, {a, b, c}, "k", {}, "ldm", TransferDims::Merged,
                                          CoreGroup{mesh.rows * mesh.columns, mesh})
                                        .kernel),
                      {"issue", "wait", "exchange"});
  }
};

TEST(PartOf, RowsOfTheBufferForEachCoreOfARow) {
  OnMesh m(4);
  m.state = schedule::broadcast(m.state, "AA", SharedBy::Row, samples::at(10));
  EXPECT_EQ(m.text({4, 8}),
            "issue BB_get get B[(k_o * 64), (y_o * 128)] -> BB[0, 0] (64, 1024, 128) (128, 1, 1)\n"
            "issue AA_get get A[x, ((k_o * 64) + (y_o * 8))] -> AA[(y_o * 8)] (8, 1, 1)\n"
            "wait BB_get\n"
            "wait AA_get\n"
            "exchange AA[0] row part y_o of 8 (8, 64)\n");
}

TEST(PartOf, RowsOfTheBufferForEachCoreOfAColumn) {
  OnMesh m(4);
  m.state = schedule::broadcast(m.state, "BB", SharedBy::Column, samples::at(10));
  EXPECT_EQ(m.text({4, 8}),
            "issue BB_get get B[((k_o * 64) + (x * 16)), (y_o * 128)] -> BB[(x * 16), 0] "
            "(16, 1024, 128) (128, 1, 1)\n"
            "issue AA_get get A[x, (k_o * 64)] -> AA[0] (64, 1, 1)\n"
            "wait BB_get\n"
            "exchange BB[0, 0] column part x of 4 (2048, 8192)\n"
            "wait AA_get\n");
}

TEST(PartOf, FewerRowsThanCoresAreDividedThemselves) {
  OnMesh m(128);
  m.state = schedule::broadcast(m.state, "BB", SharedBy::Column, samples::at(10));
  EXPECT_EQ(m.text({128, 8}),
            "issue BB_get get B[((k_o * 64) + (x // 2)), ((y_o * 128) + ((x % 2) * 64))] -> "
            "BB[(x // 2), ((x % 2) * 64)] (64, 1, 1)\n"
            "issue AA_get get A[x, (k_o * 64)] -> AA[0] (64, 1, 1)\n"
            "wait BB_get\n"
            "exchange BB[0, 0] column part x of 128 (64, 8192)\n"
            "wait AA_get\n");
}

TEST(PartOf, PartsOfWordsNeedNotBeWholeMessages) {
  OnMesh m(4, 7);
  m.state = schedule::broadcast(m.state, "AA", SharedBy::Row, samples::at(10));
  const std::string text = m.text({4, 8});
  EXPECT_NE(text.find("exchange AA[0] row part y_o of 7 (10, 64)"), std::string::npos) << text;
}

TEST(PartOf, ASlotOfSeveral) {
  OnMesh m(4);
  m.state = schedule::double_buffer(m.state, "AA", samples::at(10));
  m.state = schedule::broadcast(m.state, "AA", SharedBy::Row, samples::at(11));
  const std::string text = m.text({4, 8});
  EXPECT_NE(text.find("-> AA[((k_o * -1) + 1), (y_o * 8)] (8, 1, 1) slot ((k_o * -1) + 1) of 2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("exchange AA[k_o, 0] row part y_o of 8 (8, 64)"), std::string::npos) << text;
}

TEST(LinesOf, TheWholeMeshPassesAlongRowsThenColumns) {
  testing::Figure2 f(64, 128, 128);
  f.state = schedule::parallel(f.state, "C", f.x, samples::at(9));
  f.read("B", f.ko, {f.ki, f.yi});
  f.state = schedule::broadcast(f.state, "BB", SharedBy::All, samples::at(10));
  const std::string text =
      lines_with(ir::to_string(lower(f.state, {f.a, f.b, f.c}, "k", {}, "ldm", TransferDims::Merged,
                                     CoreGroup{16, {2, 8}})
                                   .kernel),
                 {"issue", "exchange"});
  // Four iterations of x for each of 16 cores.
  EXPECT_EQ(
      text,
      "issue BB_get get B[((k_o * 64) + (((((x // 4) // 8) * 8) + ((x // 4) % 8)) * 4)), 0] -> "
      "BB[(((((x // 4) // 8) * 8) + ((x // 4) % 8)) * 4), 0] (512, 1, 1)\n"
      "exchange BB[(((x // 4) // 8) * 32), 0] row part ((x // 4) % 8) of 8 (512, 4096)\n"
      "exchange BB[0, 0] column part ((x // 4) // 8) of 2 (4096, 8192)\n");
}

TEST(LinesOf, RefusesUnequalShares) {
  testing::Figure2 f(20, 128, 128);
  f.state = schedule::parallel(f.state, "C", f.x, samples::at(9));
  f.read("B", f.ko, {f.ki, f.yi});
  f.state = schedule::broadcast(f.state, "BB", SharedBy::All, samples::at(10));
  EXPECT_THROW(
      lower(f.state, {f.a, f.b, f.c}, "k", {}, "ldm", TransferDims::Merged, CoreGroup{16, {2, 8}}),
      ScheduleArgumentError);
}

TEST(PartOf, OneCoreReadsAllWithoutCores) {
  OnMesh m(4);
  m.state = schedule::broadcast(m.state, "AA", SharedBy::Row, samples::at(10));
  const std::string text = ir::to_string(lower(m.state, {m.a, m.b, m.c}, "k", {}, "ldm").kernel);
  EXPECT_EQ(lines_with(text, {"exchange", "issue AA"}),
            "issue AA_get get A[x, (k_o * 64)] -> AA[0] (64, 1, 1)\n");
}

}  // namespace
}  // namespace solway::lowering
