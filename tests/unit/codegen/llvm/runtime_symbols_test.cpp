#include "codegen/llvm/runtime_symbols.h"

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace solway::codegen {
namespace {

TEST(RuntimeSymbols, AreInOrderAndHaveAddresses) {
  const auto& symbols = runtime_symbols();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    EXPECT_NE(symbols[i].address, nullptr) << symbols[i].name;
    if (i > 0) {
      EXPECT_LT(symbols[i - 1].name, symbols[i].name);
    }
  }
}

TEST(RuntimeSymbols, NamesOfMathFunctions) {
  EXPECT_EQ(math_symbol("exp", DType::Float32), "solway_exp_f32");
  EXPECT_EQ(math_symbol("exp", DType::Float64), "solway_exp_f64");
}

}  // namespace
}  // namespace solway::codegen
