#include "driver/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.h"

#include "tests/support/sample_programs.h"

namespace solway::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<NetworkLayer> two_layers(const samples::Pipeline& p) {
  return {{schedule::make_state({p.p}, samples::at(5)), {p.a, p.p}},
          {schedule::make_state({p.c}, samples::at(6), {p.p}), {p.p, p.c}}};
}

class NetworkOn : public testing::TestWithParam<const char*> {};

TEST_P(NetworkOn, RunsItsLayers) {
  const samples::Pipeline p(3);
  const CompiledNetwork net = build_network(two_layers(p), {}, {GetParam(), "net"}, samples::at(7));
  std::vector<float> a = {1, 2, 3, 4, 5}, c(3, -1);
  void* args[] = {a.data(), c.data()};
  EXPECT_EQ(net.run(args).status, 0);
  EXPECT_THAT(c, ElementsAre(3 * 5, 5 * 7, 7 * 9));
  EXPECT_EQ(net.joined().network.area_bytes, 16);
}

INSTANTIATE_TEST_SUITE_P(Targets, NetworkOn,
                         testing::Values("host", "c", "sw26010", "sw26010pro", "example-cluster"));

TEST(Network, HasTheFilesOfAProgram) {
  const samples::Pipeline p(3);
  const auto files = build_network(two_layers(p), {}, {"c", "net"}, samples::at(7)).sources();
  for (const char* const name :
       {"net.h", "net.c", "net_main.c", "net_P.c", "net_C.c", "Makefile"}) {
    EXPECT_EQ(files.count(name), 1U) << name;
  }
}

TEST(Network, NeedsALayer) {
  EXPECT_THROW(build_network({}, {}, {"c", "net"}, samples::at(7)), ArgumentMismatchError);
}

TEST(Network, IsBuiltWhole) {
  const samples::Pipeline p(3);
  BuildOptions options{"c", "net"};
  options.passes.stop_after = "lower";
  EXPECT_THROW(build_network(two_layers(p), {}, options, samples::at(7)), UnsupportedError);
}

TEST(Network, ParametersOfAllLayersHaveToFitNearMemory) {
  std::vector<NetworkLayer> layers;
  dsl::Tensor before = dsl::make_placeholder({4}, DType::Float32, "h0", samples::at(1));
  for (int n = 1; n <= 40; ++n) {
    const dsl::Tensor after = samples::plus_one(before, "h" + std::to_string(n), n);
    const std::vector<dsl::Tensor> given =
        n == 1 ? std::vector<dsl::Tensor>{} : std::vector<dsl::Tensor>{before};
    layers.push_back({schedule::make_state({after}, samples::at(n), given), {before, after}});
    before = after;
  }
  BuildOptions options{"sw26010", "net"};
  options.machine = load_target("sw26010", samples::at(6));
  EXPECT_NO_THROW(build_network(layers, {}, options, samples::at(7)));
  for (Memory& memory : options.machine->memories) {
    if (memory.name == "ldm") memory.size_bytes = memory.reserved_bytes + 2048;
  }
  try {
    build_network(layers, {}, options, samples::at(7));
    FAIL() << "expected CapacityError";
  } catch (const CapacityError& e) {
    EXPECT_THAT(e.what(), HasSubstr("network 'net' needs"));
    EXPECT_EQ(e.available_bytes(), 1024);
    EXPECT_GT(e.needed_bytes(), 1024);
  }
}

}  // namespace
}  // namespace solway::driver
