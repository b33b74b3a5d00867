#include "driver/form_choice.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace solway::driver {
namespace {

using memory_planner::Decision;

/// Weighs forms of the given cycles against 1,000; a negative number is out of the question.
WeighForm forms_of(const std::vector<double>& cycles) {
  return [cycles](std::size_t k) -> std::optional<Decision> {
    if (cycles[k] < 0) return std::nullopt;
    return Decision{"the sum", "form " + std::to_string(k), cycles[k], "as it is", 1000, ""};
  };
}

TEST(FormChoice, TakesTheFormThatGainsMost) {
  const auto best = cheapest_form(4, forms_of({900, -1, 500, 700}));
  ASSERT_TRUE(best);
  EXPECT_EQ(best->index, 2U);
  EXPECT_TRUE(best->pays);
  EXPECT_EQ(best->decision.chosen, "form 2");
  EXPECT_EQ(best->decision.cycles, 500);
}

TEST(FormChoice, OfTheSameGainTakesTheFirst) {
  const auto best = cheapest_form(3, forms_of({800, 500, 500}));
  ASSERT_TRUE(best);
  EXPECT_EQ(best->index, 1U);
}

TEST(FormChoice, SaysWhyTheProgramStaysAsItIs) {
  const auto best = cheapest_form(2, forms_of({990, 950}));
  ASSERT_TRUE(best);
  EXPECT_FALSE(best->pays);
  EXPECT_EQ(best->decision.chosen, "as it is");
  EXPECT_EQ(best->decision.cycles, 1000);
  EXPECT_EQ(best->decision.instead, "form 1");
  EXPECT_EQ(best->decision.instead_cycles, 950);
}

TEST(FormChoice, PaysFromWhatTheCallerCallsWorthwhile) {
  EXPECT_FALSE(cheapest_form(1, forms_of({950}))->pays);
  EXPECT_TRUE(cheapest_form(1, forms_of({950}), 0.99)->pays);
}

TEST(FormChoice, NothingWhereNoFormCanBeHad) {
  EXPECT_FALSE(cheapest_form(0, forms_of({})));
  EXPECT_FALSE(cheapest_form(2, forms_of({-1, -1})));
}

}  // namespace
}  // namespace solway::driver
