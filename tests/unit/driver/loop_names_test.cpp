#include "driver/loop_names.h"

#include <gtest/gtest.h>

namespace solway::driver {
namespace {

const std::map<std::string, std::string> kNames{{"j_i", "j.i"}, {"k", "k"}, {"i_o_1", "i.o_1"}};

TEST(InLoopNames, WholeWordsAreReplaced) {
  EXPECT_EQ(in_loop_names("unroll(j_i)", kNames), "unroll(j.i)");
  EXPECT_EQ(in_loop_names("min(((j_i * -4) + i_o_1), k)", kNames), "min(((j.i * -4) + i.o_1), k)");
  EXPECT_EQ(in_loop_names("j_i2 and aj_i are no loops, 'j_i' is", kNames),
            "j_i2 and aj_i are no loops, 'j.i' is");
  EXPECT_EQ(in_loop_names("", kNames), "");
  EXPECT_EQ(in_loop_names("(", kNames), "(");
}

TEST(InLoopNames, InAllPartsOfWhatIsSaid) {
  const Remark remark = in_loop_names(Remark{"a j_i", "b j_i", "c j_i", {"f.py", 3, ""}}, kNames);
  EXPECT_EQ(remark.step + remark.verdict + remark.why, "a j.ib j.ic j.i");
  EXPECT_EQ(remark.where.line, 3);
  const Error::Report report =
      in_loop_names(Error::Report{{"f.py", 4, "j_i"}, "a j_i", "b j_i", "c j_i"}, kNames);
  EXPECT_EQ(report.what + report.why + report.fix, "a j.ib j.ic j.i");
  EXPECT_EQ(report.where.text, "j_i");
}

}  // namespace
}  // namespace solway::driver
