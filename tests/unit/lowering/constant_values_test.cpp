#include "lowering/constant_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace solway::lowering {
namespace {

using testing::ElementsAre;

const SourceLoc kWhere{"user.py", 3, ""};

class ConstantValues : public testing::Test {
 protected:
  /// 2 rows of 3 bytes: 1 2 3 and 4 5 6.
  schedule::Array bytes() const {
    schedule::Array out;
    out.name = "W";
    out.type = DType::Int8;
    out.shape = {2, 3};
    std::vector<std::byte> values;
    for (int k = 1; k <= 6; ++k) values.push_back(static_cast<std::byte>(k));
    out.tensor = dsl::make_constant({2, 3}, DType::Int8, "W", values, kWhere);
    return out;
  }
  schedule::Array stored(std::vector<std::int64_t> shape, std::vector<dsl::Expr> index) const {
    schedule::Array out = bytes();
    out.shape = std::move(shape);
    out.layout =
        schedule::Layout{{i, j}, std::move(index), isl::map(isl_.get(), "{ W[i, j] -> W[i, j] }")};
    return out;
  }
  static std::vector<int> values_of(const schedule::Array& array) {
    std::vector<int> out;
    const auto values = constant_values(array);
    for (const std::byte value : *values) out.push_back(static_cast<int>(value));
    return out;
  }
  static dsl::Expr number(std::int64_t value) {
    return dsl::make_int(value, DType::Int64, false, kWhere);
  }
  dsl::Expr of(BinaryOp op, const dsl::Expr& a, const dsl::Expr& b) const {
    return dsl::make_binary(op, a, b, kWhere);
  }

  IslContext isl_;
  dsl::Axis i = dsl::make_axis("i", dsl::AxisKind::Spatial, 0, 2, kWhere);
  dsl::Axis j = dsl::make_axis("j", dsl::AxisKind::Spatial, 0, 3, kWhere);
  dsl::Expr at_i = dsl::make_axis_ref(i, kWhere);
  dsl::Expr at_j = dsl::make_axis_ref(j, kWhere);
};

TEST_F(ConstantValues, WithoutALayoutTheyAreShared) {
  const schedule::Array array = bytes();
  EXPECT_EQ(constant_values(array), array.tensor->values);
}

TEST_F(ConstantValues, ATransposedTensor) {
  EXPECT_THAT(values_of(stored({3, 2}, {at_j, at_i})), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_F(ConstantValues, PaddingIsZero) {
  const auto panels = stored({2, 2, 2}, {of(BinaryOp::FloorDiv, at_j, number(2)), at_i,
                                         of(BinaryOp::Mod, at_j, number(2))});
  EXPECT_THAT(values_of(panels), ElementsAre(1, 2, 4, 5, 3, 0, 6, 0));
}

TEST_F(ConstantValues, AnIndexMayDependOnBothDimensionsOrNone) {
  const auto flat =
      stored({1, 6}, {number(0), of(BinaryOp::Add, of(BinaryOp::Mul, at_j, number(2)), at_i)});
  EXPECT_THAT(values_of(flat), ElementsAre(1, 4, 2, 5, 3, 6));
}

}  // namespace
}  // namespace solway::lowering
