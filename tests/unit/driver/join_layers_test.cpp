#include "driver/join_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/lower_kernel.h"
#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<ir::Kernel> lowered(const std::vector<NetworkLayer>& layers) {
  const BuildOptions options{"c", "net"};
  const std::vector<std::string> names = layer_names("net", layers);
  std::vector<ir::Kernel> out;
  for (std::size_t k = 0; k < layers.size(); ++k) {
    BuildOptions own = options;
    own.name = names[k];
    out.push_back(lower_kernel(layers[k].state, layers[k].args, target_of(options, samples::at(9)),
                               own, samples::at(9), Temporaries::Passed)
                      .kernel);
  }
  return out;
}

JoinedLayers joined(const std::vector<NetworkLayer>& layers,
                    const std::vector<dsl::Tensor>& outputs = {}) {
  return join_layers("net", layers, lowered(layers), outputs, 64, samples::at(9));
}

NetworkLayer layer(const dsl::Tensor& output, const std::vector<dsl::Tensor>& args,
                   const std::vector<dsl::Tensor>& given = {}) {
  return {schedule::make_state({output}, samples::at(5), given), args};
}

TEST(JoinLayers, ByTheTensorsThatTheyHaveInCommon) {
  const samples::Pipeline p(3);
  const JoinedLayers out = joined({layer(p.p, {p.a, p.p}), layer(p.c, {p.p, p.c}, {p.p})});
  ASSERT_EQ(out.params.size(), 2U);
  EXPECT_EQ(out.params[0], p.a);
  EXPECT_EQ(out.params[1], p.c);
  ASSERT_EQ(out.arrays.size(), 1U);
  EXPECT_EQ(out.arrays[0].name, "P");
  EXPECT_EQ(out.arrays[0].size_bytes, 16);
  EXPECT_EQ(out.network.area_bytes, 16);
  EXPECT_EQ(out.network.layers[1].operands[0].offset_bytes, 0);
  EXPECT_FALSE(out.network.layers[1].operands[0].is_param);
}

TEST(JoinLayers, ArraysThatNeverMeetShareBytes) {
  const dsl::Tensor a = dsl::make_placeholder({64}, DType::Float32, "A", samples::at(1));
  const dsl::Tensor b = samples::plus_one(a, "B", 2), c = samples::plus_one(b, "C", 3),
                    d = samples::plus_one(c, "D", 4), e = samples::plus_one(d, "E", 5);
  const JoinedLayers out = joined(
      {layer(b, {a, b}), layer(c, {b, c}, {b}), layer(d, {c, d}, {c}), layer(e, {d, e}, {d})});
  EXPECT_EQ(out.apart_bytes, 3 * 256);
  EXPECT_EQ(out.network.area_bytes, 2 * 256);
  EXPECT_EQ(out.least_bytes, 2 * 256);
}

TEST(JoinLayers, TemporariesOfALayerAreInTheArea) {
  const samples::Pipeline p(3);
  const JoinedLayers out = joined({layer(p.c, {p.a, p.c})});
  ASSERT_EQ(out.arrays.size(), 1U);
  EXPECT_EQ(out.arrays[0].name, "net_C.P");
  EXPECT_EQ(out.network.layers[0].operands.size(), 3U);
}

TEST(JoinLayers, OutputsThatAreAskedFor) {
  const samples::Pipeline p(3);
  const std::vector<NetworkLayer> layers{layer(p.p, {p.a, p.p}), layer(p.c, {p.p, p.c}, {p.p})};
  const JoinedLayers out = joined(layers, {p.p, p.c});
  ASSERT_EQ(out.params.size(), 3U);
  EXPECT_EQ(out.params[1], p.p);
  EXPECT_EQ(out.network.params[1].role, ir::Role::Out);
  EXPECT_EQ(out.network.area_bytes, 0);
  EXPECT_THROW(joined(layers, {p.a}), ArgumentMismatchError);
}

TEST(JoinLayers, RefusesAWrongOrder) {
  const samples::Pipeline p(3);
  try {
    joined({layer(p.c, {p.p, p.c}, {p.p}), layer(p.p, {p.a, p.p})});
    FAIL() << "expected ArgumentMismatchError";
  } catch (const ArgumentMismatchError& e) {
    EXPECT_THAT(e.what(), HasSubstr("'P' is read before a layer computes it"));
  }
}

TEST(JoinLayers, RefusesATensorThatIsComputedTwice) {
  const samples::Pipeline p(3);
  EXPECT_THROW(joined({layer(p.p, {p.a, p.p}), layer(p.p, {p.a, p.p})}), ArgumentMismatchError);
}

TEST(JoinLayers, RefusesTwoTensorsOfOneName) {
  const samples::Pipeline p(3), other(3);
  EXPECT_THROW(joined({layer(p.p, {p.a, p.p}), layer(other.c, {other.a, other.c})}),
               ArgumentMismatchError);
}

TEST(LayerNames, AreUnique) {
  const samples::Pipeline p(3);
  EXPECT_THAT(layer_names("net", {layer(p.p, {}), layer(p.p, {}), layer(p.c, {})}),
              ElementsAre("net_P", "net_P_2", "net_C"));
}

}  // namespace
}  // namespace solway::driver
