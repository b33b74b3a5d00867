#include "emulator/refused_forms.h"

#include <gtest/gtest.h>

namespace solway::emulator {
namespace {

const char* const kRefused =
    ": error: invalid conversion between vector type 'floatv4' (vector of 4 'float' values) and "
    "'doublev4' (vector of 4 'double' values) of different size";

std::string message(const std::string& range) { return "k.plain:1:1:{" + range + "}" + kRefused; }

TEST(RefusedForms, FewMessagesAreAboutThem) {
  EXPECT_TRUE(is_form_refused("k.c:3:5" + std::string(kRefused)));
  EXPECT_FALSE(is_form_refused("k.c:3:5: error: use of undeclared identifier 'floatv4'"));
  EXPECT_FALSE(is_form_refused(
      "k.c:3:5: error: invalid conversion between vector type 'floatv4' and scalar type 'int *'"));
  EXPECT_FALSE(is_form_refused(
      "k.c:3:5: error: initializing 'struct s' with an expression of incompatible type 'int'"));
  EXPECT_FALSE(is_form_refused(
      "k.c:3:5: error: assigning to 'floatv4' (vector of 4 'float' values) from incompatible type "
      "'doublev4' (vector of 4 'double' values)"));
  EXPECT_FALSE(is_form_refused("k.c:3:5: error: unknown register name 'rax' in asm"));
  EXPECT_FALSE(is_form_refused("k.c:3:5: note: 'floatv4' (vector of 4 'float' values), 'int'"));
}

/// `number` in every lane, as the text has it.
std::string lanes_of(const std::string& vector, const std::string& number) {
  const std::string lane = "(((" + vector + "){})[0])";
  return "((" + vector + ")(__typeof__" + lane + " __attribute__((ext_vector_type(sizeof(" +
         vector + ") / sizeof" + lane + "))))(" + number + "))";
}

TEST(RefusedForms, ANumberGoesIntoEveryLane) {
  const std::string of = " 'doublev4' (vector of 4 'double' values) ";
  for (const std::string& error :
       {"initializing" + of + "with an expression of incompatible type 'double'",
        "assigning to" + of + "from incompatible type 'int'",
        "returning 'float' from a function with incompatible result type" + of,
        "passing 'unsigned long' to parameter of incompatible type" + of,
        "cannot initialize a variable of type" + of +
            "with an rvalue of type 'const volatile double'",
        std::string("assigning to 'doublev4' (aka 'doublev4') from incompatible type "
                    "'real' (aka 'double')")}) {
    std::string text = "y = x + 1;\n";
    EXPECT_TRUE(rewrite_refused_forms(text, "k.plain:1:3:{1:5-1:10}: error: " + error)) << error;
    EXPECT_EQ(text, "y = " + lanes_of("doublev4", "x + 1") + ";\n") << error;
  }
}

TEST(RefusedForms, ACastOfANumberGoesIntoEveryLane) {
  const std::string of = "'floatv4' (vector of 4 'float' values)";
  for (const std::string& error :
       {"invalid conversion between vector type " + of + " and scalar type 'float'",
        "C-style cast from 'float' to " + of + " is not allowed"}) {
    std::string text = "y = (floatv4)x[3];";
    EXPECT_TRUE(rewrite_refused_forms(text, "k.plain:1:5:{1:5-1:18}: error: " + error)) << error;
    EXPECT_EQ(text, "y = " + lanes_of("floatv4", "x[3]") + ";") << error;
  }
}

TEST(RefusedForms, RegistersThatAStatementChangesAreMemoryToClang) {
  const std::string message = ": error: unknown register name '$1' in asm";
  std::string text = "\nasm(\"x\" ::: \"memory\", \"$1\");";
  EXPECT_TRUE(rewrite_refused_forms(text, "/k.plain:2:23" + message));
  EXPECT_EQ(text, "\nasm(\"x\" ::: \"memory\", \"memory\");");
  EXPECT_FALSE(rewrite_refused_forms(text, "/k.plain:2:1" + message));
  EXPECT_FALSE(rewrite_refused_forms(text, "/k.plain:9:1" + message));
}

TEST(RefusedForms, ARefusedCastBecomesAConversion) {
  std::string text = "int n;\ny = -(floatv4)a[3] + z;\n";
  EXPECT_TRUE(rewrite_refused_forms(text, message("2:6-2:19")));
  EXPECT_EQ(text, "int n;\ny = -__builtin_convertvector((a[3]), floatv4) + z;\n");
}

TEST(RefusedForms, SeveralOfALineAndOverLines) {
  std::string text = "y = (floatv4)a + (floatv4)(b\n + c);\n";
  EXPECT_TRUE(rewrite_refused_forms(text, message("1:5-1:15") + "\n" + message("1:18-2:6")));
  EXPECT_EQ(text,
            "y = __builtin_convertvector((a), floatv4) + "
            "__builtin_convertvector(((b\n + c)), floatv4);\n");
}

TEST(RefusedForms, OneInsideAnotherWaitsForItsOwnRound) {
  std::string text = "y = (floatv4)((doublev4)a * b);";
  EXPECT_TRUE(rewrite_refused_forms(text, message("1:5-1:31") + "\n" + message("1:15-1:26")));
  EXPECT_EQ(text, "y = (floatv4)(__builtin_convertvector((a), doublev4) * b);");
}

TEST(RefusedForms, WhatIsNotUnderstoodStays) {
  std::string text = "y = f(a);";
  for (const char* const range : {"1:5-1:9", "1:7", "9:1-9:4", "1:6-1:5"}) {
    EXPECT_FALSE(rewrite_refused_forms(text, message(range))) << range;
  }
  EXPECT_FALSE(rewrite_refused_forms(text, "k.plain:1:5:{1:5-1:9}: error: something else"));
  EXPECT_EQ(text, "y = f(a);");
}

}  // namespace
}  // namespace solway::emulator
