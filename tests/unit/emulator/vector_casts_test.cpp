#include "emulator/vector_casts.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

const char* const kRefused =
    ": error: invalid conversion between vector type 'floatv4' (vector of 4 'float' values) and "
    "'doublev4' (vector of 4 'double' values) of different size";

std::string message(const std::string& range) { return "k.plain:1:1:{" + range + "}" + kRefused; }

TEST(VectorCasts, OfTheMessagesOneKindIsAboutThem) {
  EXPECT_TRUE(is_vector_cast_refused("k.c:3:5" + std::string(kRefused)));
  EXPECT_FALSE(is_vector_cast_refused("k.c:3:5: error: use of undeclared identifier 'floatv4'"));
  EXPECT_FALSE(is_vector_cast_refused(
      "k.c:3:5: error: invalid conversion between vector type 'floatv4' and scalar type 'int *'"));
}

TEST(VectorCasts, ARefusedCastBecomesAConversion) {
  std::string text = "int n;\ny = -(floatv4)a[3] + z;\n";
  EXPECT_TRUE(rewrite_refused_casts(text, message("2:6-2:19")));
  EXPECT_EQ(text, "int n;\ny = -__builtin_convertvector((a[3]), floatv4) + z;\n");
}

TEST(VectorCasts, SeveralOfALineAndOverLines) {
  std::string text = "y = (floatv4)a + (floatv4)(b\n + c);\n";
  EXPECT_TRUE(rewrite_refused_casts(text, message("1:5-1:15") + "\n" + message("1:18-2:6")));
  EXPECT_EQ(text,
            "y = __builtin_convertvector((a), floatv4) + "
            "__builtin_convertvector(((b\n + c)), floatv4);\n");
}

TEST(VectorCasts, OneInsideAnotherWaitsForItsOwnRound) {
  std::string text = "y = (floatv4)((doublev4)a * b);";
  EXPECT_TRUE(rewrite_refused_casts(text, message("1:5-1:31") + "\n" + message("1:15-1:26")));
  EXPECT_EQ(text, "y = (floatv4)(__builtin_convertvector((a), doublev4) * b);");
}

TEST(VectorCasts, WhatIsNotUnderstoodStays) {
  std::string text = "y = f(a);";
  for (const char* const range : {"1:5-1:9", "1:7", "9:1-9:4", "1:6-1:5"}) {
    EXPECT_FALSE(rewrite_refused_casts(text, message(range))) << range;
  }
  EXPECT_FALSE(rewrite_refused_casts(text, "k.plain:1:5:{1:5-1:9}: error: something else"));
  EXPECT_EQ(text, "y = f(a);");
}

}  // namespace
}  // namespace solway::emulator
