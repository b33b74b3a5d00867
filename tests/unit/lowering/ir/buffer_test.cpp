#include "lowering/ir/buffer.h"

#include <gtest/gtest.h>

#include "support/error.h"

namespace solway::ir {
namespace {

TEST(Buffer, HasRowMajorStrides) {
  const Buffer b = make_buffer("A", DType::Float64, {2, 3, 4});
  EXPECT_EQ(b->strides_elems(), (std::vector<std::int64_t>{12, 4, 1}));
  EXPECT_EQ(b->num_elements(), 24);
  EXPECT_EQ(b->size_bytes(), 192);
}

TEST(Buffer, OfRankZeroHasOneElement) {
  const Buffer b = make_buffer("s", DType::Int8, {});
  EXPECT_EQ(b->size_bytes(), 1);
  EXPECT_TRUE(b->strides_elems().empty());
}

TEST(Buffer, OfVectorsHasTheirLanesLast) {
  const Buffer fixed = make_vectors("V", DType::Float32, {3}, {8, false}, "register");
  EXPECT_EQ(fixed->shape, (std::vector<std::int64_t>{3, 8}));
  EXPECT_FALSE(fixed->is_scalable);
  EXPECT_TRUE(make_vectors("V", DType::Float32, {}, {4, true}, "register")->is_scalable);
}

TEST(Buffer, RejectsNamesSizesAndAlignments) {
  EXPECT_THROW(make_buffer("2x", DType::Int8, {}), InternalError);
  EXPECT_THROW(make_buffer("true", DType::Int8, {}), InternalError);
  EXPECT_THROW(make_buffer("A", DType::Int8, {-1}), InternalError);
  EXPECT_THROW(make_buffer("A", DType::Int8, {1}, "ldm", 3), InternalError);
  EXPECT_THROW(make_buffer("A", DType::Int8, {1}, "l m"), InternalError);
}

}  // namespace
}  // namespace solway::ir
