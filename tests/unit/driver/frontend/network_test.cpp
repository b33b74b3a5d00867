#include "driver/frontend/network.h"

#include <gtest/gtest.h>

#include "driver/frontend/functions.h"
#include "driver/temporary_folder.h"
#include "support/error.h"

namespace solway {
namespace {

class FrontendNetwork : public testing::Test {
 protected:
  Tensor x = placeholder({4}, DType::Float32, "x");
  Tensor h = compute(
      {4}, {"i"}, [&](Axis i) { return x[i] * 2; }, "h");
  Tensor y = compute(
      {4}, {"i"}, [&](Axis i) { return h[i] + 1; }, "y");
  Schedule first{{h}};
  Schedule second{{y}, {.inputs = {h}}};
  std::vector<float> in{1, 2, 3, 4}, out = std::vector<float>(4);
};

TEST_F(FrontendNetwork, RunsItsLayers) {
  const Network net = build_network({{first, {x, h}}, {second, {h, y}}}, {.name = "net"});
  net({in, out});
  EXPECT_EQ(out, (std::vector<float>{3, 5, 7, 9}));
  EXPECT_EQ(net.area_bytes(), 16);
  ASSERT_EQ(net.arguments().size(), 2U);
  EXPECT_EQ(net.arguments()[1].name(), "y");
}

TEST_F(FrontendNetwork, GivesTheOutputsThatAreAskedFor) {
  const Network net =
      build_network({{first, {x, h}}, {second, {h, y}}}, {.target = "c", .name = "net"}, {h, y});
  std::vector<float> between(4);
  net({in, between, out});
  EXPECT_EQ(between, (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(out, (std::vector<float>{3, 5, 7, 9}));
}

TEST_F(FrontendNetwork, ChecksItsArrays) {
  const Network net = build_network({{first, {x, h}}, {second, {h, y}}});
  std::vector<float> few(3);
  EXPECT_THROW(net({in}), ArgumentMismatchError);
  EXPECT_THROW(net({in, few}), ArgumentMismatchError);
  EXPECT_THROW(net({in, in}), ArgumentMismatchError);
}

TEST_F(FrontendNetwork, SavesAProgram) {
  const Network net =
      build_network({{first, {x, h}}, {second, {h, y}}}, {.target = "c", .name = "net"});
  const driver::TemporaryFolder folder({});
  EXPECT_EQ(net.save(folder.path().string()).size(), net.source().size());
  EXPECT_EQ(net.source().count("net_main.c"), 1U);
}

}  // namespace
}  // namespace solway
