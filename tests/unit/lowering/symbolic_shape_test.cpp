#include "lowering/symbolic_shape.h"

#include <gtest/gtest.h>

#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"

namespace solway::lowering {
namespace {

const SourceLoc kWhere{"user.py", 3, ""};

class SymbolicShape : public testing::Test {
 protected:
  dsl::Extent n =
      dsl::make_extent(dsl::make_size_ref(dsl::make_size("n", 1, 16, kWhere), kWhere), kWhere);

  dsl::Tensor tensor(const dsl::Extents& shape) const {
    return dsl::make_placeholder(shape, DType::Float32, "A", kWhere);
  }
  static std::string argument(const dsl::Tensor& tensor) {
    return ir::to_string(*as_argument(ir::make_buffer("A", DType::Float32, tensor->shape), tensor));
  }
};

TEST_F(SymbolicShape, AConstantArgumentStays) {
  const dsl::Tensor a = tensor({4, 8});
  const ir::Buffer buffer = ir::make_buffer("A", DType::Float32, {4, 8});
  EXPECT_EQ(as_argument(buffer, a), buffer);
  EXPECT_FALSE(has_symbolic_strides(a));
}

TEST_F(SymbolicShape, TheOutermostExtentIsABound) {
  EXPECT_EQ(argument(tensor({n, 8})), "A: float32[<= 16, 8]");
  EXPECT_FALSE(has_symbolic_strides(tensor({n, 8})));
}

TEST_F(SymbolicShape, InnerExtentsMakeOneRow) {
  const dsl::Tensor a = tensor({4, n, 8});
  EXPECT_EQ(argument(a), "A: float32[<= 512]");
  EXPECT_TRUE(has_symbolic_strides(a));
  const ir::Expr at = flat_index(a, {ir::Var::make("i"), ir::Var::make("j"), ir::Var::make("k")});
  EXPECT_EQ(ir::to_string(at), "((((i * n) + j) * 8) + k)");
  const std::vector<ir::Expr> strides = flat_strides(a);
  EXPECT_EQ(ir::to_string(strides[0]), "(n * 8)");
  EXPECT_EQ(ir::to_string(strides[1]), "8");
  EXPECT_EQ(ir::to_string(strides[2]), "1");
}

TEST_F(SymbolicShape, SizesAreReadOnce) {
  const ir::Buffer values = ir::make_buffer("sizes", DType::Int64, {2});
  const ir::Buffer out = ir::make_buffer("C", DType::Int64, {1});
  const ir::Stmt body = ir::Store::make(out, {ir::index(0)}, ir::Var::make("m"));
  const ir::Stmt all = with_sizes(
      {dsl::make_size("n", 1, 4, kWhere), dsl::make_size("m", 1, 4, kWhere)}, values, body, kWhere);
  EXPECT_EQ(ir::to_string(all), "let n = sizes[0] {\n  let m = sizes[1] {\n    C[0] = m\n  }\n}\n");
}

TEST_F(SymbolicShape, AssumptionsAreConditionsOnTheValues) {
  const dsl::Size a = dsl::make_size("a", 1, 64, kWhere), b = dsl::make_size("b", 1, 64, kWhere);
  const auto number = [](std::int64_t value) {
    return dsl::make_int(value, DType::Int64, false, kWhere);
  };
  const auto less = [](const dsl::Expr& x, const dsl::Expr& y) {
    return dsl::make_binary(BinaryOp::Lt, x, y, kWhere);
  };
  schedule::Program program;
  program.sizes = {a, b};
  const dsl::Expr of_a = dsl::make_size_ref(a, kWhere), of_b = dsl::make_size_ref(b, kWhere);
  program.assumptions = {{less(of_b, of_a), kWhere}, {less(number(0), of_b), kWhere, false}};
  const ir::Buffer values = ir::make_buffer("sizes", DType::Int64, {2});
  const std::vector<ir::Expr> required = requirements_of(program, values);
  ASSERT_EQ(required.size(), 1U);  // the bounds say the other
  EXPECT_EQ(ir::to_string(required[0]), "(sizes[1] < sizes[0])");
}

}  // namespace
}  // namespace solway::lowering
