#include "memory_planner/product_form.h"

#include <gtest/gtest.h>

#include "tests/unit/memory_planner/stages.h"

namespace solway::memory_planner {
namespace {

BodyModel product_body() {
  BodyModel out;
  out.is_product = out.is_reduction = true;
  out.lanes = 4;
  return out;
}

TEST(ProductForm, AMatrixProductHasRowsColumnsAndTerms) {
  const auto forms = product_forms(testing::matmul(16, 32, 64), product_body());
  ASSERT_EQ(forms.size(), 1U);
  EXPECT_EQ(forms[0].rows, 0);
  EXPECT_EQ(forms[0].columns, 1);
  EXPECT_EQ(forms[0].terms, 2);
  EXPECT_EQ(forms[0].numbers, 0);
  EXPECT_EQ(forms[0].vectors, 1);
  EXPECT_EQ(forms[0].sums, 2);
}

TEST(ProductForm, OneRowIsAProductToo) {
  const auto forms = product_forms(testing::matmul(1, 32, 64), product_body());
  ASSERT_EQ(forms.size(), 1U);
  EXPECT_EQ(forms[0].rows, -1);
  EXPECT_EQ(forms[0].columns, 1);
}

TEST(ProductForm, AnotherSumIsNone) {
  BodyModel body = product_body();
  body.is_product = false;
  EXPECT_TRUE(product_forms(testing::matmul(16, 32, 64), body).empty());
}

TEST(ProductForm, ColumnsLieSideBySideInBoth) {
  StageModel turned = testing::matmul(16, 32, 64);
  std::swap(turned.tensors[1].dims[0], turned.tensors[1].dims[1]);  // B[y, k]
  EXPECT_TRUE(product_forms(turned, product_body()).empty());
}

TEST(ProductForm, ATransposedResultHasItsRowsAsColumns) {
  StageModel stage = testing::matmul(16, 32, 64);
  std::swap(stage.tensors[0].dims[0], stage.tensors[0].dims[1]);  // A[k, x]
  std::swap(stage.tensors[2].dims[0], stage.tensors[2].dims[1]);  // C[y, x]
  const auto forms = product_forms(stage, product_body());
  ASSERT_EQ(forms.size(), 1U);
  EXPECT_EQ(forms[0].rows, 1);
  EXPECT_EQ(forms[0].columns, 0);
  EXPECT_EQ(forms[0].numbers, 1);
  EXPECT_EQ(forms[0].vectors, 0);
}

// Neighbours of the result are 4 apart in the image.
TEST(ProductForm, StridesAlongTheColumnsAreNone) {
  EXPECT_TRUE(product_forms(testing::convolution(), product_body()).empty());
}

TEST(ProductForm, WindowsThatSlideAlongTheColumnsStandApart) {
  const auto forms = product_forms(testing::window(16, 32, 8), product_body());
  ASSERT_EQ(forms.size(), 2U);  // terms may be the channels or the lines
  EXPECT_EQ(forms[0].rows, 0);
  EXPECT_EQ(forms[0].columns, 2);
  EXPECT_EQ(forms[0].terms, 3);
  EXPECT_EQ(forms[0].rounds, (std::vector<int>{4}));
  EXPECT_EQ(forms[0].windows, (std::vector<int>{5}));
  EXPECT_EQ(forms[1].terms, 4);
  EXPECT_EQ(forms[1].rounds, (std::vector<int>{3}));
  EXPECT_TRUE(is_window(forms[0], 5));
  EXPECT_FALSE(is_multiplied(forms[0], 5));
  EXPECT_TRUE(is_multiplied(forms[0], 4));
}

TEST(ProductForm, AlongTheFiltersNoWindowSlides) {
  const auto forms = product_forms(testing::window_with_filters_last(16, 13, 8), product_body());
  ASSERT_EQ(forms.size(), 6U);  // rows or columns of the image; three loops that may be the terms
  for (const ProductForm& form : forms) {
    EXPECT_EQ(form.columns, 0);
    EXPECT_TRUE(form.windows.empty());
    EXPECT_EQ(form.rounds.size(), 2U);
  }
}

TEST(ProductForm, StridesAreThoseOfATile) {
  const StageModel stage = testing::matmul(64, 64, 64);
  const Tiles tiles = {8, 16, 32};
  EXPECT_EQ(stride_elems(stage.tensors[0], 0, tiles), 32);
  EXPECT_EQ(stride_elems(stage.tensors[0], 2, tiles), 1);
  EXPECT_EQ(stride_elems(stage.tensors[1], 2, tiles), 16);
  EXPECT_EQ(stride_elems(stage.tensors[1], 0, tiles), 0);
}

}  // namespace
}  // namespace solway::memory_planner
