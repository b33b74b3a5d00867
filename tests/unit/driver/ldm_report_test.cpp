#include "driver/ldm_report.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/buffered_matmul.h"

namespace solway::driver {
namespace {

using memory_planner::testing::buffered_matmul;

TEST(LdmReport, PrintsEachBufferAndTheRoomOfEachLoop) {
  const LdmReport report =
      ldm_report(buffered_matmul(128, 64), load_target("sw26010", samples::at(1)), samples::at(12));
  EXPECT_EQ(to_string(report),
            "ldm of sw26010: 33536 of 63488 bytes (65536, less 2048 for the stack and the "
            "runtime)\n"
            "  buffer  offset  bytes  shape             lifetime                       made by\n"
            "  CC      0       512    128 float32       in each iteration of y.o of C  "
            "buffer_write(C) at user.py:11\n"
            "  BB      512     32768  64 x 128 float32  in each iteration of k.o of C  "
            "buffer_read(B) at user.py:9\n"
            "  AA      33280   256    64 float32        in each iteration of k.o of C  "
            "buffer_read(A) at user.py:10\n"
            "  loop  stage  factor  largest that fits\n"
            "  y.i   C      128     243\n"
            "  k.i   C      64      122\n");
}

TEST(LdmReport, WhatDoesNotFitIsReportedAndNotRefused) {
  const LdmReport report = ldm_report(buffered_matmul(128, 128),
                                      load_target("sw26010", samples::at(1)), samples::at(12));
  EXPECT_FALSE(report.sections[0].layout.fits());
  EXPECT_NE(to_string(report).find(": 3072 too many"), std::string::npos);
}

TEST(LdmReport, WithoutBuffersItSaysSo) {
  const samples::Matmul matmul(1, 8, 8);
  const LdmReport report = ldm_report(schedule::make_state({matmul.c}, {}),
                                      load_target("c", samples::at(1)), samples::at(12));
  EXPECT_EQ(to_string(report), "panel of c: 0 of 262144 bytes, no hard limit\n  no buffers\n");
}

}  // namespace
}  // namespace solway::driver
